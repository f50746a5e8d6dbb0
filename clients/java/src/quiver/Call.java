package quiver;

import com.google.protobuf.ByteString;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import quiver.v1.RequestHead;

/** A call over its attempts. All but its construction happens on the thread of the client. */
final class Call {
  /** Who gets what comes of a call, on the thread of the client. */
  interface Listener {
    void onMessage(byte[] message, int charge);

    void onEnd(RpcException error, List<Metadata> initial, List<Metadata> trailing);

    void onRoom();
  }

  final Channel channel;
  final Method<?, ?> method;
  final Listener listener;
  final byte[] key;
  final List<Metadata> metadata;
  final boolean waitsForReady;
  final long deadline;
  int attempt, retries, steps, unsent, unread, watchFailures;
  boolean mayHaveRun, wasResent, isReplyBegun, isFinished, hasEnded;
  CallOptions.Position position;
  Core connection;
  /** The messages of a request stream that are accepted and on no connection yet. */
  private ArrayDeque<byte[]> accepted = new ArrayDeque<>();
  /** Null once the call has ended. */
  private byte[] request;
  private Core.Stream stream;
  Channel.Timer deadlineTimer, resendTimer;
  private List<Metadata> initial = List.of();
  /** How a watch has ended whose messages are not all taken. */
  private RpcException pendingEnd;
  private boolean isBetween;

  Call(Channel channel, Method<?, ?> method, CallOptions options, byte[] request, Listener listener) {
    StatusCode fault = Metadata.fault(options.metadata());
    if (fault != null) {
      throw RpcException.of(fault, "metadata: at most 64 entries and 8192 bytes; keys of a-z 0-9 . _ -",
          RpcException.Origin.CLIENT, true);
    }
    boolean isUnary = !method.requestStreams() && !method.replyStreams();
    if (options.key() != null && (!isUnary || options.key().length != 16)) {
      throw RpcException.of(StatusCode.INVALID_ARGUMENT, "key: 16 bytes, for unary calls only",
          RpcException.Origin.CLIENT, true);
    }
    this.channel = channel;
    this.method = method;
    this.listener = listener;
    this.request = request;
    metadata = options.metadata();
    key = options.key() != null ? options.key() : isUnary && method.isMutating() ? Channel.randomKey() : null;
    waitsForReady = options.waitForReady() || method.isWatch();
    long timeout = options.timeout() != null ? Math.max(1, options.timeout().toMillis())
        : isUnary ? channel.options.timeoutMillis() : 0;
    deadline = timeout == 0 ? Channel.NEVER : Channel.now() + timeout;
    position = options.position();
  }

  private byte[] head(long now) {
    RequestHead.Builder head = RequestHead.newBuilder().setMethodId(method.id()).setAttempt(attempt);
    if (deadline != Channel.NEVER) head.setTimeoutMs((int) Math.min(deadline - now, Integer.MAX_VALUE));
    if (key != null) head.setIdempotencyKey(ByteString.copyFrom(key));
    if (position != null) head.setAfterSequence(position.sequence()).setStoreEpoch(position.storeEpoch());
    if (method.isWatch()) head.setCreditAtOnce(true);
    for (Metadata entry : channel.known.stated(metadata)) {
      head.addMetadata(quiver.v1.Metadata.newBuilder().setKey(entry.key()).setValue(ByteString.copyFrom(entry.value())));
    }
    byte[] encoded = head.build().toByteArray();
    int length = encoded.length, count = length < 128 ? 1 : length < 16384 ? 2 : 3;
    byte[] made = new byte[count + length];
    for (int place = 0; place < count; place++) {
      made[place] = (byte) (length >> 7 * place & 127 | (place < count - 1 ? 128 : 0));
    }
    System.arraycopy(encoded, 0, made, count, length);
    return made;
  }

  /** Sends the call on its connection. */
  void place(long now) {
    if (hasEnded) return;
    if (deadline != Channel.NEVER && now >= deadline) {
      stop(StatusCode.DEADLINE_EXCEEDED, "the deadline passed before the call was sent");
      return;
    }
    isReplyBegun = false;
    isBetween = false;
    stream = new Attempt();
    stream.head = head(now);
    connection.start(stream, request, now);
    while (connection != null && !accepted.isEmpty()) send(accepted.remove());
    if (isFinished && !hasEnded && connection != null) connection.finish(stream);
    listener.onRoom();
  }

