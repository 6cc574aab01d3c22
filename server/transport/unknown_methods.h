// Answers calls of methods that no service has. gRPC would answer them itself,
// but without interceptors: CallGuard would not see a flood of such calls.
#ifndef SLICE_SERVER_TRANSPORT_UNKNOWN_METHODS_H_
#define SLICE_SERVER_TRANSPORT_UNKNOWN_METHODS_H_

#include <grpcpp/generic/async_generic_service.h>

namespace slice {

class UnknownMethods final : public grpc::CallbackGenericService {
 public:
  // UNIMPLEMENTED, naming the method.
  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override;
};

}  // namespace slice

#endif  // SLICE_SERVER_TRANSPORT_UNKNOWN_METHODS_H_
