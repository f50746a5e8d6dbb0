package quiver;

import java.util.List;

/** A call that did not end OK. */
public final class RpcException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Which side ended a call. */
  public enum Origin {
    /** The server sent a status. */
    SERVER,
    /** This client: a deadline, a cancellation, or what it refuses. */
    CLIENT,
    /** The connection was not made, or was lost. */
    CONNECTION
  }

  /** Never OK. */
  private final StatusCode code;
  private final transient List<Metadata> details;
  private final transient List<Metadata> metadata;
  /** Whether the call certainly had no effect. */
  private final boolean notProcessed;
  /** The push-back of the server. */
  private final int retryAfterMillis;
  /** Which side ended the call. */
  private final Origin origin;

  RpcException(
      StatusCode code, String message, List<Metadata> details, List<Metadata> metadata,
      boolean notProcessed, int retryAfterMillis, Origin origin) {
    this(code, message, details, metadata, notProcessed, retryAfterMillis, origin, null);
  }

  private RpcException(
      StatusCode code, String message, List<Metadata> details, List<Metadata> metadata,
      boolean notProcessed, int retryAfterMillis, Origin origin, Throwable cause) {
    super(message, cause, false, true);
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

  /** The same with the stack of the thread that waits for the call; its cause is this one. */
  RpcException atCaller() {
    return new RpcException(
        code, getMessage(), details, metadata, notProcessed, retryAfterMillis, origin, this);
  }

  /** {@return the status code; never OK} */
  public StatusCode code() {
    return code;
  }

  /** {@return messages for programs: full names and encoded messages} */
  public List<Metadata> details() {
    return details;
  }

  /** {@return trailing metadata} */
  public List<Metadata> metadata() {
    return metadata;
  }

  /** {@return whether the call certainly had no effect} */
  public boolean notProcessed() {
    return notProcessed;
  }

  /** {@return the push-back of the server in milliseconds; -1: do not repeat the call; 0: none} */
  public int retryAfterMillis() {
    return retryAfterMillis;
  }

  /** {@return which side ended the call} */
  public Origin origin() {
    return origin;
  }

  @Override
  public String toString() {
    return code + ": " + getMessage();
  }
}
