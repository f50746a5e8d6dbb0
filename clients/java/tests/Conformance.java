import com.google.protobuf.ByteString;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import quiver.CallOptions;
import quiver.Client;
import quiver.ClientOptions;
import quiver.EquipmentService;
import quiver.Metadata;
import quiver.Method;
import quiver.Reply;
import quiver.ReplyStream;
import quiver.RpcException;
import quiver.StreamingCall;
import quiver.TimeLimits;
import quiver.v1.EchoMessage;
import quiver.v1.WatchItemsRequest;
import quiver.v1.WatchItemsResponse;
import quiver.v1.WatchSpan;

/**
 * The Java client under test: makes the calls that it reads as lines of JSON.
 *
 * <p>docs/client-conformance.md describes the lines; quiver-conformance --client runs this program.
 */
public final class Conformance {
  private static final HexFormat HEX = HexFormat.of();
  private static final PrintStream OUT = new PrintStream(System.out, false, StandardCharsets.UTF_8);

  private static Method<EchoMessage, EchoMessage> method(int id, String name, boolean up, boolean down, boolean mutates) {
    return new Method<>(id, "quiver.conformance.Peer/" + name, EchoMessage.parser(), up, down, mutates, false);
  }

  private static final Method<EchoMessage, EchoMessage> MUTATE = method(65281, "Mutate", false, false, true);
  private static final Method<EchoMessage, EchoMessage> UNARY = method(65282, "Unary", false, false, false);
  private static final Method<EchoMessage, EchoMessage> UPLOAD = method(65283, "Upload", true, false, false);
  private static final Method<EchoMessage, EchoMessage> DOWNLOAD = method(65284, "Download", false, true, false);
  private static final Method<EchoMessage, EchoMessage> TALK = method(65285, "Talk", true, true, false);

  /** A call: a thread that reads, and one that sends. */
  private static final class Running {
    final LinkedBlockingQueue<Integer> counts = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<byte[]> requests = new LinkedBlockingQueue<>();
    CompletableFuture<Reply<EchoMessage>> future;
    ReplyStream<?> stream;
  }

  private static final byte[] FINISH = {};

  private static synchronized void write(String text) {
    OUT.println(text);
    OUT.flush();
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("[\\x00-\\x1f]", " ") + "\"";
  }

  private static String pairs(List<Metadata> entries) {
    List<String> words = new ArrayList<>();
    for (Metadata entry : entries) words.add(entry.key() + "=" + HEX.formatHex(entry.value()));
    return quoted(String.join(",", words));
  }

  private static void message(int id, EchoMessage message) {
    write("{\"event\":\"message\",\"id\":%d,\"payload\":\"%s\"}".formatted(id, HEX.formatHex(message.getPayload().toByteArray())));
  }

  private static void end(int id, List<Metadata> initial, List<Metadata> trailing) {
    write("{\"event\":\"end\",\"id\":%d,\"code\":0,\"initial\":%s,\"trailing\":%s}".formatted(id, pairs(initial), pairs(trailing)));
  }

  private static void end(int id, Throwable error) {
    if (error instanceof CancellationException) error = null;
    if (!(error instanceof RpcException failure)) {
      write("{\"event\":\"end\",\"id\":%d,\"code\":1,\"text\":%s}".formatted(id, quoted(String.valueOf(error))));
      return;
    }
    write("{\"event\":\"end\",\"id\":%d,\"code\":%d,\"text\":%s,\"not_processed\":%b,\"retry_after_ms\":%d,\"details\":%s,\"trailing\":%s}".formatted(
        id, failure.code().ordinal(), quoted(failure.getMessage()), failure.notProcessed(),
        failure.retryAfterMillis(), pairs(failure.details()), pairs(failure.metadata())));
  }

  /** Flat JSON: strings, numbers and booleans. */
  private static Map<String, String> parse(String line) {
    Map<String, String> fields = new HashMap<>();
    Matcher matcher = Pattern.compile("\"(\\w+)\":(?:\"([^\"]*)\"|([^,}]*))").matcher(line);
    while (matcher.find()) {
      fields.put(matcher.group(1), matcher.group(2) != null ? matcher.group(2).replace("\\/", "/") : matcher.group(3));
    }
    return fields;
  }

  private static TimeLimits limits(Map<String, String> fields) {
    TimeLimits standard = TimeLimits.DEFAULTS;
    return new TimeLimits(
        number(fields, "keepalive_ms", standard.keepalive()),
        number(fields, "keepalive_timeout_ms", standard.keepaliveTimeout()),
        number(fields, "frame_timeout_ms", standard.frame()),
        number(fields, "message_timeout_ms", standard.message()),
        number(fields, "hello_timeout_ms", standard.hello()), standard.output());
  }

  private static int number(Map<String, String> fields, String name, int otherwise) {
    return fields.containsKey(name) ? Integer.parseInt(fields.get(name)) : otherwise;
  }

