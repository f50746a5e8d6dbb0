package quiver;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLParameters;

/** A non-blocking byte stream to a server, plain or in TLS. */
final class Link {
  /** The most TLS records that one read takes, so that a server does not hold the client's thread. */
  private static final int RECORDS_OF_A_READ = 64;
  /** The most records in a row without data: those of a handshake, and tickets, are a few. */
  private static final int MOST_EMPTY_RECORDS = 1_000;

  private final Selector selector;
  private final Address address;
  /** Of the addresses, by a thread of its own where there is a name to look up. */
  private final CompletableFuture<List<SocketAddress>> lookup = new CompletableFuture<>();
  /** The addresses that are left to try; null: the lookup is not over. */
  private ArrayDeque<SocketAddress> addresses;
  /** Null before the first address is tried. */
  private SocketChannel channel;
  private SelectionKey key;
  private final SSLEngine engine;
  private ByteBuffer cipherIn, cipherOut;
  boolean isConnected, isOpen, hasInputEnded;
  /** Whether what answers does not speak TLS. */
  boolean isForeign;
  private boolean hasAnswered;
  /** Whether input is left that the selector does not report: of TLS, after a turn that took its share. */
  boolean hasMore;
  /** Records in a row that held no data. */
  private int emptyRecords;

  /** Begins to connect; `wake` is called by another thread when {@link #advance} can go on. */
  Link(Address address, Selector selector, SSLContext context, String serverName, Runnable wake) throws IOException {
    this.selector = selector;
    this.address = address;
    if (address.isTls()) {
      String name = serverName != null ? serverName : address.host();
      // The context keeps sessions by name and port, and resumes them.
      engine = context.createSSLEngine(name, address.port());
      engine.setUseClientMode(true);
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setProtocols(new String[] {"TLSv1.3"});
      parameters.setApplicationProtocols(new String[] {"quiver/1"});
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      if (!name.matches("[0-9.]+|.*:.*")) parameters.setServerNames(List.of(new SNIHostName(name)));
      engine.setSSLParameters(parameters);
      cipherIn = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
      cipherOut = ByteBuffer.allocate(2 * engine.getSession().getPacketBufferSize());
      cipherOut.flip();
    } else {
      engine = null;
    }
    if (address.isNumeric()) {
      lookup.complete(address.resolve());
      advance();
      return;
    }
    Thread thread = new Thread(() -> {
      try {
        lookup.complete(address.resolve());
      } catch (IOException | RuntimeException error) {
        lookup.completeExceptionally(error);
      }
      wake.run();
    }, "quiver-lookup");
    thread.setDaemon(true);
    thread.start();
  }

  /** Whether the lookup is over; throws why it has found nothing. */
  private boolean hasAddresses() throws IOException {
    if (addresses != null) return true;
    if (!lookup.isDone()) return false;
    try {
      addresses = new ArrayDeque<>(lookup.join());
    } catch (CompletionException error) {
      throw new IOException(address + ": the host is not known: " + error.getCause().getMessage(), error);
    }
    return true;
  }

  /** Begins to connect to the next address that takes it; throws why the last does not. */
  private void tryNext(IOException before) throws IOException {
    IOException reason = before;
    while (!addresses.isEmpty()) {
      SocketAddress target = addresses.poll();
      close();
      try {
        channel = address.path() != null ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        channel.configureBlocking(false);
        if (address.path() == null) channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        boolean isDone = channel.connect(target);
        key = channel.register(selector, isDone ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT);
        if (isDone) opened();
        return;
      } catch (IOException error) {
        close();
        reason = error;
      }
    }
    throw reason;
  }

  private void opened() throws IOException {
    isOpen = true;
    if (engine == null) isConnected = true;
    else {
      engine.beginHandshake();
      handshake();
    }
  }

  /** Continues to connect and to shake hands. */
  void advance() throws IOException {
    if (isConnected) return;
    if (!hasAddresses()) return;
    if (channel == null) {
      tryNext(new IOException(address + " has no address"));
    } else if (!isOpen) {
      try {
        if (!channel.finishConnect()) return;
      } catch (IOException error) {
        tryNext(error);
        return;
      }
      opened();
    } else {
      handshake();
    }
  }

