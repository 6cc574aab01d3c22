// Owners of the objects of the NATS client library.
#ifndef SLICE_SERVER_FEED_NATS_HANDLES_H_
#define SLICE_SERVER_FEED_NATS_HANDLES_H_

#include <nats/nats.h>

#include <memory>

namespace slice {

template <typename T, void (*kDestroy)(T*)>
struct NatsDestroyer {
  void operator()(T* object) const { kDestroy(object); }
};
template <typename T, void (*kDestroy)(T*)>
using NatsOwned = std::unique_ptr<T, NatsDestroyer<T, kDestroy>>;

using NatsOptions = NatsOwned<natsOptions, natsOptions_Destroy>;
using NatsConnection = NatsOwned<natsConnection, natsConnection_Destroy>;
using NatsMessage = NatsOwned<natsMsg, natsMsg_Destroy>;
using JetStreamContext = NatsOwned<jsCtx, jsCtx_Destroy>;
using JetStreamMetadata = NatsOwned<jsMsgMetaData, jsMsgMetaData_Destroy>;
using JetStreamAcknowledgement = NatsOwned<jsPubAck, jsPubAck_Destroy>;
using JetStreamInfo = NatsOwned<jsStreamInfo, jsStreamInfo_Destroy>;

}  // namespace slice

#endif  // SLICE_SERVER_FEED_NATS_HANDLES_H_