  private final class Attempt extends Core.Stream {
    Attempt() {
      super(method.requestStreams(), method.replyStreams(), method.isWatch());
    }

    @Override
    void onHeaders(List<Metadata> metadata) {
      initial = metadata;
      isReplyBegun = true;
    }

    @Override
    void onMessage(byte[] message, int charge) {
      isReplyBegun = true;
      unread++;
      listener.onMessage(message, charge);
    }

    @Override
    void onEnd(RpcException error, List<Metadata> metadata) {
      attemptEnded(this, error, metadata);
    }

    @Override
    void onRoom() {
      listener.onRoom();
    }
  }

  private void attemptEnded(Core.Stream attempt, RpcException error, List<Metadata> trailing) {
    if (hasEnded) return;
    connection = null;
    if (error == null) {
      channel.succeeded();
      channel.known.received(trailing);
    }
    if (method.isWatch() && canResume(error)) {
      isBetween = true;
      pendingEnd = error;
      if (unread == 0) resume();
      return;
    }
    if (error != null && !method.isWatch()) {
      long time = channel.resend(this, attempt, error);
      if (time >= 0) {
        // A request stream is sent again only if none of it was written: the attempt has its messages.
        attempt.outbox.addAll(accepted);
        accepted = attempt.outbox;
        waitUntil(time);
        return;
      }
    }
    if (error != null) channel.known.failed(error.metadata());
    end(error, trailing);
  }

  private boolean canResume(RpcException error) {
    if (error == null) return true;
    if (error.origin() == RpcException.Origin.CLIENT || error.retryAfterMillis() < 0) return false;
    return error.code() == StatusCode.UNAVAILABLE
        || error.code() == StatusCode.OUT_OF_RANGE && position != null
        || error.code() == StatusCode.RESOURCE_EXHAUSTED && error.retryAfterMillis() > 0;
  }

  private void resume() {
    isBetween = false;
    long wait;
    if (pendingEnd != null && pendingEnd.code() == StatusCode.OUT_OF_RANGE) {
      position = null;
      wait = 0;
    } else {
      double longest = Math.min(100 * Math.pow(2, Math.min(watchFailures++, 20)), 10_000);
      wait = (long) ThreadLocalRandom.current().nextDouble(longest / 2, longest);
      if (pendingEnd != null && pendingEnd.retryAfterMillis() > 0) wait = pendingEnd.retryAfterMillis();
    }
    waitUntil(Channel.now() + wait);
  }

  /** Has the call sent again at a time. */
  private void waitUntil(long time) {
    resendTimer = channel.at(time, () -> channel.wait(this));
  }

  /** The application has taken a message; `reached` is the position behind it, or null. */
  void took(int charge, CallOptions.Position reached) {
    unread--;
    watchFailures = 0;
    if (reached != null) {
      position = reached;
      channel.known.watched(reached);
    }
    if (connection != null && stream.replyStreams) connection.took(stream, charge);
    else if (isBetween && unread == 0 && !hasEnded) resume();
  }

  boolean hasRoom() {
    return connection != null && stream.outboxBytes < Core.STREAM_OUTPUT;
  }

  void send(byte[] message) {
    if (hasEnded) return;
    if (connection == null) {
      accepted.add(message);
    } else if (!connection.send(stream, message)) {
      stop(StatusCode.RESOURCE_EXHAUSTED, "a message is larger than the server takes");
    }
  }

  void finish() {
    isFinished = true;
    if (connection != null) connection.finish(stream);
  }

  /** Ends the call from this side, wherever it is. */
  void stop(StatusCode code, String text) {
    if (hasEnded) return;
    if (connection != null) connection.cancel(stream, code, text);
    else end(RpcException.of(code, text, RpcException.Origin.CLIENT, !mayHaveRun), List.of());
  }

  void end(RpcException error, List<Metadata> trailing) {
    if (hasEnded) return;
    hasEnded = true;
    connection = null;
    stream = null;
    accepted.clear();
    request = null;
    channel.ended(this);
    listener.onEnd(error != null && mayHaveRun ? error.processed() : error, initial, trailing);
  }
}
