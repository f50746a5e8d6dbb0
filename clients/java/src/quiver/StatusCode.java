package quiver;

/** The status codes of gRPC. */
public enum StatusCode {
  /** The call succeeded. */
  OK,
  /** The caller, the client or the server ended the call. */
  CANCELLED,
  /** A code that this client does not know. */
  UNKNOWN,
  /** The request is wrong, whatever the state of the server. */
  INVALID_ARGUMENT,
  /** The deadline passed; the call may have had its effect. */
  DEADLINE_EXCEEDED,
  /** What the request names does not exist, or is not shown to the caller. */
  NOT_FOUND,
  /** What the request makes exists. */
  ALREADY_EXISTS,
  /** The caller may not do that. */
  PERMISSION_DENIED,
  /** A limit is reached; see retryAfterMillis. */
  RESOURCE_EXHAUSTED,
  /** The state of the server does not allow it. */
  FAILED_PRECONDITION,
  /** Another change came first: read again. */
  ABORTED,
  /** A position or page that does not exist any more. */
  OUT_OF_RANGE,
  /** The server does not have the method. */
  UNIMPLEMENTED,
  /** A fault of the server, or a reply that does not decode. */
  INTERNAL,
  /** The server is not reached, or cannot answer now. */
  UNAVAILABLE,
  /** Stored data is damaged. */
  DATA_LOSS,
  /** The token or certificate is not accepted. */
  UNAUTHENTICATED;

  /**
   * Reads a number.
   *
   * @param number of the wire
   * @return the code; UNKNOWN for any other number
   */
  public static StatusCode of(int number) {
    return number >= 0 && number <= 16 ? values()[number] : UNKNOWN;
  }
}
