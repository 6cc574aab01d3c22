// Contexts per second of the model forward, each way to run it beside the
// machine's float32 matrix products of the same shapes; one thread.
//
// With --device=cuda, cuda:N or reference it measures that device instead
// (tests/benchmarks/device_benchmark.h). The native pass with float32 weights
// is then what the results of the device are compared with.
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/rand.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/random.h"
#include "common/status_macros.h"
#include "model/forward_pass.h"
#include "model/made_up_links.h"
#include "model/native/bfloat16_product.h"
#include "model/native/native_forward.h"
#include "model/torch/network.h"
#include "model/torch/torch_script_forward.h"
#include "tests/benchmarks/device_benchmark.h"
#include "tests/benchmarks/run_benchmarks.h"

namespace slice {
namespace {

constexpr size_t kNodes = 3000;
constexpr int kPairFeatures = 110;  // those of a bundle of Amazon

struct Network {
  std::string name;
  NetworkOptions options;
  size_t least_tokens, most_tokens;  // of a context
};

std::vector<Network> Networks() {
  NetworkOptions paper = *NetworkPreset("paper");
  NetworkOptions by_default = *NetworkPreset("default");
  paper.relation_count = by_default.relation_count = 4;
  by_default.pair_features = kPairFeatures;
  return {{"paper", paper, 6, 6}, {"default", by_default, 2, 14}};
}

// A batch of contexts with from `least` to `most` tokens.
ContextBatch MakeBatch(const NetworkOptions& options, size_t contexts,
                       size_t least, size_t most) {
  const size_t lengths = most - least + 1;
  std::vector<EncodedLink> links;
  for (size_t i = 0; i < contexts; ++i) {
    links.push_back(
        MadeUpLink({kNodes, static_cast<size_t>(options.relation_count),
                    static_cast<size_t>(options.pair_features)},
                   least + (lengths / 2 + 5 * i) % lengths, i));
  }
  std::vector<const EncodedLink*> pointers;
  for (const EncodedLink& link : links) pointers.push_back(&link);
  return ContextBatch::Assemble(pointers);
}

// The matrix products of a forward pass alone, each into its own output.
class Products {
 public:
  Products(const NetworkOptions& options, const NetworkWeights& weights,
           const ContextBatch& batch) {
    int64_t tokens = 0;
    for (const int64_t count : batch.row_tokens) tokens += count;
    const int64_t dim = options.hidden_dim;
    const int64_t attended = options.heads * options.head_dim;
    Add(tokens, options.embedding_dim + batch.token_features_dim, dim);
    for (int layer = 0; layer < options.layers; ++layer) {
      Add(tokens, dim, 3 * attended);
      Add(tokens, attended, dim);
      Add(tokens, dim, options.feed_forward_dim);
      Add(tokens, options.feed_forward_dim, dim);
    }
    for (const char* name :
         {"structural_weight1", "structural_weight2", "structural_weight3",
          "head_weight1", "head_weight2", "ends_weight1", "ends_weight2"}) {
      if (weights.Has(name)) {
        Add(batch.rows, weights.Dim(name, 1), weights.Dim(name, 0));
      }
    }
    if (weights.Has("head_weight")) {  // projects both ends
      Add(2 * batch.rows, weights.Dim("head_weight", 1),
          weights.Dim("head_weight", 0));
    }
  }

  void Run() {
    const c10::InferenceMode inference;
    for (Product& product : products_) {
      at::mm_out(product.to, product.from, product.weights);
    }
  }

 private:
  struct Product {
    at::Tensor from, weights, to;
  };

  void Add(int64_t rows, int64_t in, int64_t out) {
    products_.push_back(
        {at::rand({rows, in}), at::rand({in, out}), at::empty({rows, out})});
  }

  std::vector<Product> products_;
};

double ThreadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

// One network, its embeddings and every way to run it on the CPU.
class Subject {
 public:
  explicit Subject(const Network& network) : network_(network) {
    Random random(1);
    embeddings_.resize(kNodes * network.options.embedding_dim);
    for (float& value : embeddings_) {
      value = static_cast<float>(2 * random.Uniform() - 1);
    }
    torch::jit::Module module = *BuildNetwork(network.options, 1);
    module.eval();
    weights_ = ExtractWeights(module);
    passes_.push_back(*MakeTorchScriptForward(module, embeddings(), "cpu"));
    passes_.push_back(MakeNativeForward(
        weights_, network.options, embeddings_.data(), WeightFormat::kFloat32));
    if (MachineHasBfloat16Products()) {
      passes_.push_back(MakeNativeForward(weights_, network.options,
                                          embeddings_.data(),
                                          WeightFormat::kBfloat16));
    }
  }

