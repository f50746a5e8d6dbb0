import com.google.protobuf.ByteString;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import quiver.CallOptions;
import quiver.Client;
import quiver.v1.EchoMessage;

/** Calls Diagnostics/Echo with so many calls in flight for so many seconds, after 3 s to warm up: DEPTH SECONDS. */
public final class QuiverClient {
  private static final AtomicLong CALLS = new AtomicLong(), ERRORS = new AtomicLong();
  private static volatile boolean isOver;

  private static void call(Client client, EchoMessage message) {
    client.diagnostics().echoFuture(message, CallOptions.NONE).whenComplete((reply, error) -> {
      (error == null ? CALLS : ERRORS).incrementAndGet();
      if (!isOver) call(client, message);
    });
  }

  public static void main(String[] words) throws Exception {
    OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    EchoMessage message = EchoMessage.newBuilder().setPayload(ByteString.copyFrom(new byte[38])).build();
    try (Client client = Client.connect()) {
      for (int place = 0; place < Integer.parseInt(words[0]); place++) call(client, message);
      Thread.sleep(3_000);
      long calls = CALLS.get(), used = system.getProcessCpuTime();
      Thread.sleep((long) (1_000 * Double.parseDouble(words[1])));
      calls = CALLS.get() - calls;
      used = system.getProcessCpuTime() - used;
      isOver = true;
      System.out.printf("{\"calls\": %d, \"errors\": %d, \"cpu\": %.6f}%n", calls, ERRORS.get(), used / 1e9);
    }
  }
}
