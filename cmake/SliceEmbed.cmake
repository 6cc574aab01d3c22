# slice_embed(<symbol> <file> <source>) writes the C++ source `source`, which
# defines
#   extern "C" const char <symbol>_begin[], <symbol>_end[];
# with the bytes of `file`, which a rule of the build may make.
function(slice_embed symbol file source)
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
"asm(R\"(
  .section .rodata
  .global @symbol@_begin
  .global @symbol@_end
@symbol@_begin:
  .incbin \"@file@\"
@symbol@_end:
  .byte 0
  .section .note.GNU-stack,\"\",%progbits
  .text
)\");
")
  set_source_files_properties("${source}" PROPERTIES OBJECT_DEPENDS "${file}" SKIP_PRECOMPILE_HEADERS ON)
endfunction()
