package quiver;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLContext;

/**
 * A client of a Quiver server. It connects when it is called, and may be used by any thread.
 *
 * <p>The services are {@link Services}: {@code client.equipment().createRiser(request)}.
 */
public final class Client extends Services implements AutoCloseable {
  final Channel channel;

  private Client(Channel channel) {
    this.channel = channel;
  }

  /**
   * {@return a client with the options of the environment (QUIVER_SERVER, QUIVER_TOKEN_FILE, QUIVER_CA), or else of
   * the context that {@code quiver login} stored}
   */
  public static Client connect() {
    return connect(ClientOptions.DEFAULTS);
  }

  /**
   * Makes a client.
   *
   * @param options what it is made with
   * @return the client
   * @throws IllegalArgumentException where an option is wrong
   */
  public static Client connect(ClientOptions options) {
    Login login = Login.find(options, System::getenv);
    List<Address> addresses = new ArrayList<>();
    for (String one : login.server().split(",")) addresses.add(Address.parse(one.strip()));
    options = options.withTokenFile(login.tokenFile()).withTrustedRoots(login.authorities())
        .withServerName(login.serverName()).withCertificate(login.certificate(), login.privateKey());
    if (options.maxMessageBytes() < 4096) throw new IllegalArgumentException("maxMessageBytes is at least 4096");
    boolean hasToken = options.tokenFile() != null || (options.token() != null && !options.token().isBlank());
    boolean hasTls = false;
    for (Address address : addresses) {
      hasTls |= address.isTls();
      if (hasToken && !address.isTls() && !address.isLocal() && !options.allowPlaintextToken()) {
        throw new IllegalArgumentException("the token would be sent to " + address + " unencrypted: use tls://");
      }
    }
    try {
      return new Client(new Channel(options, addresses, hasTls ? context(options) : null));
    } catch (IOException | GeneralSecurityException error) {
      throw new IllegalArgumentException(error.toString(), error);
    }
  }

  private static SSLContext context(ClientOptions options) throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(Pem.showing(options.certificate(), options.privateKey()), Pem.trusting(options.trustedRoots()), null);
    return context;
  }

  /** Ends all calls and connections. */
  @Override
  public void close() {
    channel.close();
  }

  /** Makes a unary call; cancelling the future cancels the call. It fails with RpcException. */
  public <Q extends MessageLite, R extends MessageLite> CompletableFuture<Reply<R>> callAsync(
      Method<Q, R> method, Q request, CallOptions options) {
    CompletableFuture<Reply<R>> future = new CompletableFuture<>();
    Call call;
    try {
      call = new Call(channel, method, options, request.toByteArray(), new Call.Listener() {
        private byte[] reply = new byte[0];

        @Override
        public void onMessage(byte[] message, int charge) {
          reply = message;
        }

        @Override
        public void onEnd(RpcException error, List<Metadata> initial, List<Metadata> trailing) {
          if (error != null) {
            future.completeExceptionally(error);
            return;
          }
          byte[] encoded = reply;
          reply = null;
          try {
            if (!WireCheck.passes(encoded, method.parser())) throw new InvalidProtocolBufferException("section 4.1");
            future.complete(new Reply<>(method.parser().parseFrom(encoded), initial, trailing));
          } catch (InvalidProtocolBufferException fault) {
            future.completeExceptionally(RpcException.client(StatusCode.INTERNAL, "the reply does not decode"));
          }
        }

        @Override
        public void onRoom() {}
      });
    } catch (RpcException error) {
      return CompletableFuture.failedFuture(error);
    }
    channel.submit(() -> channel.start(call));
    future.whenComplete((reply, error) -> {
      if (error instanceof CancellationException) {
        channel.submit(() -> call.stop(StatusCode.CANCELLED, "the call was cancelled"));
      }
    });
    return future;
  }

  /** Makes a unary call and waits for its reply. */
  public <Q extends MessageLite, R extends MessageLite> Reply<R> call(
      Method<Q, R> method, Q request, CallOptions options) {
    try {
      return callAsync(method, request, options).join();
    } catch (CompletionException error) {
      if (error.getCause() instanceof RpcException mine) throw mine.atCaller();
      throw error;
    }
  }

  /** Starts a server-streaming call, or a watch. */
  public <Q extends MessageLite, R extends MessageLite> ReplyStream<R> stream(
      Method<Q, R> method, Q request, CallOptions options) {
    return new ReplyStream<>(channel, method, options, request.toByteArray());
  }

  /** Starts a call whose request is a stream. */
  public <Q extends MessageLite, R extends MessageLite> StreamingCall<Q, R> open(
      Method<Q, R> method, CallOptions options) {
    return new StreamingCall<>(channel, method, options);
  }
}
