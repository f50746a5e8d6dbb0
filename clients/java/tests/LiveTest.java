import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import quiver.CallOptions;
import quiver.Client;
import quiver.ClientOptions;
import quiver.Metadata;
import quiver.ReplyStream;
import quiver.RpcException;
import quiver.StatusCode;
import quiver.StreamingCall;
import quiver.v1.CreateRiserRequest;
import quiver.v1.DelayRequest;
import quiver.v1.EchoMessage;
import quiver.v1.EquipmentItem;
import quiver.v1.FailRequest;
import quiver.v1.Riser;
import quiver.v1.SinkResponse;
import quiver.v1.SourceRequest;
import quiver.v1.WatchItemsRequest;
import quiver.v1.WatchItemsResponse;

/** The client against a running quiverd --diagnostics: LiveTest SERVER TOKEN_FILE [kills]. */
public final class LiveTest {
  private static int failures;

  private static void expect(boolean condition, String what) {
    if (condition) return;
    System.err.println("not so: " + what);
    failures++;
  }

  private static RpcException failure(Runnable call) {
    try {
      call.run();
    } catch (RpcException error) {
      return error;
    }
    throw new IllegalStateException("the call did not fail");
  }

  private static EchoMessage echo(int count) {
    byte[] bytes = new byte[count];
    for (int place = 0; place < count; place++) bytes[place] = (byte) (place % 251);
    return EchoMessage.newBuilder().setPayload(ByteString.copyFrom(bytes)).build();
  }

  private static void unary(Client client) {
    for (int count : new int[] {0, 10, 1_000_000}) {
      expect(client.diagnostics().echo(echo(count)).equals(echo(count)), "an echo of " + count + " bytes");
    }
    List<CompletableFuture<EchoMessage>> all = new ArrayList<>();
    for (int number = 0; number < 500; number++) {
      all.add(client.diagnostics().echoFuture(EchoMessage.newBuilder().setNumber(number).build(), CallOptions.NONE));
    }
    for (int number = 0; number < 500; number++) {
      expect(all.get(number).join().getNumber() == number, "the echo of number " + number);
    }
    RpcException error = failure(() -> client.diagnostics().echo(echo(5 << 20)));
    expect(error.code() == StatusCode.RESOURCE_EXHAUSTED && error.notProcessed(), "a request that is too large");
  }

  private static void streams(Client client) throws InterruptedException {
    long number = 0;
    try (ReplyStream<EchoMessage> source = client.diagnostics().source(SourceRequest.newBuilder().setCount(20_000).build())) {
      for (EchoMessage message : source) expect(message.getNumber() == ++number, "message " + number);
    }
    expect(number == 20_000, "20,000 messages");
    try (StreamingCall<EchoMessage, SinkResponse> sink = client.diagnostics().sink()) {
      for (int count : new int[] {27_182, 8, 1_828, 459_045}) sink.send(echo(count));
      SinkResponse counts = sink.reply();
      expect(counts.getMessageCount() == 4 && counts.getPayloadBytes() == 488_063, "the counts of the sink");
    }
    try (StreamingCall<EchoMessage, EchoMessage> talk = client.diagnostics().echoStream()) {
      for (int turn = 1; turn < 20; turn++) {
        talk.send(EchoMessage.newBuilder().setNumber(turn).build());
        expect(talk.next().getNumber() == turn, "the answer to message " + turn);
      }
      talk.finish();
      expect(talk.next() == null, "the end of the call");
    }
    published(client);
  }

