package quiver;

/**
 * What a client is made with.
 *
 * @param server addresses separated by commas, tried in order; null: that of context, $QUIVER_SERVER, that of the
 *     selected context, or 127.0.0.1:7450
 * @param context of quiver login, which comes before the environment; null: $QUIVER_CONTEXT, or the selected one
 * @param token null: tokenFile
 * @param tokenFile read for each connection; null without a token: $QUIVER_TOKEN_FILE, or that of a context for
 *     this server
 * @param trustedRoots PEM file; null: $QUIVER_CA, that of the context, or the roots of the Java platform
 * @param serverName that the certificate must have; null: the host
 * @param certificate of this client, a PEM file with the certificates that lead to the root; null: none
 * @param privateKey of the certificate, a PEM file without a password: PKCS#8, or "EC PRIVATE KEY"
 * @param allowPlaintextToken send the token to another machine without TLS
 * @param maxMessageBytes of a reply, at least 4096
 * @param timeoutMillis of a unary call without one of its own
 * @param maxAttempts of a call, at least 1
 * @param maxConnections open at a time
 * @param maxCalls open at a time
 * @param idleTimeoutMillis of a connection without calls
 * @param timeLimits of connections
 */
public record ClientOptions(
    String server, String context, String token, String tokenFile, String trustedRoots, String serverName,
    String certificate, String privateKey, boolean allowPlaintextToken, int maxMessageBytes,
    int timeoutMillis, int maxAttempts, int maxConnections, int maxCalls, int idleTimeoutMillis,
    TimeLimits timeLimits) {
  /** The defaults. */
  public static final ClientOptions DEFAULTS =
      new ClientOptions(null, null, null, null, null, null, null, null, false, 4 << 20, 30_000, 4, 4, 10_000,
          300_000, TimeLimits.DEFAULTS);

  private ClientOptions with(
      String server, String context, String token, String tokenFile, String trustedRoots, String serverName,
      String certificate, String privateKey, TimeLimits timeLimits) {
    return new ClientOptions(server, context, token, tokenFile, trustedRoots, serverName, certificate, privateKey,
        allowPlaintextToken, maxMessageBytes, timeoutMillis, maxAttempts, maxConnections, maxCalls,
        idleTimeoutMillis, timeLimits);
  }

  /**
   * With a server.
   *
   * @param value addresses separated by commas, tried in order
   * @return changed options
   */
  public ClientOptions withServer(String value) {
    return with(value, context, token, tokenFile, trustedRoots, serverName, certificate, privateKey, timeLimits);
  }

  /**
   * With a context of {@code quiver login}: its server, its token and its certificates.
   *
   * @param value its name; null: that of the environment, or the selected one
   * @return changed options
   */
  public ClientOptions withContext(String value) {
    return with(server, value, token, tokenFile, trustedRoots, serverName, certificate, privateKey, timeLimits);
  }

  /**
   * With a token.
   *
   * @param value null: the token file
   * @return changed options
   */
  public ClientOptions withToken(String value) {
    return with(server, context, value, tokenFile, trustedRoots, serverName, certificate, privateKey, timeLimits);
  }

  /**
   * With a token file.
   *
   * @param value read for each connection
   * @return changed options
   */
  public ClientOptions withTokenFile(String value) {
    return with(server, context, token, value, trustedRoots, serverName, certificate, privateKey, timeLimits);
  }

  /**
   * With other trusted roots.
   *
   * @param value a PEM file; null: the default
   * @return changed options
   */
  public ClientOptions withTrustedRoots(String value) {
    return with(server, context, token, tokenFile, value, serverName, certificate, privateKey, timeLimits);
  }

  /**
   * With the name that the server's certificate must have.
   *
   * @param value null: the host
   * @return changed options
   */
  public ClientOptions withServerName(String value) {
    return with(server, context, token, tokenFile, trustedRoots, value, certificate, privateKey, timeLimits);
  }

  /**
   * With a certificate for servers that ask for one.
   *
   * @param file PEM, with the certificates that lead to the root
   * @param keyFile PEM without a password
   * @return changed options
   */
  public ClientOptions withCertificate(String file, String keyFile) {
    return with(server, context, token, tokenFile, trustedRoots, serverName, file, keyFile, timeLimits);
  }

  /**
   * With other time limits of connections.
   *
   * @param value all of them
   * @return changed options
   */
  public ClientOptions withTimeLimits(TimeLimits value) {
    return with(server, context, token, tokenFile, trustedRoots, serverName, certificate, privateKey, value);
  }
}
