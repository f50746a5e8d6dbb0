package quiver;

import com.google.protobuf.MessageLite;

/**
 * A call whose request is a stream. Leaving it by {@link #close} ends the call.
 *
 * @param <Q> the requests
 * @param <R> the replies
 */
public final class StreamingCall<Q extends MessageLite, R extends MessageLite> extends ReplyStream<R> {
  StreamingCall(Channel channel, Method<Q, R> method, CallOptions options) {
    super(channel, method, options, null);
  }

  /**
   * Sends a message, and waits while 64 KiB are queued.
   *
   * @param message at most as large as the server takes
   * @throws InterruptedException if this thread is interrupted; nothing is sent
   * @throws RpcException if the call has ended
   */
  public void send(Q message) throws InterruptedException {
    sendBytes(message.toByteArray());
  }

  /** Ends the request stream. */
  public void finish() {
    call.channel.submit(call::finish);
  }

  /**
   * Ends the request stream and waits for the one reply of a client-streaming call.
   *
   * @return the reply
   * @throws InterruptedException if this thread is interrupted; the call goes on
   * @throws RpcException if the call did not end OK
   */
  public R reply() throws InterruptedException {
    finish();
    R reply = next();
    if (reply == null) throw RpcException.client(StatusCode.INTERNAL, "the call ended without a reply");
    return reply;
  }
}
