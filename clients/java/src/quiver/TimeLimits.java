package quiver;

/**
 * When a connection is given up, or a call on it; milliseconds.
 *
 * @param keepalive without input while calls are open: PING
 * @param keepaliveTimeout of the answer to a PING
 * @param frame until a frame is complete
 * @param message that an incomplete message may receive nothing
 * @param hello until the server's HELLO
 * @param output that output may make no progress
 */
public record TimeLimits(
    int keepalive, int keepaliveTimeout, int frame, int message, int hello, int output) {
  /** The defaults. */
  public static final TimeLimits DEFAULTS =
      new TimeLimits(20_000, 10_000, 30_000, 60_000, 10_000, 10_000);
}
