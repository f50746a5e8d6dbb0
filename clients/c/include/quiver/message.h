/* Messages of protobuf-c in calls; what the generated stubs of quiver/services.h are made of. */
#ifndef QUIVER_MESSAGE_H
#define QUIVER_MESSAGE_H

#include <protobuf-c/protobuf-c.h>

#include "quiver/quiver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Decodes a message within the limits of section 4.1 of the protocol: nesting, fields, memory, valid
 * UTF-8. NULL if it is not valid. Free it with quiver_message_free, not with protobuf-c. */
ProtobufCMessage *quiver_message_unpack(
  const ProtobufCMessageDescriptor *type, const uint8_t *data, size_t length);

/* Frees a message that came from a call. NULL is allowed. */
void quiver_message_free(void *message);

/* Makes a unary call and waits for its end. On QUIVER_OK *reply is the reply. If `call` is given, it
 * becomes the call, with its status and metadata, and is freed by the caller. */
quiver_code quiver_unary(
  quiver_client *client, const quiver_method *method, const quiver_call_options *options,
  const ProtobufCMessage *request, const ProtobufCMessageDescriptor *reply_type,
  ProtobufCMessage **reply, quiver_call **call);

/* Starts a call; `request` is NULL for a request stream. NULL: no memory. */
quiver_call *quiver_stream(
  quiver_client *client, const quiver_method *method, const quiver_call_options *options,
  const ProtobufCMessage *request);

/* Starts an asynchronous call: see quiver_call_submit. Of a call that has ended, quiver_stream_reply
 * gives the one reply without waiting. */
quiver_call *quiver_submit(
  quiver_client *client, const quiver_method *method, const quiver_call_options *options,
  const ProtobufCMessage *request, void *context);

/* Waits for the next message: 1, or 0 at the end of the call. A message that does not decode ends
 * the call INTERNAL. */
int quiver_stream_next(
  quiver_call *call, const ProtobufCMessageDescriptor *type, ProtobufCMessage **message);

/* Sends a message; false: the call has ended. */
bool quiver_stream_send(quiver_call *call, const ProtobufCMessage *message);

/* Ends the request stream and waits for the one reply. */
quiver_code quiver_stream_reply(
  quiver_call *call, const ProtobufCMessageDescriptor *type, ProtobufCMessage **reply);

#ifdef __cplusplus
}
#endif
#endif