  private static void published(Client client) throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    List<Long> numbers = new ArrayList<>();
    client.diagnostics().source(SourceRequest.newBuilder().setCount(500).build()).subscribe(new Flow.Subscriber<>() {
      private Flow.Subscription subscription;

      @Override
      public void onSubscribe(Flow.Subscription made) {
        subscription = made;
        made.request(1);
      }

      @Override
      public void onNext(EchoMessage message) {
        numbers.add(message.getNumber());
        subscription.request(1);
      }

      @Override
      public void onError(Throwable error) {
        over.countDown();
      }

      @Override
      public void onComplete() {
        over.countDown();
      }
    });
    expect(over.await(30, TimeUnit.SECONDS) && numbers.size() == 500, "500 messages of a publisher");
  }

  private static void statuses(Client client) {
    for (int code = 1; code <= 16; code++) {
      FailRequest request = FailRequest.newBuilder().setCode(code).setMessage("as asked").build();
      RpcException error = failure(() -> client.diagnostics().fail(request));
      expect(error.code().ordinal() == code && error.getMessage().equals("as asked"), "code " + code);
      expect(error.origin() == RpcException.Origin.SERVER, "the origin of code " + code);
    }
    DelayRequest delay = DelayRequest.newBuilder().setDelayMs(60_000).build();
    CallOptions brief = CallOptions.NONE.withTimeout(Duration.ofMillis(50));
    expect(failure(() -> client.diagnostics().delay(delay, brief)).code() == StatusCode.DEADLINE_EXCEEDED, "a deadline");
    client.diagnostics().delayFuture(delay, CallOptions.NONE).cancel(false);
    CallOptions bad = CallOptions.NONE.withMetadata(List.of(Metadata.of("Not a key", "")));
    expect(failure(() -> client.diagnostics().echo(echo(1), bad)).code() == StatusCode.INVALID_ARGUMENT, "a wrong key");
    expect(client.diagnostics().echo(echo(3)).equals(echo(3)), "an echo after a deadline");
  }

  private static long create(Client client, String brand, byte[] key) {
    CallOptions options = CallOptions.NONE.waitingForReady().withTimeout(Duration.ofSeconds(60));
    if (key != null) options = options.withKey(key);
    Riser riser = Riser.newBuilder().setBrand(brand).setModel("X").build();
    return client.equipment().createRiser(CreateRiserRequest.newBuilder().setRiser(riser).build(), options).getId();
  }

  private static void keys(Client client) {
    byte[] key = "sixteen bytes 16".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    expect(create(client, "Hoyt", key) == create(client, "Hoyt", key), "one effect of a key");
    expect(failure(() -> create(client, "Gillo", key)).code() == StatusCode.ALREADY_EXISTS, "a key with another request");
  }

  /** The script kills the server whenever this prints a line. */
  private static void watchOverKills(Client reader, Client writer) throws InterruptedException {
    Set<Long> wanted = new HashSet<>(), seen = new HashSet<>();
    long last = 0;
    try (ReplyStream<WatchItemsResponse> watch = reader.equipment().watchItems(WatchItemsRequest.getDefaultInstance())) {
      for (int turn = 0; turn < 3; turn++) {
        for (int number = 0; number < 20; number++) wanted.add(create(writer, "watched", null));
        while (!seen.containsAll(wanted)) {
          WatchItemsResponse message = watch.next();
          boolean isNext = message.getSpan().getSnapshot() || message.getSpan().getAfter() == last;
          expect(isNext, "no gap and no repeat behind " + last);
          if (!message.getSpan().getIncomplete()) last = message.getSpan().getUpto();
          for (EquipmentItem item : message.getChangedList()) seen.add(item.getId());
        }
        if (turn < 2) System.out.println("kill");
      }
    }
  }

  public static void main(String[] words) throws InterruptedException {
    ClientOptions options = ClientOptions.DEFAULTS.withServer(words[0]).withTokenFile(words[1]);
    try (Client client = Client.connect(options); Client writer = Client.connect(options)) {
      if (words.length > 2) {
        watchOverKills(client, writer);
      } else {
        unary(client);
        streams(client);
        statuses(client);
        keys(client);
      }
    }
    try (Client client = Client.connect(options.withTokenFile(null).withToken("qv_" + "A".repeat(43)))) {
      expect(failure(() -> client.diagnostics().echo(echo(1))).code() == StatusCode.UNAUTHENTICATED, "a wrong token");
    }
    if (failures == 0) System.out.println("the Java client agrees with quiverd");
    System.exit(failures == 0 ? 0 : 1);
  }
}