  const std::vector<std::unique_ptr<ForwardPass>>& passes() const {
    return passes_;
  }

  // The network on the device `name`, compared with the native pass.
  absl::StatusOr<std::unique_ptr<DeviceBenchmark>> OnDevice(
      const std::string& name) const {
    const ArrangedWeights arranged = ArrangeWeights(weights_, network_.options);
    SLICE_ASSIGN_OR_RETURN(auto for_batches,
                           MakeBenchmarkDevice(arranged, embeddings(), name));
    SLICE_ASSIGN_OR_RETURN(auto for_calls,
                           MakeBenchmarkDevice(arranged, embeddings(), name));
    return std::make_unique<DeviceBenchmark>(
        std::move(for_batches), std::move(for_calls), *passes_[1],
        [this](size_t contexts, size_t least, size_t most) {
          return MakeBatch(network_.options, contexts, least, most);
        });
  }

  // The products and the pass take turns, so that a slower moment of the
  // machine slows both.
  void Forward(benchmark::State& state, const ForwardPass& pass,
               size_t contexts) const {
    const ContextBatch batch =
        MakeBatch(network_.options, contexts, network_.least_tokens,
                  network_.most_tokens);
    Products products(network_.options, weights_, batch);
    double of_products = 0, of_pass = 0;
    for (auto _ : state) {
      const double begin = ThreadSeconds();
      products.Run();
      const double middle = ThreadSeconds();
      const auto outputs = pass.Run(batch, /*with_attention=*/false);
      benchmark::DoNotOptimize(outputs->logits.data());
      const double end = ThreadSeconds();
      of_products += middle - begin;
      of_pass += end - middle;
      state.SetIterationTime(end - middle);
    }
    state.counters["contexts/s"] =
        static_cast<double>(state.iterations() * contexts) / of_pass;
    state.counters["of the products' rate"] = of_products / of_pass;
  }

 private:
  EmbeddingRows embeddings() const {
    return {embeddings_.data(), static_cast<int64_t>(kNodes),
            network_.options.embedding_dim};
  }

  const Network network_;
  std::vector<float> embeddings_;
  NetworkWeights weights_;
  std::vector<std::unique_ptr<ForwardPass>> passes_;
};

// Takes --device=NAME out of the command line; "" when it is not there.
std::string TakeDevice(int* argc, char** argv) {
  std::string device;
  char** const end = std::remove_if(argv + 1, argv + *argc, [&](char* part) {
    constexpr std::string_view kFlag = "--device=";
    if (!std::string_view(part).starts_with(kFlag)) return false;
    device = part + kFlag.size();
    return true;
  });
  *argc = static_cast<int>(end - argv);
  return device;
}

void RegisterForward(const std::string& name, const Subject& subject) {
  for (const size_t contexts : {1, 8, 64, 256}) {
    for (const auto& pass : subject.passes()) {
      benchmark::RegisterBenchmark(
          ("Forward/" + name + "/" +
           std::string(ForwardPathName(pass->path())) + "/" +
           std::to_string(contexts))
              .c_str(),
          [&subject, &pass, contexts](benchmark::State& state) {
            subject.Forward(state, *pass, contexts);
          })
          ->Unit(benchmark::kMicrosecond)
          ->UseManualTime();
    }
  }
}

int Main(int argc, char** argv) {
  ConfigureTorch();
  at::set_num_threads(1);
  const std::string device = TakeDevice(&argc, argv);
  benchmark::Initialize(&argc, argv);
  std::vector<std::unique_ptr<Subject>> subjects;
  std::vector<std::unique_ptr<DeviceBenchmark>> on_device;
  for (const Network& network : Networks()) {
    subjects.push_back(std::make_unique<Subject>(network));
    if (device.empty()) {
      RegisterForward(network.name, *subjects.back());
      continue;
    }
    auto made = subjects.back()->OnDevice(device);
    if (!made.ok()) {
      std::fprintf(stderr, "forward_benchmark: %s\n",
                   std::string(made.status().message()).c_str());
      return 1;
    }
    on_device.push_back(std::move(*made));
    on_device.back()->Register(network.name + "/" + device,
                               network.least_tokens, network.most_tokens);
  }
  return RunBenchmarks();
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) { return slice::Main(argc, argv); }
