package quiver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import quiver.RpcException.Origin;

/** The connections of a client and the calls over them, all on one thread. */
final class Channel implements Runnable {
  static final long LINGER = 1_000, CONNECT_TIMEOUT = 10_000, NEVER = Long.MAX_VALUE;

  /** A connection and its place in time. */
  static final class Connection {
    final Link link;
    final Core core;
    final long opened;
    long idleSince, lingerUntil;
    boolean isCounted;

    Connection(Link link, Core core, long now) {
      this.link = link;
      this.core = core;
      opened = idleSince = now;
    }
  }

  /** An action at a time. One that is cancelled holds nothing, and leaves the queue with others. */
  static final class Timer {
    final long time;
    private Runnable action;

    Timer(long time, Runnable action) {
      this.time = time;
      this.action = action;
    }
  }

  final ClientOptions options;
  final KnownPosition known = new KnownPosition();
  private final List<Address> addresses;
  private final SSLContext context;
  private final Selector selector;
  private final Thread thread;
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isWoken = new AtomicBoolean();
  final PriorityQueue<Timer> timers = new PriorityQueue<>((a, b) -> Long.compare(a.time, b.time));
  private int deadTimers;
  final List<Connection> connections = new ArrayList<>();
  private final Set<Call> waiting = new LinkedHashSet<>(), calls = new LinkedHashSet<>();
  private final ByteBuffer input = ByteBuffer.allocate(65536);
  private int place, failures;
  private long backoffUntil;
  private double tokens = 10;
  private RpcException lastError;
  /** Whether a server was ever met, and whether what answered last speaks another protocol. */
  private boolean wasGreeted, isForeign;
  /** Connections in a row that ended before the server sent anything. */
  private int silences;
  private volatile boolean isClosed, hasStopped;

  Channel(ClientOptions options, List<Address> addresses, SSLContext context) throws IOException {
    this.options = options;
    this.addresses = addresses;
    this.context = context;
    selector = Selector.open();
    thread = new Thread(this, "quiver-client");
    thread.setDaemon(true);
    thread.start();
  }

  static long now() {
    return System.nanoTime() / 1_000_000 + 1_000_000_000_000L;
  }

  /** Runs a task on the thread of the client, from any thread; on this one, if that has ended. */
  void submit(Runnable task) {
    tasks.add(task);
    if (hasStopped) runLateTasks();
    else if (Thread.currentThread() != thread && isWoken.compareAndSet(false, true)) selector.wakeup();
  }

  @Override
  public void run() {
    try {
      while (!isClosed || !connections.isEmpty()) {
        try {
          turn();
        } catch (IOException | RuntimeException error) {
          // A fault of one turn ends its connections and leaves the client.
          for (Connection connection : connections) connection.core.lost("the client failed: " + error);
        } catch (Throwable error) {
          endAll(error);
        }
      }
    } finally {
      isClosed = hasStopped = true;
      try {
        selector.close();
      } catch (IOException error) {
        // It is closed as far as it can be.
      }
      runLateTasks();
    }
  }

