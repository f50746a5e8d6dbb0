package quiver;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import quiver.v1.DelayRequest;
import quiver.v1.EchoMessage;
import quiver.v1.GetRiserRequest;
import quiver.v1.SinkResponse;
import quiver.v1.SourceRequest;

/** What a client does at its edges: ClientTest SERVER TOKEN_FILE CERTIFICATES LOGINS, of a quiverd --diagnostics. */
public final class ClientTest {
  private static final int MESSAGES = 5, PATIENCE = 60;
  private static int failures;
  private static ClientOptions options;

  private interface Test {
    void run() throws Exception;
  }

  private static void expect(boolean condition, String what) {
    if (condition) return;
    System.err.println("not so: " + what);
    failures++;
  }

  private static void run(String name, Test test) {
    try {
      test.run();
    } catch (Exception | LinkageError error) {
      expect(false, name + ": " + error);
    }
  }

  /** How a future ends; null: with a reply. */
  private static RpcException failure(CompletableFuture<?> future) throws Exception {
    try {
      future.get(PATIENCE, TimeUnit.SECONDS);
      return null;
    } catch (ExecutionException error) {
      Throwable cause = error.getCause();
      return (RpcException) (cause instanceof CompletionException ? cause.getCause() : cause);
    }
  }

  private static CompletableFuture<EchoMessage> echo(Client client, int number, CallOptions with) {
    return client.diagnostics().echoFuture(EchoMessage.newBuilder().setNumber(number).build(), with);
  }

