// One function, CutInputs, fixes the order and the sizes of the arrays. It runs
// in three ways: without memory to count the words, over memory of the host to
// write the arrays, and over memory of the device to pass their addresses to
// the kernel. RowPacker writes the arrays row by row; it drops the padding of
// the batch, turns ids into row numbers of the kernel's tables, and refuses ids
// that the tables lack.
#include "model/cuda/packed_inputs.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "context/context_subgraph.h"

namespace slice {
namespace {

static_assert(kNoNode == std::numeric_limits<uint32_t>::max(),
              "the kernel takes this number for no node");

// Cuts a piece of memory into arrays, in the order of the calls of Cut. Without
// memory it only counts the words.
class WordCutter {
 public:
  explicit WordCutter(const uint32_t* memory) : memory_(memory) {}
  template <typename T>
  void Cut(int64_t count, const T*& array) {
    static_assert(sizeof(T) == sizeof(uint32_t));
    if (memory_ != nullptr) {
      array = reinterpret_cast<const T*>(memory_ + words_);
    }
    words_ += count;
  }
  int64_t words() const { return words_; }

 private:
  const uint32_t* const memory_;
  int64_t words_ = 0;
};

EncoderInputs CutInputs(const EncoderArrays& arrays,
                        const EncoderBucket& bucket, WordCutter& cutter) {
  const int64_t rows = bucket.rows;
  const int64_t tokens = rows * bucket.width;
  EncoderInputs in;
  in.rows = bucket.rows;
  in.width = bucket.width;
  cutter.Cut(rows + 1, in.row_first);
  cutter.Cut(rows, in.relation);
  cutter.Cut(rows * arrays.pair_features, in.pair_features);
  cutter.Cut(tokens, in.token_row);
  cutter.Cut(tokens, in.nodes);
  cutter.Cut(tokens, in.kind_roles);
  cutter.Cut(tokens * arrays.token_features, in.token_features);
  cutter.Cut(tokens * 3, in.token_relations);
  cutter.Cut(tokens * bucket.width, in.pair_relations);
  return in;
}

// EncoderInputs points to constant arrays, because kernels only read them. The
// host writes the arrays through this function.
template <typename T>
T* Writable(const T* array) {
  return const_cast<T*>(array);
}

absl::Status OutOfRange(const char* what, int64_t value) {
  return absl::InvalidArgumentError(
      absl::StrCat("the network has no ", what, " ", value));
}

// Writes rows of a batch into the arrays of a call.
class RowPacker {
 public:
  RowPacker(const ContextBatch& batch, const EncoderArrays& arrays,
            int64_t node_count, const EncoderInputs& to)
      : batch_(batch), arrays_(arrays), node_count_(node_count), to_(to) {}

  // Writes row `row` of the batch as row `to_row` of the call.
  absl::Status Pack(int to_row, int64_t row) {
    const int64_t relation = batch_.relation[row];
    if (relation < 0 || relation >= arrays_.relations) {
      return OutOfRange("relation", relation);
    }
    Writable(to_.relation)[to_row] = static_cast<int32_t>(relation);
    std::copy_n(
        batch_.pair_features.data() + row * batch_.pair_features_dim,
        arrays_.pair_features,
        Writable(to_.pair_features) + int64_t{to_row} * arrays_.pair_features);
    for (int64_t i = 0; i < batch_.row_tokens[row]; ++i, ++packed_) {
      Writable(to_.token_row)[packed_] = to_row;
      SLICE_RETURN_IF_ERROR(PackToken(row * batch_.tokens + i));
      SLICE_RETURN_IF_ERROR(PackPairs(row, i));
    }
    return absl::OkStatus();
  }

  // How many tokens were written.
  int32_t packed() const { return packed_; }

 private:
  // Writes the token at `cell` of the batch [rows, tokens].
  absl::Status PackToken(int64_t cell) {
    const int64_t node = batch_.nodes[cell];
    if (node < -1) {
      return absl::InvalidArgumentError(
          "the device has no embedding of an unknown node");
    }
    if (node >= node_count_) return OutOfRange("node", node);
    Writable(to_.nodes)[packed_] =
        node < 0 ? kNoNode : static_cast<uint32_t>(node);
    const int64_t kind = batch_.kinds[cell], role = batch_.roles[cell];
    if (kind < 0 || kind >= kTokenKinds) return OutOfRange("kind", kind);
    if (role < 0 || role >= kTokenRoles) return OutOfRange("role", role);
    Writable(to_.kind_roles)[packed_] =
        static_cast<int32_t>(kind * kTokenRoles + role);
    std::copy_n(batch_.token_features.data() + cell * arrays_.token_features,
                arrays_.token_features,
                Writable(to_.token_features) +
                    int64_t{packed_} * arrays_.token_features);
    for (int64_t place = 0; place < 3; ++place) {
      const int64_t relation = batch_.token_relations[cell * 3 + place];
      if (!HasSigned(relation)) return OutOfRange("signed relation", relation);
      Writable(to_.token_relations)[int64_t{packed_} * 3 + place] =
          static_cast<int32_t>(place * (2 * arrays_.relations + 1) +
                               arrays_.relations + relation);
    }
    return absl::OkStatus();
  }

