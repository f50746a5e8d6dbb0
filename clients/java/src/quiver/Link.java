package quiver;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLParameters;

/** A non-blocking byte stream to a server, plain or in TLS. */
final class Link {
  final SocketChannel channel;
  private final SelectionKey key;
  private final SSLEngine engine;
  private ByteBuffer cipherIn, cipherOut;
  boolean isConnected, isOpen, hasInputEnded;

  Link(Address address, Selector selector, SSLContext context, String serverName) throws IOException {
    channel = address.path() != null ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
    channel.configureBlocking(false);
    if (address.path() == null) channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    try {
      if (address.isTls()) {
        String name = serverName != null ? serverName : address.host();
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
      boolean isDone = channel.connect(address.resolve());
      key = channel.register(selector, isDone ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT);
      if (isDone) opened();
    } catch (IOException | RuntimeException error) {
      channel.close();
      throw error;
    }
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
    if (!isOpen) {
      if (!channel.finishConnect()) return;
      opened();
    } else {
      handshake();
    }
  }

  private void handshake() throws IOException {
    ByteBuffer none = ByteBuffer.allocate(0), plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> {
          for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) task.run();
        }
        case NEED_WRAP -> {
          if (!flush()) return;
          wrap(none);
        }
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          cipherIn.flip();
          SSLEngineResult result = engine.unwrap(cipherIn, plain);
          cipherIn.compact();
          if (result.getStatus() == SSLEngineResult.Status.CLOSED) throw new IOException("the server ended the TLS handshake");
          if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
            int count = channel.read(cipherIn);
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

  /** Reads into a buffer that takes at least a record; 0: nothing now, or the end. */
  int read(ByteBuffer data) throws IOException {
    if (engine == null) {
      int count = channel.read(data);
      if (count < 0) hasInputEnded = true;
      return Math.max(count, 0);
    }
    int before = data.position();
    while (true) {
      cipherIn.flip();
      SSLEngineResult result = engine.unwrap(cipherIn, data);
      cipherIn.compact();
      if (result.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP && flush()) wrap(ByteBuffer.allocate(0));
      if (result.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_TASK) {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) task.run();
      }
      switch (result.getStatus()) {
        case CLOSED -> {
          hasInputEnded = true;
          return data.position() - before;
        }
        case BUFFER_OVERFLOW -> {
          return data.position() - before;
        }
        case BUFFER_UNDERFLOW -> {
          int count = channel.read(cipherIn);
          if (count < 0) {
            if (data.position() > before) return data.position() - before;
            throw new IOException("the connection ended without a close_notify");
          }
          if (count == 0) return data.position() - before;
        }
        default -> { }
      }
    }
  }

  /** Ends this direction, with close_notify under TLS. */
  void halfClose() {
    try {
      if (engine != null) {
        engine.closeOutbound();
        if (flush()) wrap(ByteBuffer.allocate(0));
        flush();
      }
      channel.shutdownOutput();
    } catch (IOException error) {
      // The connection has ended.
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException error) {
      // It is closed as far as it can be.
    }
  }

  /** What the selector waits for. */
  void watch(boolean hasOutput) {
    if (!key.isValid()) return;
    int wanted = !isOpen ? SelectionKey.OP_CONNECT
        : SelectionKey.OP_READ | (hasOutput || hasOutput() ? SelectionKey.OP_WRITE : 0);
    if (key.interestOps() != wanted) key.interestOps(wanted);
  }
}
