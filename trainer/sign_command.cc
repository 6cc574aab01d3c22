#include "trainer/sign_command.h"

#include <filesystem>
#include <memory>
#include <string>

#include "model/model_bundle.h"

namespace slice {
namespace {

struct SignOptions {
  std::string bundle;
  std::filesystem::path key;
};

}  // namespace

StatusRun DefineSign(CommandFlags& flags) {
  const auto options = std::make_shared<SignOptions>();
  flags.AddArgument("BUNDLE", options->bundle, "the bundle to sign").Required();
  flags
      .Add("--key", options->key,
           "PEM file with a private key of ed25519, as 'openssl genpkey "
           "-algorithm ed25519' writes it")
      .Type("FILE")
      .Required();
  return [options](const CommandStreams&) {
    return SignBundle(options->bundle, options->key);
  };
}

}  // namespace slice
