package quiver;

import java.util.List;

/** A call that did not end OK. */
public final class RpcException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Which side ended a call. */
  public enum Origin {
    SERVER,
    CLIENT,
    CONNECTION
  }

  private final StatusCode code;
  private final transient List<Metadata> details;
  private final transient List<Metadata> metadata;
  private final boolean notProcessed;
  private final int retryAfterMillis;
  private final Origin origin;

  RpcException(
      StatusCode code, String message, List<Metadata> details, List<Metadata> metadata,
      boolean notProcessed, int retryAfterMillis, Origin origin) {
    super(message, null, false, true);
    this.code = code;
    this.details = details;
    this.metadata = metadata;
    this.notProcessed = notProcessed;
    this.retryAfterMillis = retryAfterMillis;
    this.origin = origin;
  }

  static RpcException of(StatusCode code, String message, Origin origin, boolean notProcessed) {
    return new RpcException(code, message, List.of(), List.of(), notProcessed, 0, origin);
  }

  static RpcException client(StatusCode code, String message) {
    return of(code, message, Origin.CLIENT, false);
  }

  /** The same without the promise that the call was not processed. */
  RpcException processed() {
    return notProcessed
        ? new RpcException(code, getMessage(), details, metadata, false, retryAfterMillis, origin)
        : this;
  }

  /** The status code; never OK. */
  public StatusCode code() {
    return code;
  }

  /** Messages for programs: full names and encoded messages. */
  public List<Metadata> details() {
    return details;
  }

  /** Trailing metadata. */
  public List<Metadata> metadata() {
    return metadata;
  }

  /** Whether the call certainly had no effect. */
  public boolean notProcessed() {
    return notProcessed;
  }

  /** The push-back of the server in milliseconds; -1: do not repeat the call; 0: none. */
  public int retryAfterMillis() {
    return retryAfterMillis;
  }

  /** Which side ended the call. */
  public Origin origin() {
    return origin;
  }

  @Override
  public String toString() {
    return code + ": " + getMessage();
  }
}