  /** Runs the tasks that come when the thread has ended: calls among them end CANCELLED. */
  private void runLateTasks() {
    synchronized (tasks) {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) task.run();
    }
  }

  /** Ends all calls and connections after an Error, which may have left any of them half changed. */
  private void endAll(Throwable error) {
    RpcException reason = RpcException.of(StatusCode.INTERNAL, "the client failed: " + error, Origin.CLIENT, false);
    for (Call call : new ArrayList<>(calls)) {
      try {
        call.end(reason, List.of());
      } catch (Throwable another) {
        // The other calls end as well.
      }
    }
    for (Connection connection : connections) {
      connection.core.lost("the client failed: " + error);
      connection.link.close();
    }
    connections.clear();
  }

  private void turn() throws IOException {
    long wait = due() - now();
    if (tasks.isEmpty() && wait > 0) {
      if (wait > 3_600_000) selector.select();
      else selector.select(wait);
    } else {
      selector.selectNow();
    }
    selector.selectedKeys().clear();
    isWoken.set(false);
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) task.run();
    long now = now();
    runTimers(now);
    for (Connection connection : new ArrayList<>(connections)) process(connection, now);
    placeWaiting(now);
    connectWhereNeeded(now);
    for (Connection connection : new ArrayList<>(connections)) {
      flush(connection);
      connection.link.watch(connection.core.outputBytes() > 0);
    }
  }

  private long due() {
    long due = timers.isEmpty() ? NEVER : timers.peek().time;
    for (Connection connection : connections) {
      if (connection.link.hasMore) return 0;
      due = Math.min(due, connection.core.due());
      if (connection.core.ending != null) due = Math.min(due, connection.lingerUntil);
      else if (!connection.link.isConnected) due = Math.min(due, connection.opened + CONNECT_TIMEOUT);
      else if (connection.core.streams.isEmpty()) {
        due = Math.min(due, connection.core.isDraining ? 0 : connection.idleSince + options.idleTimeoutMillis());
      }
    }
    return due;
  }

  Timer at(long time, Runnable action) {
    Timer made = new Timer(time, action);
    timers.add(made);
    return made;
  }

  /** Drops the action of a timer, and the cancelled timers where they are more than the others. */
  void cancel(Timer timer) {
    if (timer == null || timer.action == null) return;
    timer.action = null;
    if (++deadTimers <= timers.size() / 2) return;
    timers.removeIf(one -> one.action == null);
    deadTimers = 0;
  }

  private void runTimers(long now) {
    while (!timers.isEmpty() && timers.peek().time <= now) {
      Timer timer = timers.remove();
      Runnable action = timer.action;
      timer.action = null;
      if (action == null) deadTimers--;
      else action.run();
    }
  }

  // ---- Connections

  private void flush(Connection connection) {
    Core core = connection.core;
    try {
      if (!connection.link.isConnected) return;
      while (core.outputBytes() > 0 || connection.link.hasOutput()) {
        int count = connection.link.write(core.output());
        core.wrote(count, now());
        if (count == 0) return;
      }
    } catch (IOException error) {
      broken(connection, error);
    }
  }

  private void broken(Connection connection, IOException error) {
    connection.core.hasFault = false;
    String text = error.getMessage();
    for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) text += ": " + cause.getMessage();
    connection.core.isForeign |= connection.link.isForeign;
    connection.core.lost("the connection was lost: " + text + silence(connection));
    connection.core.wrote(connection.core.outputBytes(), now());
  }

  /** What an end before any input may mean; it is counted. */
  private String silence(Connection connection) {
    if (connection.core.ending != null || !connection.core.isSilent() || !connection.link.isOpen) return "";
    if (connection.link.isSecure()) return "";
    silences++;
    return " before it sent anything: it may speak TLS (tls://) or another protocol";
  }

  private void receive(Connection connection) throws IOException {
    for (int turn = 0; turn < 8 && connection.core.ending == null; turn++) {
      input.clear();
      int count = connection.link.read(input);
      if (count == 0) break;
      connection.core.receive(input.array(), count, now());
    }
    if (connection.link.hasInputEnded) {
      connection.core.lost("the server closed the connection" + silence(connection));
    }
  }

  private void process(Connection connection, long now) {
    Core core = connection.core;
    Link link = connection.link;
    try {
      if (core.ending == null) {
        link.advance();
        if (link.isConnected) receive(connection);
        else if (now >= connection.opened + CONNECT_TIMEOUT) core.lost("the server was not reached in time");
      }
    } catch (IOException error) {
      broken(connection, error);
    }
    core.tick(now);
    if (!core.streams.isEmpty()) connection.idleSince = now;
    else if (core.ending == null && (core.isDraining || now >= connection.idleSince + options.idleTimeoutMillis())) {
      core.goodbye();
      flush(connection);
      link.halfClose();
      core.hasAnswered = true;
      core.lost("the connection was idle");
    }
    flush(connection);
    count(connection);
    if (core.ending != null && !lingers(connection, now)) {
      link.close();
      connections.remove(connection);
    }
  }

  /** After this side's fault: half-closes, and discards input for a second. */
  private boolean lingers(Connection connection, long now) {
    if (!connection.core.hasFault || connection.link.hasInputEnded) return false;
    if (connection.lingerUntil == 0) {
      connection.lingerUntil = now + LINGER;
      connection.link.halfClose();
    }
    try {
      for (int turn = 0; turn < 16; turn++) {
        input.clear();
        if (connection.link.read(input) == 0) break;
      }
    } catch (IOException error) {
      return false;
    }
    return !connection.link.hasInputEnded && now < connection.lingerUntil;
  }

  /** Decides by what a connection did whether its server is there. */
  private void count(Connection connection) {
    Core core = connection.core;
    if (connection.isCounted || (core.ending == null && !core.isDraining)) return;
    connection.isCounted = true;
    if (core.isGreeted) silences = 0;
    wasGreeted |= core.isGreeted && !core.isForeign;
    isForeign = core.isForeign && !wasGreeted;
    if (core.hasAnswered || core.ending == null) failures = 0;
    else failed(core.ending);
  }

  private void failed(RpcException error) {
    lastError = error;
    place = (place + 1) % addresses.size();
    if (place != 0) return;
    double wait = Math.min(250 * Math.pow(1.6, Math.min(failures++, 50)), 30_000);
    backoffUntil = now() + (long) (wait * ThreadLocalRandom.current().nextDouble(0.8, 1.2));
    at(backoffUntil, () -> { });
  }

  private String readToken() throws IOException {
    if (options.tokenFile() != null) return Files.readString(Path.of(options.tokenFile())).strip();
    return options.token() == null ? "" : options.token().strip();
  }

  private void open(long now) {
    Address address = addresses.get(place);
    String token;
    try {
      token = readToken();
    } catch (IOException error) {
      failed(RpcException.of(StatusCode.UNAUTHENTICATED, "the token file cannot be read: " + error, Origin.CONNECTION, true));
      return;
    }
    try {
      Link link = new Link(address, selector, context, options.serverName(), () -> submit(() -> { }));
      connections.add(new Connection(link, new Core(token, options.maxMessageBytes(), options.timeLimits(), now), now));
    } catch (IOException | RuntimeException error) {
      failed(RpcException.of(StatusCode.UNAVAILABLE, address + ": " + error.getMessage(), Origin.CONNECTION, true));
    }
  }

  private Connection pick() {
    for (Connection connection : connections) if (connection.core.hasRoom()) return connection;
    return null;
  }

  private void placeWaiting(long now) {
    while (!waiting.isEmpty()) {
      Connection connection = pick();
      if (connection == null) return;
      Call call = waiting.iterator().next();
      waiting.remove(call);
      call.connection = connection.core;
      call.place(now);
    }
  }

  private void connectWhereNeeded(long now) {
    while (!waiting.isEmpty()) {
      int live = 0;
      boolean isOpening = false;
      for (Connection connection : connections) {
        if (connection.core.ending != null || connection.core.isDraining) continue;
        live++;
        isOpening |= !connection.core.isGreeted;
      }
      if (isOpening || live >= options.maxConnections() || connections.size() >= 64) return;
      if (now < backoffUntil) {
        if (live == 0) failWaiting();
        return;
      }
      int before = failures;
      open(now);
      placeWaiting(now);
      if (failures != before) failWaiting();
    }
  }

  /**
   * Whether a server that never answered closes connections without an answer, as servers of other
   * protocols do. One that ends may do so, too: a call is sent twice.
   */
  private boolean meetsSilence() {
    return silences > 1 && !wasGreeted;
  }

  private void failWaiting() {
    boolean isFinal = lastError.code() == StatusCode.UNAUTHENTICATED || isForeign;
    for (Call call : new ArrayList<>(waiting)) {
      if (!isFinal && (call.waitsForReady || call.attempt > 0 && !meetsSilence())) continue;
      waiting.remove(call);
      call.end(RpcException.of(lastError.code(), lastError.getMessage(), Origin.CONNECTION, true), List.of());
    }
  }

  // ---- Calls

  /** Starts a call; on the thread of the client. */
  void start(Call call) {
    if (isClosed || calls.size() >= options.maxCalls()) {
      call.end(isClosed
          ? RpcException.of(StatusCode.CANCELLED, "the client is closed", Origin.CLIENT, true)
          : RpcException.of(StatusCode.RESOURCE_EXHAUSTED, "too many calls are open", Origin.CLIENT, true), List.of());
      return;
    }
    calls.add(call);
    if (call.deadline != NEVER) {
      call.deadlineTimer =
          at(call.deadline, () -> call.stop(StatusCode.DEADLINE_EXCEEDED, "the call's deadline passed"));
    }
    waiting.add(call);
  }

  void wait(Call call) {
    waiting.add(call);
  }

  void ended(Call call) {
    cancel(call.deadlineTimer);
    cancel(call.resendTimer);
    calls.remove(call);
    waiting.remove(call);
  }

  void succeeded() {
    tokens = Math.min(10, tokens + 0.1);
  }

  /** Whether a call is sent again (section 7.6): the time, or -1. */
  long resend(Call call, Core.Stream attempt, RpcException error) {
    long now = now();
    if (!error.notProcessed()) call.mayHaveRun = true;
    if (error.origin() == Origin.CLIENT || call.isReplyBegun) return -1;
    if (call.method.requestStreams() && attempt.isWritten) return -1;
    if (error.origin() == Origin.CONNECTION && error.notProcessed() && error.code() == StatusCode.UNAVAILABLE) {
      if (!attempt.isWritten) return ++call.unsent <= 8 || call.waitsForReady ? now : -1;
      if (!call.wasResent) {
        call.wasResent = true;
        call.attempt++;
        return now;
      }
    }
    int pushBack = error.retryAfterMillis();
    boolean isPushed = error.code() == StatusCode.RESOURCE_EXHAUSTED && pushBack != 0;
    if (error.code() != StatusCode.UNAVAILABLE && !isPushed) return -1;
    tokens = Math.max(0, tokens - 1);
    if (pushBack < 0) return -1;
    if (!error.notProcessed() && call.method.isMutating() && call.key == null) return -1;
    if (call.retries + 1 >= options.maxAttempts() || tokens <= 5) return -1;
    long wait;
    if (pushBack > 0) {
      wait = pushBack;
      call.steps = 0;
    } else {
      double exact = Math.min(100 * Math.pow(2, call.steps++), 5_000);
      wait = (long) (exact * ThreadLocalRandom.current().nextDouble(0.8, 1.2));
    }
    if (call.deadline != NEVER && now + wait >= call.deadline) return -1;
    call.retries++;
    call.attempt++;
    return now + wait;
  }

  static byte[] randomKey() {
    return Uuid7.next().toByteArray();
  }

  /** Ends all calls and connections, and waits for that at most two seconds. */
  void close() {
    submit(() -> {
      isClosed = true;
      for (Call call : new ArrayList<>(calls)) call.stop(StatusCode.CANCELLED, "the client was closed");
      for (Connection connection : connections) {
        connection.core.goodbye();
        flush(connection);
        connection.link.halfClose();
        connection.core.hasAnswered = true;
        connection.core.lost("the client was closed");
      }
    });
    if (Thread.currentThread() == thread) return;
    try {
      thread.join(2_000);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    }
  }
}