  private void handshake() throws IOException {
    ByteBuffer none = ByteBuffer.allocate(0), plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
    hasMore = false;
    for (int records = 0; records < RECORDS_OF_A_READ;) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> {
          for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) task.run();
        }
        case NEED_WRAP -> {
          if (!flush()) return;
          wrap(none);
        }
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          records++;
          SSLEngineResult result = unwrap(plain);
          if (result.getStatus() == SSLEngineResult.Status.CLOSED) throw new IOException("the server ended the TLS handshake");
          if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
            int count = readAnswer();
            if (count < 0) throw new IOException("the server ended the TLS handshake");
            if (count == 0) {
              flush();
              return;
            }
          }
        }
        default -> {
          if (!flush()) return;
          if (!"quiver/1".equals(engine.getApplicationProtocol())) {
            throw new IOException("the server did not agree on quiver/1 by ALPN");
          }
          isConnected = true;
          return;
        }
      }
    }
    hasMore = true;
  }

  /** Reads in the handshake; what is not TLS ends it. */
  private int readAnswer() throws IOException {
    int count;
    try {
      count = channel.read(cipherIn);
    } catch (IOException error) {
      count = -1;
    }
    if (hasAnswered || count == 0) return count;
    if (count < 0) throw new IOException("the server ended the TLS handshake without an answer: it may not speak TLS");
    hasAnswered = true;
    String name = Core.protocolOf(cipherIn.array(), cipherIn.position());
    boolean isRefused = cipherIn.position() > 6 && cipherIn.get(0) == 21 && cipherIn.get(6) == 10;
    if ("TLS".equals(name) && !isRefused) return count;
    isForeign = true;
    // The alert unexpected_message.
    if (isRefused) throw new IOException("the server does not use TLS on this port");
    throw new IOException("what answers does not speak TLS" + (name == null ? "" : ": it speaks " + name));
  }

  /** Whether TLS is used. */
  boolean isSecure() {
    return engine != null;
  }

  private SSLEngineResult unwrap(ByteBuffer data) throws IOException {
    cipherIn.flip();
    SSLEngineResult result = engine.unwrap(cipherIn, data);
    cipherIn.compact();
    if (result.bytesProduced() > 0) emptyRecords = 0;
    else if (result.bytesConsumed() > 0 && ++emptyRecords > MOST_EMPTY_RECORDS) {
      throw new IOException("the server sent too many empty TLS records");
    }
    return result;
  }

  private SSLEngineResult wrap(ByteBuffer data) throws IOException {
    cipherOut.clear();
    SSLEngineResult result = engine.wrap(data, cipherOut);
    cipherOut.flip();
    return result;
  }

  /** Writes encrypted bytes; whether none are left. */
  private boolean flush() throws IOException {
    while (cipherOut.hasRemaining()) {
      if (channel.write(cipherOut) == 0) return false;
    }
    return true;
  }

  /** Writes as much as the socket takes; the bytes taken. */
  int write(ByteBuffer data) throws IOException {
    if (engine == null) return channel.write(data);
    int before = data.remaining();
    while (flush() && data.hasRemaining()) {
      if (wrap(data).getStatus() == SSLEngineResult.Status.CLOSED) throw new IOException("TLS was closed");
    }
    return before - data.remaining();
  }

  boolean hasOutput() {
    return engine != null && cipherOut.hasRemaining();
  }

  /** Reads into a buffer that takes at least a record; 0: nothing now, unless there is more, or the end. */
  int read(ByteBuffer data) throws IOException {
    if (engine == null) {
      int count = channel.read(data);
      if (count < 0) hasInputEnded = true;
      return Math.max(count, 0);
    }
    int before = data.position();
    hasMore = true;
    for (int records = 0; records < RECORDS_OF_A_READ; records++) {
      SSLEngineResult result = unwrap(data);
      if (result.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP && flush()) wrap(ByteBuffer.allocate(0));
      if (result.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_TASK) {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) task.run();
      }
      switch (result.getStatus()) {
        case CLOSED -> {
          hasInputEnded = true;
          hasMore = false;
          return data.position() - before;
        }
        case BUFFER_OVERFLOW -> {
          return data.position() - before;
        }
        case BUFFER_UNDERFLOW -> {
          int count = channel.read(cipherIn);
          hasMore = count > 0;
          if (count < 0) {
            if (data.position() > before) return data.position() - before;
            throw new IOException("the connection ended without a close_notify");
          }
          if (count == 0) return data.position() - before;
        }
        default -> { }
      }
    }
    return data.position() - before;
  }

  /** Ends this direction, with close_notify under TLS. */
  void halfClose() {
    try {
      if (engine != null) {
        engine.closeOutbound();
        if (flush()) wrap(ByteBuffer.allocate(0));
        flush();
      }
      if (channel != null) channel.shutdownOutput();
    } catch (IOException error) {
      // The connection has ended.
    }
  }

  void close() {
    try {
      if (channel != null) channel.close();
    } catch (IOException error) {
      // It is closed as far as it can be.
    }
  }

  /** What the selector waits for. */
  void watch(boolean hasOutput) {
    if (key == null || !key.isValid()) return;
    int wanted = !isOpen ? SelectionKey.OP_CONNECT
        : SelectionKey.OP_READ | (hasOutput || hasOutput() ? SelectionKey.OP_WRITE : 0);
    if (key.interestOps() != wanted) key.interestOps(wanted);
  }
}
