#include "client/commands/link_arguments.h"

#include "client/commands/client_flags.h"

namespace slice {

LinkArguments AddLinkArguments(CommandFlags& flags, LinkQuery& link) {
  const LinkArguments arguments = {
      flags.AddArgument("SOURCE", link.source.text,
                        "node where the link begins"),
      flags.AddArgument("RELATION", link.relation, "relation of the link"),
      flags.AddArgument("TARGET", link.target.text,
                        "node where the link ends")};
  AddKeys(flags, link.source.exact_key);
  flags.Check([&link] {
    link.target.exact_key = link.source.exact_key;
    return absl::OkStatus();
  });
  return arguments;
}

}  // namespace slice
