package quiver;

/**
 * What a client is made with.
 *
 * @param server addresses separated by commas, tried in order; null: $QUIVER_SERVER, or 127.0.0.1:7450
 * @param token null: tokenFile
 * @param tokenFile read for each connection; null without a token: $QUIVER_TOKEN_FILE
 * @param trustedRoots PEM file; null: $QUIVER_CA, or the roots of the Java platform
 * @param serverName that the certificate must have; null: the host
 * @param allowPlaintextToken send the token to another machine without TLS
 * @param maxMessageBytes of a reply, at least 4096
 * @param timeoutMillis of a unary call without one of its own
 */
public record ClientOptions(
    String server, String token, String tokenFile, String trustedRoots, String serverName,
    boolean allowPlaintextToken, int maxMessageBytes, int timeoutMillis, int maxAttempts,
    int maxConnections, int maxCalls, int idleTimeoutMillis) {
  /** The defaults. */
  public static final ClientOptions DEFAULTS =
      new ClientOptions(null, null, null, null, null, false, 4 << 20, 30_000, 4, 4, 10_000, 300_000);

  public ClientOptions withServer(String value) {
    return new ClientOptions(value, token, tokenFile, trustedRoots, serverName, allowPlaintextToken,
        maxMessageBytes, timeoutMillis, maxAttempts, maxConnections, maxCalls, idleTimeoutMillis);
  }

  public ClientOptions withToken(String value) {
    return new ClientOptions(server, value, tokenFile, trustedRoots, serverName, allowPlaintextToken,
        maxMessageBytes, timeoutMillis, maxAttempts, maxConnections, maxCalls, idleTimeoutMillis);
  }

  public ClientOptions withTokenFile(String value) {
    return new ClientOptions(server, token, value, trustedRoots, serverName, allowPlaintextToken,
        maxMessageBytes, timeoutMillis, maxAttempts, maxConnections, maxCalls, idleTimeoutMillis);
  }

  public ClientOptions withTrustedRoots(String value) {
    return new ClientOptions(server, token, tokenFile, value, serverName, allowPlaintextToken,
        maxMessageBytes, timeoutMillis, maxAttempts, maxConnections, maxCalls, idleTimeoutMillis);
  }
}