  private static CallOptions options(Map<String, String> fields) {
    CallOptions options = CallOptions.NONE;
    if (fields.containsKey("timeout_ms")) options = options.withTimeout(Duration.ofMillis(Long.parseLong(fields.get("timeout_ms"))));
    if ("true".equals(fields.get("wait_for_ready"))) options = options.waitingForReady();
    if (fields.containsKey("key")) options = options.withKey(HEX.parseHex(fields.get("key")));
    if (fields.containsKey("after")) {
      options = options.withPosition(new CallOptions.Position(
          Long.parseLong(fields.get("after")), Long.parseUnsignedLong(fields.get("epoch"))));
    }
    List<Metadata> metadata = new ArrayList<>();
    for (String one : fields.getOrDefault("metadata", "").split(",")) {
      int equals = one.indexOf('=');
      if (equals > 0) metadata.add(new Metadata(one.substring(0, equals), HEX.parseHex(one.substring(equals + 1))));
    }
    return options.withMetadata(metadata);
  }

  private static void start(Runnable body) {
    Thread thread = new Thread(body);
    thread.setDaemon(true);
    thread.start();
  }

  private static EchoMessage echo(byte[] payload) {
    return EchoMessage.newBuilder().setPayload(ByteString.copyFrom(payload)).build();
  }

  private static Running call(Client client, int id, Map<String, String> fields) {
    Running running = new Running();
    CallOptions options = options(fields);
    EchoMessage request = echo(HEX.parseHex(fields.get("payload")));
    switch (fields.get("method")) {
      case "unary", "mutate" -> {
        Method<EchoMessage, EchoMessage> method = fields.get("method").equals("unary") ? UNARY : MUTATE;
        running.future = client.callAsync(method, request, options);
        running.future.whenComplete((reply, error) -> {
          if (error != null) {
            end(id, error);
          } else {
            message(id, reply.message());
            end(id, reply.initialMetadata(), reply.trailingMetadata());
          }
        });
      }
      case "watch" -> read(running, id, client.stream(EquipmentService.WATCH_ITEMS, WatchItemsRequest.getDefaultInstance(), options));
      case "download" -> read(running, id, client.stream(DOWNLOAD, request, options));
      default -> {
        StreamingCall<EchoMessage, EchoMessage> call =
            client.open(fields.get("method").equals("upload") ? UPLOAD : TALK, options);
        if (fields.get("method").equals("upload")) running.counts.add(0);
        start(() -> send(running, call));
        read(running, id, call);
      }
    }
    return running;
  }

  private static void send(Running running, StreamingCall<EchoMessage, EchoMessage> call) {
    try {
      for (byte[] one = running.requests.take(); one != FINISH; one = running.requests.take()) call.send(echo(one));
      call.finish();
    } catch (InterruptedException | RpcException error) {
      // The reader of the reply reports it.
    }
  }

  private static void read(Running running, int id, ReplyStream<?> stream) {
    running.stream = stream;
    start(() -> {
      try {
        while (true) {
          int count = running.counts.take();
          for (int number = 0; count == 0 || number < count; number++) {
            Object found = stream.next();
            if (found == null) {
              end(id, stream.initialMetadata(), stream.trailingMetadata());
              return;
            }
            if (found instanceof WatchItemsResponse response) {
              WatchSpan span = response.getSpan();
              write("{\"event\":\"span\",\"id\":%d,\"after\":%d,\"upto\":%d,\"epoch\":\"%s\",\"snapshot\":%b,\"incomplete\":%b}".formatted(
                  id, span.getAfter(), span.getUpto(), Long.toUnsignedString(span.getStoreEpoch()),
                  span.getSnapshot(), span.getIncomplete()));
            } else {
              message(id, (EchoMessage) found);
            }
          }
        }
      } catch (RpcException error) {
        end(id, error);
      } catch (InterruptedException error) {
        end(id, error);
      }
    });
  }

  public static void main(String[] words) throws Exception {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Client client = null;
    Map<Integer, Running> calls = new HashMap<>();
    write("{\"event\":\"ready\",\"compression\":false,\"time_limits\":true}");
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      Map<String, String> fields = parse(line);
      int id = Integer.parseInt(fields.getOrDefault("id", "0"));
      Running running = calls.get(id);
      switch (fields.get("op")) {
        case "connect" -> {
          if (client != null) client.close();
          client = Client.connect(ClientOptions.DEFAULTS.withServer(fields.get("server")).withToken(fields.get("token"))
              .withTrustedRoots(fields.get("ca")).withServerName(fields.get("server_name"))
              .withCertificate(fields.get("certificate"), fields.get("key")).withTimeLimits(limits(fields)));
        }
        case "call" -> calls.put(id, call(client, id, fields));
        case "send" -> running.requests.add(HEX.parseHex(fields.get("payload") + ""));
        case "finish" -> running.requests.add(FINISH);
        case "read" -> running.counts.add(Integer.parseInt(fields.get("count")));
        case "cancel" -> {
          if (running.future != null) running.future.cancel(false);
          if (running.stream != null) {
            running.stream.cancel();
            running.counts.add(0);
          }
        }
        default -> {
          if (client != null) client.close();
          client = null;
          calls.clear();
          write("{\"event\":\"closed\"}");
        }
      }
    }
  }
}