  private static CompletableFuture<EchoMessage> delay(Client client) {
    return client.diagnostics().delayFuture(DelayRequest.newBuilder().setDelayMs(60_000).build(), CallOptions.NONE)
        .thenApply(reply -> EchoMessage.getDefaultInstance());
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Each turn has a client of its own, whose first connection is refused at another moment. */
  private static void requestStreamsMoveWhole() throws Exception {
    for (int turn = 0; turn < 40; turn++) {
      String servers = "localhost:" + closedPort() + "," + options.server();
      try (Client client = Client.connect(options.withServer(servers));
          StreamingCall<EchoMessage, SinkResponse> sink = client.diagnostics().sink()) {
        for (int number = 0; number < MESSAGES; number++) {
          sink.send(EchoMessage.newBuilder().setPayload(ByteString.copyFrom(new byte[1000])).build());
        }
        SinkResponse counts = sink.reply();
        expect(counts.getMessageCount() == MESSAGES && counts.getPayloadBytes() == 1000 * MESSAGES,
            "all messages reach the second server, not " + counts.getMessageCount());
      }
    }
  }

  /** What is accepted while a call has no connection is not lost. */
  private static void messagesWithoutAConnectionAreKept() throws Exception {
    try (Client client = Client.connect(options)) {
      CompletableFuture<StreamingCall<EchoMessage, SinkResponse>> opened = new CompletableFuture<>();
      byte[] message = EchoMessage.newBuilder().setPayload(ByteString.copyFrom(new byte[10])).build().toByteArray();
      client.channel.submit(() -> {
        StreamingCall<EchoMessage, SinkResponse> sink = client.diagnostics().sink();
        // In the turn in which the call starts, and before it is placed on a connection.
        client.channel.submit(() -> {
          sink.call.send(message);
          sink.call.send(message);
          opened.complete(sink);
        });
      });
      long count = opened.get(PATIENCE, TimeUnit.SECONDS).reply().getMessageCount();
      expect(count == 2, "messages of a call without a connection are kept, not " + count);
    }
  }

  private static void endedCallsLeaveNoTimer() throws Exception {
    try (Client client = Client.connect(options)) {
      CallOptions hour = CallOptions.NONE.withTimeout(Duration.ofHours(1));
      for (int round = 0; round < 10; round++) {
        List<CompletableFuture<EchoMessage>> calls = new ArrayList<>();
        for (int number = 0; number < 1000; number++) calls.add(echo(client, number, hour));
        for (CompletableFuture<EchoMessage> call : calls) call.get(PATIENCE, TimeUnit.SECONDS);
      }
      CompletableFuture<Integer> count = new CompletableFuture<>();
      client.channel.submit(() -> count.complete(client.channel.timers.size()));
      int left = count.get(PATIENCE, TimeUnit.SECONDS);
      expect(left < 100, "10,000 ended calls leave few timers, not " + left);
    }
  }

  private static void aClosedClientEndsCalls() throws Exception {
    Client client = Client.connect(options);
    echo(client, 1, CallOptions.NONE).get(PATIENCE, TimeUnit.SECONDS);
    client.close();
    RpcException error = failure(echo(client, 1, CallOptions.NONE));
    expect(error != null && error.code() == StatusCode.CANCELLED, "a call of a closed client is CANCELLED");
    for (int turn = 0; turn < 50; turn++) {
      Client racing = Client.connect(options);
      echo(racing, 1, CallOptions.NONE).get(PATIENCE, TimeUnit.SECONDS);
      List<CompletableFuture<EchoMessage>> calls = new ArrayList<>();
      Thread caller = new Thread(() -> {
        for (int number = 0; number < 200; number++) calls.add(echo(racing, number, CallOptions.NONE));
      });
      caller.start();
      racing.close();
      caller.join();
      for (CompletableFuture<EchoMessage> call : calls) {
        RpcException end = failure(call);
        expect(end == null || end.code() == StatusCode.CANCELLED, "a call during close ends, not " + end);
      }
    }
  }

  private static void anErrorOfOneTurnEndsItsCallsAndLeavesTheClient() throws Exception {
    try (Client client = Client.connect(options)) {
      echo(client, 1, CallOptions.NONE).get(PATIENCE, TimeUnit.SECONDS);
      CompletableFuture<EchoMessage> pending = delay(client);
      client.channel.submit(() -> {
        throw new StackOverflowError("the test");
      });
      RpcException error = failure(pending);
      expect(error != null && error.code() == StatusCode.INTERNAL, "an Error ends the calls INTERNAL, not " + error);
      expect(failure(echo(client, 2, CallOptions.NONE)) == null, "the client goes on after an Error");
    }
  }

  private static boolean names(Throwable error, String method) {
    for (StackTraceElement frame : error.getStackTrace()) {
      if (frame.getClassName().equals("quiver.ClientTest") && frame.getMethodName().equals(method)) return true;
    }
    return false;
  }

  /** The stack of what a blocking call throws begins at the line that made it, not in the client's thread. */
  private static void blockingCallsShowTheirCaller() throws Exception {
    try (Client client = Client.connect(options)) {
      try {
        client.equipment().getRiser(GetRiserRequest.newBuilder().setId(999_999_999).build());
        expect(false, "an id that does not exist is an error");
      } catch (RpcException error) {
        expect(names(error, "blockingCallsShowTheirCaller"), "a unary call shows its caller, not " + error.getStackTrace()[0]);
        expect(error.code() == StatusCode.NOT_FOUND && error.getCause() instanceof RpcException, "the error keeps what it is");
      }
      SourceRequest many = SourceRequest.newBuilder().setCount(1_000_000).build();
      try (ReplyStream<EchoMessage> source = client.diagnostics().source(many)) {
        source.cancel();
        for (EchoMessage ignored : source) continue;
        expect(false, "a cancelled stream is an error");
      } catch (RpcException error) {
        expect(names(error, "blockingCallsShowTheirCaller"), "a stream shows its caller");
      }
      try (StreamingCall<EchoMessage, EchoMessage> talk = client.diagnostics().echoStream()) {
        talk.cancel();
        talk.next();
        expect(false, "a cancelled call is an error");
      } catch (RpcException error) {
        expect(names(error, "blockingCallsShowTheirCaller"), "a cancelled stream shows its caller");
      }
    }
  }

  private static void streamIdsEnd() throws Exception {
    try (Client client = Client.connect(options)) {
      echo(client, 1, CallOptions.NONE).get(PATIENCE, TimeUnit.SECONDS);
      client.channel.submit(() -> client.channel.connections.get(0).core.nextId = Integer.MAX_VALUE - 4);
      // Calls with a request stream, which are not sent again after a failure.
      for (int number = 0; number < 10; number++) {
        try (StreamingCall<EchoMessage, EchoMessage> talk = client.diagnostics().echoStream()) {
          talk.send(EchoMessage.newBuilder().setNumber(number).build());
          expect(talk.next().getNumber() == number, "a call near the last stream id");
        }
      }
    }
  }

  private static boolean isLocal(String address) {
    return Address.parse(address).isLocal();
  }

  private static void onlyAddressesOfThisMachineAreLocal() throws Exception {
    for (String one : new String[] {"127.0.0.1:1", "127.9.8.7:1", "[::1]:1", "[0:0:0:0:0:0:0:1]:1", "localhost:1", "unix:/a"}) {
      expect(isLocal(one), one + " is local");
    }
    for (String one : new String[] {"127.evil.example:1", "127.0.0.1.evil.example:1", "127.0.0.1.2:1", "127.0.0.999:1",
        "127.:1", "[::2]:1", "192.0.2.1:1", "localhost.evil.example:1"}) {
      expect(!isLocal(one), one + " is not local");
    }
    InetAddress here = InetAddress.getByName("127.0.0.1"), other = InetAddress.getByName("192.0.2.1");
    expect(Address.loopback(List.of(other, here)).equals(List.of(here)), "localhost is this machine only");
    try {
      Address.loopback(List.of(other));
      expect(false, "a localhost on another machine is refused");
    } catch (UnknownHostException error) {
      expect(error.getMessage().contains("localhost"), "the reason names localhost");
    }
  }

  /**
   * A TLS server that sends records without data once it has shaken hands.
   *
   * <p>TLS libraries do not send many of them. The handshake is that of "openssl s_server", which writes
   * the secret of its keys to a file; the records are made here.
   */
  private static final class EmptyRecords implements AutoCloseable {
    private static final int RECORDS = 20_000, RECORD = 24;
    private static final Pattern SECRET = Pattern.compile("SERVER_TRAFFIC_SECRET_0 \\w+ (\\w{64})\\n");
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int behind = closedPort();
    private final Path secrets = Files.createTempFile("quiver", "secrets");
    private final Process openssl;

    EmptyRecords(String folder) throws IOException {
      openssl = new ProcessBuilder(
          "openssl", "s_server", "-accept", "127.0.0.1:" + behind, "-tls1_3", "-alpn", "quiver/1", "-num_tickets", "0",
          "-ciphersuites", "TLS_AES_128_GCM_SHA256", "-keylogfile", secrets.toString(),
          "-cert", folder + "/server.pem", "-key", folder + "/server.key", "-quiet")
          .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
      Thread thread = new Thread(this::serve);
      thread.setDaemon(true);
      thread.start();
    }

    int port() {
      return listener.getLocalPort();
    }

    private void serve() {
      while (!listener.isClosed()) {
        try (Socket socket = listener.accept(); Socket server = connect()) {
          String before = Files.readString(secrets);
          CompletableFuture<Boolean> isFinished = new CompletableFuture<>();
          start(() -> copyRecords(socket, server, isFinished));
          start(() -> server.getInputStream().transferTo(socket.getOutputStream()));
          if (isFinished.join()) socket.getOutputStream().write(records(secret(before)));
          while (!socket.isInputShutdown()) Thread.sleep(20);
        } catch (IOException | GeneralSecurityException | InterruptedException error) {
          // The client has ended the connection.
        }
      }
    }

    private Socket connect() throws IOException, InterruptedException {
      while (true) {
        try {
          return new Socket(InetAddress.getLoopbackAddress(), behind);
        } catch (IOException error) {
          if (!openssl.isAlive()) throw error;
          Thread.sleep(20);
        }
      }
    }

    private static void start(Test body) {
      Thread thread = new Thread(() -> {
        try {
          body.run();
        } catch (Exception error) {
          // Either side has ended.
        }
      });
      thread.setDaemon(true);
      thread.start();
    }

    /** Copies what the client sends; its first encrypted record says that it has the server's handshake. */
    private static void copyRecords(Socket from, Socket to, CompletableFuture<Boolean> isFinished) throws IOException {
      try {
        DataInputStream input = new DataInputStream(from.getInputStream());
        while (true) {
          byte[] header = input.readNBytes(5);
          if (header.length < 5) return;
          byte[] body = input.readNBytes((header[3] & 255) << 8 | header[4] & 255);
          to.getOutputStream().write(header);
          to.getOutputStream().write(body);
          if (header[0] == 23) isFinished.complete(true);
        }
      } finally {
        isFinished.complete(false);
        from.shutdownInput();
      }
    }

    /** The secret of what the server sends after the handshake of the latest connection. */
    private byte[] secret(String before) throws IOException, InterruptedException {
      while (true) {
        Matcher matcher = SECRET.matcher(Files.readString(secrets));
        if (matcher.find(before.length())) return HexFormat.of().parseHex(matcher.group(1));
        Thread.sleep(5);
      }
    }

    /** HKDF-Expand-Label of RFC 8446, section 7.1. */
    private static byte[] expand(byte[] secret, String label, int count) throws GeneralSecurityException {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      byte[] full = ("tls13 " + label).getBytes(StandardCharsets.US_ASCII);
      mac.update(new byte[] {0, (byte) count, (byte) full.length});
      mac.update(full);
      return Arrays.copyOf(mac.doFinal(new byte[] {0, 1}), count);
    }

    private static byte[] records(byte[] secret) throws GeneralSecurityException {
      SecretKeySpec key = new SecretKeySpec(expand(secret, "key", 16), "AES");
      byte[] salt = expand(secret, "iv", 12), header = {23, 3, 3, 0, RECORD - 5};
      ByteBuffer made = ByteBuffer.allocate(RECORDS * RECORD);
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      for (int number = 0; number < RECORDS; number++) {
        byte[] nonce = salt.clone();
        for (int place = 0; place < 4; place++) nonce[11 - place] ^= (byte) (number >> 8 * place);
        cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, nonce));
        cipher.updateAAD(header);
        // A warning, which the Java platform ignores, and its type.
        made.put(header).put(cipher.doFinal(new byte[] {1, 90, 21}));
      }
      return made.array();
    }