  // Writes the relations between a token and the other tokens of its row.
  absl::Status PackPairs(int64_t row, int64_t token) {
    const int64_t* pairs = batch_.pair_relations.data() +
                           (row * batch_.tokens + token) * batch_.tokens;
    int32_t* to = Writable(to_.pair_relations) + int64_t{packed_} * to_.width;
    for (int64_t i = 0; i < batch_.row_tokens[row]; ++i) {
      if (!HasSigned(pairs[i])) return OutOfRange("signed relation", pairs[i]);
      to[i] = static_cast<int32_t>(arrays_.relations + pairs[i]);
    }
    return absl::OkStatus();
  }

  bool HasSigned(int64_t signed_relation) const {
    return signed_relation >= -arrays_.relations &&
           signed_relation <= arrays_.relations;
  }

  const ContextBatch& batch_;
  const EncoderArrays& arrays_;
  const int64_t node_count_;
  const EncoderInputs& to_;
  int32_t packed_ = 0;
};

}  // namespace

int64_t InputWords(const EncoderArrays& arrays, const EncoderBucket& bucket) {
  WordCutter cutter(nullptr);
  CutInputs(arrays, bucket, cutter);
  return cutter.words();
}

EncoderInputs InputsAt(const EncoderArrays& arrays, const EncoderBucket& bucket,
                       const uint32_t* memory) {
  WordCutter cutter(memory);
  return CutInputs(arrays, bucket, cutter);
}

int64_t StructuralInputWords(const EncoderArrays& arrays, int rows) {
  return int64_t{rows} * (1 + arrays.pair_features);
}

StructuralInputs StructuralInputsAt(const EncoderArrays& arrays, int rows,
                                    const uint32_t* memory) {
  WordCutter cutter(memory);
  StructuralInputs in;
  in.rows = rows;
  cutter.Cut(rows, in.relation);
  cutter.Cut(int64_t{rows} * arrays.pair_features, in.pair_features);
  return in;
}

absl::Status PackInputs(const ContextBatch& batch, const EncoderChunk& chunk,
                        const EncoderArrays& arrays, int64_t node_count,
                        uint32_t* memory) {
  // A network without a structural scorer does not read the pair features.
  if ((arrays.pair_features > 0 &&
       batch.pair_features_dim != arrays.pair_features) ||
      batch.token_features_dim != arrays.token_features) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the network reads ", arrays.pair_features, " pair features and ",
        arrays.token_features, " token features, the batch has ",
        batch.pair_features_dim, " and ", batch.token_features_dim));
  }
  const EncoderInputs to = InputsAt(arrays, chunk.bucket, memory);
  RowPacker packer(batch, arrays, node_count, to);
  Writable(to.row_first)[0] = 0;
  for (int row = 0; row < chunk.bucket.rows; ++row) {
    if (row < static_cast<int>(chunk.rows.size())) {
      SLICE_RETURN_IF_ERROR(packer.Pack(row, chunk.rows[row]));
    } else {  // an empty row, whose outputs nobody reads
      Writable(to.relation)[row] = 0;
      std::fill_n(
          Writable(to.pair_features) + int64_t{row} * arrays.pair_features,
          arrays.pair_features, 0.0f);
    }
    Writable(to.row_first)[row + 1] = packer.packed();
  }
  return absl::OkStatus();
}

absl::Status PackStructural(int64_t relation,
                            std::span<const float> pair_features, int rows,
                            const EncoderArrays& arrays, uint32_t* memory) {
  if (relation < 0 || relation >= arrays.relations) {
    return OutOfRange("relation", relation);
  }
  const StructuralInputs to = StructuralInputsAt(arrays, rows, memory);
  std::fill_n(Writable(to.relation), rows, static_cast<int32_t>(relation));
  std::copy_n(pair_features.data(), int64_t{rows} * arrays.pair_features,
              Writable(to.pair_features));
  return absl::OkStatus();
}

}  // namespace slice
