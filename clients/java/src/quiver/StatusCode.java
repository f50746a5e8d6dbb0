package quiver;

/** The status codes of gRPC. */
public enum StatusCode {
  OK,
  CANCELLED,
  UNKNOWN,
  INVALID_ARGUMENT,
  DEADLINE_EXCEEDED,
  NOT_FOUND,
  ALREADY_EXISTS,
  PERMISSION_DENIED,
  RESOURCE_EXHAUSTED,
  FAILED_PRECONDITION,
  ABORTED,
  OUT_OF_RANGE,
  UNIMPLEMENTED,
  INTERNAL,
  UNAVAILABLE,
  DATA_LOSS,
  UNAUTHENTICATED;

  /** The code with a number; any other number is UNKNOWN. */
  public static StatusCode of(int number) {
    return number >= 0 && number <= 16 ? values()[number] : UNKNOWN;
  }
}