    @Override
    public void close() throws IOException {
      listener.close();
      openssl.destroy();
      Files.delete(secrets);
    }
  }

  private static void emptyRecordsEndTheConnection(String certificates) throws Exception {
    try (EmptyRecords server = new EmptyRecords(certificates);
        Client client = Client.connect(options.withServer("tls://127.0.0.1:" + server.port())
            .withTrustedRoots(certificates + "/ca.pem"))) {
      RpcException error = failure(echo(client, 1, CallOptions.NONE));
      expect(error != null && error.getMessage().contains("empty"), "empty TLS records end the connection, not: " + error);
    }
  }

  /** A type with an object in a field of a number, which the checks of section 4.1 take at most once. */
  private static boolean passesTwice(int number, int fields) throws Exception {
    DescriptorProto.Builder type = DescriptorProto.newBuilder().setName("Nested");
    for (int other = 1; other < fields; other++) {
      type.addField(FieldDescriptorProto.newBuilder().setName("number" + other).setNumber(other)
          .setType(FieldDescriptorProto.Type.TYPE_INT32).setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL));
    }
    type.addField(FieldDescriptorProto.newBuilder().setName("object").setNumber(number).setTypeName("Nested")
        .setType(FieldDescriptorProto.Type.TYPE_MESSAGE).setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL));
    Descriptor descriptor = FileDescriptor.buildFrom(
        FileDescriptorProto.newBuilder().setName("nested.proto").setSyntax("proto3").addMessageType(type).build(),
        new FileDescriptor[0]).findMessageTypeByName("Nested");
    DynamicMessage empty = DynamicMessage.getDefaultInstance(descriptor);
    byte[] once = DynamicMessage.newBuilder(descriptor).setField(descriptor.findFieldByName("object"), empty).build().toByteArray();
    expect(WireCheck.passes(once, empty.getParserForType()), "an object in field " + number + " passes");
    byte[] twice = Arrays.copyOf(once, 2 * once.length);
    System.arraycopy(once, 0, twice, once.length, once.length);
    return WireCheck.passes(twice, empty.getParserForType());
  }

  private static void aSingularObjectOccursOnce() throws Exception {
    for (int number : new int[] {1, 63, 64, 65, 1_000, 536_870_911}) {
      expect(!passesTwice(number, 1), "an object twice in field " + number + " is refused");
    }
    expect(!passesTwice(1_000, 100), "an object twice behind 99 other fields is refused");
  }

  private static final String[] VARIABLES = {"QUIVER_SERVER", "QUIVER_CONTEXT", "QUIVER_TOKEN_FILE", "QUIVER_CA"};

  /** The cases of all clients, about the contexts beside them. */
  private static void theServerAndTheTokenAreThoseOfOptionsEnvironmentOrContext(Path logins) throws Exception {
    int count = 0;
    for (String line : Files.readAllLines(logins.resolve("cases.txt"))) {
      if (line.isEmpty() || line.startsWith("#")) continue;
      String[] columns = line.split("\t");
      for (int place = 0; place < columns.length; place++) if (columns[place].equals("-")) columns[place] = null;
      Map<String, String> environment = new HashMap<>();
      environment.put("XDG_CONFIG_HOME", logins.toString());
      for (int place = 0; place < VARIABLES.length; place++) environment.put(VARIABLES[place], columns[3 + place]);
      ClientOptions given = ClientOptions.DEFAULTS.withServer(columns[0]).withContext(columns[1])
          .withTokenFile(columns[2]);
      count++;
      try {
        Login found = Login.find(given, environment::get);
        expect(Objects.equals(found.server(), columns[7]) && Objects.equals(found.tokenFile(), columns[8])
            && Objects.equals(found.authorities(), columns[9]), line + ": " + found);
      } catch (IllegalArgumentException error) {
        expect("!".equals(columns[7]) && error.getMessage().contains(columns[8]), line + ": " + error.getMessage());
      }
    }
    expect(count > 15, "there are cases");
    Map<String, String> environment = Map.of("XDG_CONFIG_HOME", logins.toString());
    Login away = Login.find(ClientOptions.DEFAULTS.withContext("away"), environment::get);
    expect("/own.pem".equals(away.certificate()) && "/own.key".equals(away.privateKey()), "a certificate of a context");
    expect("archery.example".equals(away.serverName()), "the name of a server of a context");
  }

  private static void aFileWithoutContextsIsRefused(Path logins) throws Exception {
    Path home = Files.createTempDirectory("quiver-login");
    Path file = Files.createDirectories(home.resolve(".config/quiver")).resolve("contexts.json");
    Map<String, String> environment = Map.of("HOME", home.toString());
    expect(Login.find(ClientOptions.DEFAULTS, environment::get).server().equals("127.0.0.1:7450"), "no file");
    String good = Files.readString(logins.resolve("quiver/contexts.json")).strip();
    List<String> texts = new ArrayList<>(List.of(
        "[]", "null", "{\"named\":[]}", "{\"named\":{\"a\":{}}}", "{\"named\":{\"a\":3}}",
        "{\"named\":{\"a\":{\"server\":1,\"tokenFile\":\"x\"}}}", "{\"current\":7,\"named\":{}}",
        "{\"named\":{\"a\":{\"server\":\"x\"}}}", "{\"named\":{}} x", "{\"x\":01,\"named\":{}}",
        "{\"x\":\"\\u12\",\"named\":{}}", "{\"x\":\"\\q\",\"named\":{}}", "[".repeat(5_000),
        " ".repeat(Login.LARGEST_FILE) + good));
    for (int end = 0; end < good.length(); end += 7) texts.add(good.substring(0, end));
    for (String text : texts) {
      Files.writeString(file, text);
      try {
        Login.find(ClientOptions.DEFAULTS, environment::get);
        expect(false, "refused: " + text.substring(0, Math.min(40, text.length())));
      } catch (IllegalArgumentException error) {
        expect(error.getMessage().contains("does not contain contexts"), error.getMessage());
      }
      Login.find(options, environment::get);
    }
    Files.write(file, new byte[] {'{', '"', (byte) 0xFF, '"', ':', '1', '}'});
    try {
      Login.find(ClientOptions.DEFAULTS, environment::get);
      expect(false, "bytes that are no UTF-8 are refused");
    } catch (IllegalArgumentException error) {
      expect(error.getMessage().contains("does not contain contexts"), error.getMessage());
    }
    Files.delete(file);
  }

  public static void main(String[] words) {
    options = ClientOptions.DEFAULTS.withServer(words[0]).withTokenFile(words[1]);
    run("request streams move whole", ClientTest::requestStreamsMoveWhole);
    run("messages without a connection are kept", ClientTest::messagesWithoutAConnectionAreKept);
    run("ended calls leave no timer", ClientTest::endedCallsLeaveNoTimer);
    run("a closed client ends calls", ClientTest::aClosedClientEndsCalls);
    run("an Error leaves the client", ClientTest::anErrorOfOneTurnEndsItsCallsAndLeavesTheClient);
    run("blocking calls show their caller", ClientTest::blockingCallsShowTheirCaller);
    run("stream ids end", ClientTest::streamIdsEnd);
    run("only addresses of this machine are local", ClientTest::onlyAddressesOfThisMachineAreLocal);
    run("a singular object occurs once", ClientTest::aSingularObjectOccursOnce);
    Path logins = Path.of(words[3]);
    run("what a client uses", () -> theServerAndTheTokenAreThoseOfOptionsEnvironmentOrContext(logins));
    run("a file without contexts is refused", () -> aFileWithoutContextsIsRefused(logins));
    run("empty records end the connection", () -> emptyRecordsEndTheConnection(words[2]));
    if (failures == 0) System.out.println("the Java client behaves at its edges");
    System.exit(failures == 0 ? 0 : 1);
  }
}
