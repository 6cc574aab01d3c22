// Contexts per second of the model forward, each way to run it beside the
// machine's float32 matrix products of the same shapes; one thread.
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/rand.h>
#include <benchmark/benchmark.h>

#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "common/random.h"
#include "model/forward_pass.h"
#include "model/made_up_links.h"
#include "model/native/bfloat16_product.h"
#include "model/native/native_forward.h"
#include "model/torch/network.h"
#include "model/torch/torch_script_forward.h"
#include "tests/benchmarks/run_benchmarks.h"

#ifdef SLICE_CUDA
#include "model/cuda/cuda_device.h"
#include "model/cuda/device_forward.h"
#include "model/device.h"
#endif

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

ContextBatch MakeBatch(const Network& network, size_t contexts) {
  const size_t lengths = network.most_tokens - network.least_tokens + 1;
  std::vector<EncodedLink> links;
  for (size_t i = 0; i < contexts; ++i) {
    links.push_back(
        MadeUpLink({kNodes, static_cast<size_t>(network.options.relation_count),
                    static_cast<size_t>(network.options.pair_features)},
                   network.least_tokens + (lengths / 2 + 5 * i) % lengths, i));
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

// One network, its embeddings and every way to run it.
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
    passes_.push_back(*MakeTorchScriptForward(
        module,
        {embeddings_.data(), static_cast<int64_t>(kNodes),
         network.options.embedding_dim},
        "cpu"));
    passes_.push_back(MakeNativeForward(
        weights_, network.options, embeddings_.data(), WeightFormat::kFloat32));
    if (MachineHasBfloat16Products()) {
      passes_.push_back(MakeNativeForward(weights_, network.options,
                                          embeddings_.data(),
                                          WeightFormat::kBfloat16));
    }
#ifdef SLICE_CUDA
    if (!CheckDevice("cuda").ok()) return;
    auto device =
        MakeCudaDevice(ArrangeWeights(weights_, network.options),
                       {embeddings_.data(), static_cast<int64_t>(kNodes),
                        network.options.embedding_dim},
                       "cuda");
    if (device.ok()) on_device_ = MakeDeviceForward(std::move(*device));
#endif
  }

  const std::vector<std::unique_ptr<ForwardPass>>& passes() const {
    return passes_;
  }
  // Null without a CUDA device.
  const ForwardPass* on_device() const { return on_device_.get(); }

  // From arrays to logits and back, by the clock.
  void ForwardOnDevice(benchmark::State& state, size_t contexts) const {
    const ContextBatch batch = MakeBatch(network_, contexts);
    for (auto _ : state) {
      const auto outputs = on_device_->Run(batch, /*with_attention=*/false);
      if (!outputs.ok()) {
        state.SkipWithError(std::string(outputs.status().message()).c_str());
        break;
      }
      benchmark::DoNotOptimize(outputs->logits.data());
    }
    state.counters["contexts/s"] =
        benchmark::Counter(static_cast<double>(state.iterations() * contexts),
                           benchmark::Counter::kIsRate);
  }

  // The products and the pass take turns, so that a slower moment of the
  // machine slows both.
  void Forward(benchmark::State& state, const ForwardPass& pass,
               size_t contexts) const {
    const ContextBatch batch = MakeBatch(network_, contexts);
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
  const Network network_;
  std::vector<float> embeddings_;
  NetworkWeights weights_;
  std::vector<std::unique_ptr<ForwardPass>> passes_;
  std::unique_ptr<ForwardPass> on_device_;
};

int Main(int argc, char** argv) {
  ConfigureTorch();
  at::set_num_threads(1);
  benchmark::Initialize(&argc, argv);
  std::vector<std::unique_ptr<Subject>> subjects;
  for (const Network& network : Networks()) {
    subjects.push_back(std::make_unique<Subject>(network));
    const Subject& subject = *subjects.back();
    for (const size_t contexts : {1, 8, 64, 256}) {
      for (const auto& pass : subject.passes()) {
        benchmark::RegisterBenchmark(
            ("Forward/" + network.name + "/" +
             std::string(ForwardPathName(pass->path())) + "/" +
             std::to_string(contexts))
                .c_str(),
            [&subject, &pass, contexts](benchmark::State& state) {
              subject.Forward(state, *pass, contexts);
            })
            ->Unit(benchmark::kMicrosecond)
            ->UseManualTime();
      }
      if (subject.on_device() == nullptr) continue;
      benchmark::RegisterBenchmark(
          ("DeviceForward/" + network.name + "/cuda/" +
           std::to_string(contexts))
              .c_str(),
          [&subject, contexts](benchmark::State& state) {
            subject.ForwardOnDevice(state, contexts);
          })
          ->Unit(benchmark::kMicrosecond)
          ->UseRealTime();
    }
  }
  return RunBenchmarks();
}

}  // namespace
}  // namespace slice

int main(int argc, char** argv) { return slice::Main(argc, argv); }
