package quiver;

import java.time.Duration;
import java.util.List;

/**
 * What goes with one call.
 *
 * @param timeout null: the client's default for a unary call, none for a stream
 * @param metadata sent with the request
 * @param key an idempotency key of 16 bytes; null: a random one where the method changes data
 * @param waitForReady wait for a connection instead of failing while none can be made
 * @param position where a watch continues; null: it begins with a snapshot
 */
public record CallOptions(
    Duration timeout, List<Metadata> metadata, byte[] key, boolean waitForReady, Position position) {
  /** The defaults. */
  public static final CallOptions NONE = new CallOptions(null, List.of(), null, false, null);

  /**
   * Where a watch continues.
   *
   * @param sequence of the last change that was received
   * @param storeEpoch of the store that numbers it
   */
  public record Position(long sequence, long storeEpoch) {}

  /**
   * With a deadline.
   *
   * @param value from the start of the call; null: the default
   * @return changed options
   */
  public CallOptions withTimeout(Duration value) {
    return new CallOptions(value, metadata, key, waitForReady, position);
  }

  /**
   * With metadata.
   *
   * @param value at most 64 entries and 8,192 bytes
   * @return changed options
   */
  public CallOptions withMetadata(List<Metadata> value) {
    return new CallOptions(timeout, List.copyOf(value), key, waitForReady, position);
  }

  /**
   * With an idempotency key, so that a call may be made again.
   *
   * @param value 16 bytes
   * @return changed options
   */
  public CallOptions withKey(byte[] value) {
    return new CallOptions(timeout, metadata, value.clone(), waitForReady, position);
  }

  /**
   * Waiting for a connection, until the deadline.
   *
   * @return changed options
   */
  public CallOptions waitingForReady() {
    return new CallOptions(timeout, metadata, key, true, position);
  }

  /**
   * With the position at which a watch continues.
   *
   * @param value null: the watch begins with a snapshot
   * @return changed options
   */
  public CallOptions withPosition(Position value) {
    return new CallOptions(timeout, metadata, key, waitForReady, value);
  }
}
