package quiver;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import quiver.RpcException.Origin;
import quiver.v1.Cancel;
import quiver.v1.GoAway;
import quiver.v1.Hello;
import quiver.v1.ResponseHead;
import quiver.v1.Status;

/**
 * The client's end of one connection, without I/O: bytes in, bytes and events out.
 *
 * <p>It knows the time only from its caller, and is used by one thread.
 */
final class Core {
  static final byte[] PREFACE = {(byte) 0x91, 0x51, 0x56, 0x52, 0x0D, 0x0A, 0x1A, 1};
  static final int HELLO = 1, REQUEST = 2, HEADERS = 3, DATA = 4, RESPONSE = 5, STATUS = 6;
  static final int CANCEL = 7, CREDIT = 8, PING = 9, GOAWAY = 10, CLOSE = 11;
  static final int END = 1, MORE = 2, COMPRESSED = 4, IGNORABLE = 8;
  static final int FRAME_CHARGE = 32, SMALLEST_PART = 1024, LARGEST_FRAME = 1 << 20;
  static final int FRAME_LIMIT = 16384, STREAM_WINDOW = 65536, CONNECTION_WINDOW = 1 << 20;
  static final int MAX_CONTROL = 4096, MAX_HEADERS = 16384, MAX_STATUS = 81920;
  static final int REASSEMBLY_LIMIT = 16 << 20, OUTPUT_HIGH_WATER = 65536, STREAM_OUTPUT = 65536;
  static final int MAX_ANSWERS = 1024;

  static final String[] ERRORS = {
    "NO_ERROR", "PROTOCOL_ERROR", "FRAME_SIZE_ERROR", "FLOW_CONTROL_ERROR", "UNSUPPORTED_VERSION",
    "UNAUTHENTICATED", "ENHANCE_YOUR_CALM", "TIMEOUT", "INTERNAL_ERROR", "TOO_MANY_CONNECTIONS"
  };
  static final int PROTOCOL_ERROR = 1, FRAME_SIZE_ERROR = 2, FLOW_CONTROL_ERROR = 3;
  static final int UNSUPPORTED_VERSION = 4, UNAUTHENTICATED = 5, CALM = 6, TIMEOUT = 7;

  /** A violation of the protocol, which ends the connection with GOAWAY. */
  private static final class Fault extends Exception {
    private static final long serialVersionUID = 1;
    final int code;

    Fault(int code, String reason) {
      super(reason, null, false, false);
      this.code = code;
    }
  }

  /** One call on a connection. Subclasses receive what becomes of it. */
  abstract static class Stream {
    final boolean requestStreams, replyStreams, creditAtOnce;
    byte[] head;
    int id;
    boolean isWritten, isEnded, isReady, requestDone, closeSent;
    boolean hasHeaders, replyBegun, hasMessage;
    /** The messages that are not framed yet; of a call that has ended, those that never were. */
    final ArrayDeque<byte[]> outbox = new ArrayDeque<>();
    int outboxBytes;
    byte[] body;
    int bodyAt;
    long sent, allowance, received, taken, reassembly, stated, partTime;
    int waiting;
    ByteArrayOutputStream parts;

    Stream(boolean requestStreams, boolean replyStreams, boolean creditAtOnce) {
      this.requestStreams = requestStreams;
      this.replyStreams = replyStreams;
      this.creditAtOnce = creditAtOnce;
    }

    abstract void onHeaders(List<Metadata> metadata);

    /** A message; of a streaming reply its charge is returned by {@link Core#took}. */
    abstract void onMessage(byte[] message, int charge);

    /** The call is over: OK where the error is null. */
    abstract void onEnd(RpcException error, List<Metadata> metadata);

    /** The request stream has room for more messages. */
    abstract void onRoom();
  }

  final Map<Integer, Stream> streams = new HashMap<>();
  boolean isGreeted, isDraining, hasGoAway, hasAnswered, isUnauthenticated;
  /** Whether what answers speaks another protocol. */
  boolean isForeign;
  /** Whether this side ends the connection for a fault: flush, then half-close. */
  boolean hasFault;
  /** Why the connection has ended; null while it has not. */
  RpcException ending;
  int maxStreams;

  private final int maxMessage;
  private final ArrayDeque<Stream> ready = new ArrayDeque<>();
  private byte[] out = new byte[1024];
  private int outStart, outEnd, answers;
  private byte[] in = new byte[0];
  /** The id of the next call; above the largest id once all are used. */
  long nextId = 1;
  private int inEnd, prefaceSeen, lastId = Integer.MAX_VALUE;
  private int peerFrame, peerMessage;
  private long peerStreamCredit, sent, allowance, received, stated = CONNECTION_WINDOW;
  private long now, frameSince, pingSent, stalledSince, reassemblyBytes, lastInput;
  private final long started;

  Core(String token, int maxMessage, TimeLimits limits, long now) {
    this.maxMessage = maxMessage;
    this.limits = limits;
    this.now = started = lastInput = now;
    boolean hasToken = !token.isEmpty();
    peerFrame = hasToken ? 16384 : 4096;
    peerMessage = hasToken ? 4 << 20 : 4096;
    maxStreams = hasToken ? 100 : 1;
    peerStreamCredit = hasToken ? 65536 : 16384;
    allowance = hasToken ? 1048576 : 16384;
    Hello.Builder hello = Hello.newBuilder().setVersionMin(1).setVersionMax(1);
    hello.setSoftware("quiver-java").setAuthToken(ByteString.copyFromUtf8(token));
    if (maxMessage != 4 << 20) hello.setMaxMessageBytes(maxMessage);
    put(PREFACE, 0, PREFACE.length);
    write(HELLO, 0, 0, hello.build().toByteArray());
  }

  private final TimeLimits limits;
  /** Some output was given to the transport. */
  private boolean hasSent;

  // ---- Output

  private void put(byte[] data, int at, int count) {
    if (out.length - outEnd < count) {
      int used = outEnd - outStart;
      byte[] target = out.length - used >= count ? out : new byte[Math.max(out.length * 2, used + count)];
      System.arraycopy(out, outStart, target, 0, used);
      out = target;
      outStart = 0;
      outEnd = used;
    }
    System.arraycopy(data, at, out, outEnd, count);
    outEnd += count;
  }

  private void write(int type, int flags, int id, byte[] payload) {
    write(type, flags, id, payload, payload.length, payload, 0, 0);
  }

  /** Writes a frame whose payload is in two parts. */
  private void write(
      int type, int flags, int id, byte[] first, int firstCount, byte[] second, int at, int count) {
    int length = firstCount + count;
    byte[] header = {
      (byte) (length >> 16), (byte) (length >> 8), (byte) length, (byte) (type << 4 | flags),
      (byte) (id >> 24), (byte) (id >> 16), (byte) (id >> 8), (byte) id
    };
    put(header, 0, 8);
    put(first, 0, firstCount);
    put(second, at, count);
  }

  private void writeCredit(int id, long value) {
    write(CREDIT, 0, id, ByteBuffer.allocate(8).putLong(value).array());
  }

  int outputBytes() {
    return outEnd - outStart;
  }

  /** The output that waits; the transport reports by {@link #wrote} what it took of it. */
  ByteBuffer output() {
    return ByteBuffer.wrap(out, outStart, outEnd - outStart);
  }

  void wrote(int count, long time) {
    now = time;
    if (count > 0 && !hasSent) {
      hasSent = true;
      streams.values().forEach(this::enqueue);
    }
    outStart += count;
    if (outStart == outEnd) {
      outStart = outEnd = 0;
      answers = 0;
      stalledSince = 0;
      if (out.length > 4 * OUTPUT_HIGH_WATER) out = new byte[1024];
    } else if (count > 0 || stalledSince == 0) {
      stalledSince = time;
    }
    pump();
  }

  // ---- Calls

  boolean hasRoom() {
    return !isDraining && ending == null && streams.size() < maxStreams;
  }

  /** Starts a call whose head is set; without a message the request streams. May end it at once. */
  void start(Stream stream, byte[] message, long time) {
    now = time;
    stream.id = (int) nextId;
    nextId += 2;
    if (nextId > Integer.MAX_VALUE) isDraining = true;
    stream.allowance = peerStreamCredit;
    stream.stated = STREAM_WINDOW;
    if (streams.isEmpty()) lastInput = Math.max(lastInput, time);
    streams.put(stream.id, stream);
    if (stream.head.length > peerFrame || (message != null && message.length > peerMessage)) {
      end(stream, RpcException.of(StatusCode.RESOURCE_EXHAUSTED,
          "the request is larger than the server takes", Origin.CLIENT, true), List.of());
      return;
    }
    stream.body = message;
    enqueue(stream);
    pump();
  }

  /** Queues a message of a request stream; false if it is larger than the server takes. */
  boolean send(Stream stream, byte[] message) {
    if (message.length > peerMessage) return false;
    stream.outbox.add(message);
    stream.outboxBytes += message.length + 64;
    enqueue(stream);
    pump();
    return true;
  }

  void finish(Stream stream) {
    if (stream.isEnded || stream.requestDone) return;
    stream.requestDone = true;
    enqueue(stream);
    pump();
  }

  /** The application has taken a message of a streaming reply. */
  void took(Stream stream, int charge) {
    stream.waiting--;
    stream.taken += charge;
    if (!stream.isEnded) stateCredit(stream);
  }

  /** Ends a call from this side, with CANCEL if its REQUEST was written. */
  void cancel(Stream stream, StatusCode code, String text) {
    if (stream.isEnded) return;
    if (stream.isWritten && ending == null) {
      write(CANCEL, 0, stream.id, new byte[] {8, (byte) code.ordinal()});
    }
    end(stream, RpcException.of(code, text, Origin.CLIENT, !stream.isWritten), List.of());
  }

  private void giveUp(Stream stream, StatusCode code, String text) {
    if (stream.isWritten && ending == null) write(CANCEL, 0, stream.id, new byte[0]);
    end(stream, RpcException.of(code, text, Origin.CLIENT, !stream.isWritten), List.of());
  }

  private void end(Stream stream, RpcException error, List<Metadata> metadata) {
    if (stream.isEnded) return;
    stream.isEnded = true;
    streams.remove(stream.id);
    if (stream.parts != null) reassemblyBytes -= stream.parts.size();
    stream.parts = null;
    stream.outboxBytes = 0;
    stream.body = null;
    if (error == null || error.origin() == Origin.SERVER) hasAnswered = true;
    stream.onEnd(error, metadata);
  }

  private void enqueue(Stream stream) {
    if (stream.isReady || stream.isEnded) return;
    stream.isReady = true;
    ready.add(stream);
  }

  private enum Step { DONE, MORE, NO_STREAM_CREDIT, NO_CONNECTION_CREDIT }

  /** Frames what may go, a frame of each stream in turn. */
  private void pump() {
    while (!ready.isEmpty() && ending == null && outputBytes() < OUTPUT_HIGH_WATER) {
      Stream stream = ready.peek();
      Step step = stream.isEnded ? Step.DONE : frame(stream);
      if (step == Step.NO_CONNECTION_CREDIT) return;
      ready.remove();
      stream.isReady = false;
      if (step == Step.MORE) enqueue(stream);
    }
  }

  private Step frame(Stream stream) {
    long onStream = stream.allowance - stream.sent, onConnection = allowance - sent;
    Step blocked = onConnection <= onStream ? Step.NO_CONNECTION_CREDIT : Step.NO_STREAM_CREDIT;
    long room = Math.min(Math.min(onStream, onConnection) - FRAME_CHARGE, peerFrame);
    // A request stream begins once the transport has taken a byte: until then its messages are kept,
    // and can move to another connection.
    if (stream.requestStreams && !hasSent) return Step.NO_STREAM_CREDIT;
    if (!stream.isWritten) return frameRequest(stream, room, blocked);
    if (stream.body == null && !stream.outbox.isEmpty()) {
      stream.body = stream.outbox.remove();
      stream.outboxBytes -= stream.body.length + 64;
      stream.bodyAt = 0;
      if (stream.outboxBytes < STREAM_OUTPUT) stream.onRoom();
    }
    if (stream.body == null) {
      if (stream.requestDone && stream.requestStreams && !stream.closeSent) {
        stream.closeSent = true;
        write(CLOSE, 0, stream.id, new byte[0]);
      }
      return Step.DONE;
    }
    int left = stream.body.length - stream.bodyAt;
    if (left <= room) {
      int flags = stream.requestStreams ? 0 : END;
      charge(stream, DATA, flags, new byte[0], stream.bodyAt, left);
      stream.body = null;
      return stream.requestStreams && (!stream.outbox.isEmpty() || stream.requestDone)
          ? Step.MORE : Step.DONE;
    }
    if (room < SMALLEST_PART) return blocked;
    charge(stream, DATA, MORE, new byte[0], stream.bodyAt, (int) room);
    stream.bodyAt += (int) room;
    return Step.MORE;
  }

  private Step frameRequest(Stream stream, long room, Step blocked) {
    if (stream.head.length > room) return blocked;
    stream.isWritten = true;
    if (stream.body == null) {
      charge(stream, REQUEST, 0, stream.head, 0, 0);
      return !stream.outbox.isEmpty() || stream.requestDone ? Step.MORE : Step.DONE;
    }
    int count = (int) Math.min(room - stream.head.length, stream.body.length);
    boolean isWhole = count == stream.body.length;
    charge(stream, REQUEST, isWhole ? END : MORE, stream.head, 0, count);
    stream.bodyAt = count;
    if (isWhole) stream.body = null;
    return isWhole ? Step.DONE : Step.MORE;
  }

  private void charge(Stream stream, int type, int flags, byte[] first, int at, int count) {
    int charge = first.length + count + FRAME_CHARGE;
    stream.sent += charge;
    sent += charge;
    byte[] body = stream.body == null ? first : stream.body;
    write(type, flags, stream.id, first, first.length, body, at, count);
  }

  // ---- Credit of this side

  private void stateCredit(Stream stream) {
    long value = STREAM_WINDOW + stream.taken + (stream.waiting == 0 ? stream.reassembly : 0);
    boolean isAllTaken = stream.creditAtOnce && stream.waiting == 0 && stream.parts == null;
    if (value - stream.stated >= (isAllTaken ? 1 : STREAM_WINDOW / 2)) {
      stream.stated = value;
      writeCredit(stream.id, value);
    }
  }

  // ---- Input

  void receive(byte[] data, int count, long time) {
    if (ending != null || count == 0) return;
    now = lastInput = time;
    pingSent = 0;
    try {
      if (inEnd == 0) {
        int used = parse(data, count);
        if (used < count) {
          in = new byte[Math.max(count - used, 512)];
          System.arraycopy(data, used, in, 0, count - used);
          inEnd = count - used;
          frameSince = time;
        }
      } else {
        if (in.length - inEnd < count) in = java.util.Arrays.copyOf(in, Math.max(in.length * 2, inEnd + count));
        System.arraycopy(data, 0, in, inEnd, count);
        inEnd += count;
        int used = parse(in, inEnd);
        System.arraycopy(in, used, in, 0, inEnd - used);
        inEnd -= used;
        if (used > 0) frameSince = time;
        if (inEnd == 0) in = new byte[0];
      }
      if (ending == null && received + CONNECTION_WINDOW - stated >= CONNECTION_WINDOW / 2) {
        stated = received + CONNECTION_WINDOW;
        writeCredit(0, stated);
      }
    } catch (Fault fault) {
      fail(fault.code, fault.getMessage());
    }
  }

  private record FirstBytes(String name, String bytes) {}

  /** As ISO 8859-1. */
  private static final List<FirstBytes> FIRST_BYTES = List.of(
      new FirstBytes("HTTP", "HTTP/"), new FirstBytes("HTTP", "<!DOCTYPE"), new FirstBytes("HTTP", "<html"),
      new FirstBytes("SSH", "SSH-"), new FirstBytes("TLS", "\u0014\u0003"), new FirstBytes("TLS", "\u0015\u0003"),
      new FirstBytes("TLS", "\u0016\u0003"), new FirstBytes("Quiver without TLS", "\u0091QVR\r\n\u001a"));

  /** The protocol whose first bytes these are; null: none of the usual ones. */
  static String protocolOf(byte[] data, int count) {
    String text = new String(data, 0, Math.min(count, 9), StandardCharsets.ISO_8859_1);
    if (text.isEmpty()) return null;
    for (FirstBytes one : FIRST_BYTES) {
      if (text.startsWith(one.bytes) || one.bytes.startsWith(text)) return one.name;
    }
    // HTTP/2 begins with SETTINGS, a frame of type 4 without flags.
    return count >= 5 && data[0] == 0 && data[3] == 4 && data[4] == 0 ? "HTTP" : null;
  }

  /** Whether nothing of a Quiver server has come. */
  boolean isSilent() {
    return prefaceSeen == 0;
  }

  /** Processes the complete frames; the number of bytes that they have. */
  private int parse(byte[] data, int count) throws Fault {
    int at = 0;
    while (prefaceSeen < 8 && at < count) {
      if (data[at] != PREFACE[prefaceSeen]) {
        if (prefaceSeen == 7) throw new Fault(UNSUPPORTED_VERSION, "the server has another major version");
        isForeign = true;
        String name = prefaceSeen == 0 ? protocolOf(data, count) : null;
        throw new Fault(PROTOCOL_ERROR, "what answers is not a Quiver server"
            + (name == null ? "" : ": it speaks " + name + (name.equals("TLS") ? " (use tls://)" : "")));
      }
      prefaceSeen++;
      at++;
    }
    while (ending == null && count - at >= 8) {
      int length = (data[at] & 255) << 16 | (data[at + 1] & 255) << 8 | data[at + 2] & 255;
      int type = (data[at + 3] & 255) >> 4, flags = data[at + 3] & 15;
      int id = ByteBuffer.wrap(data, at + 4, 4).getInt();
      check(length, type, flags);
      if (count - at - 8 < length) break;
      byte[] payload = java.util.Arrays.copyOfRange(data, at + 8, at + 8 + length);
      frameIn(type, flags, id, payload);
      at += 8 + length;
      if (received + CONNECTION_WINDOW - stated >= CONNECTION_WINDOW / 2 && ending == null) {
        stated = received + CONNECTION_WINDOW;
        writeCredit(0, stated);
      }
    }
    return ending == null ? at : count;
  }

  private static final int[] LENGTHS = {
    MAX_CONTROL, MAX_CONTROL, FRAME_LIMIT, MAX_HEADERS, FRAME_LIMIT, FRAME_LIMIT, MAX_STATUS,
    MAX_CONTROL, 8, 8, MAX_CONTROL, 0, MAX_CONTROL, MAX_CONTROL, MAX_CONTROL, MAX_CONTROL
  };

  /** Validates a header before its payload is waited for. */
  private void check(int length, int type, int flags) throws Fault {
    if (length > LENGTHS[type] || ((type == CREDIT || type == PING) && length != 8)) {
      throw new Fault(FRAME_SIZE_ERROR, "a frame's length is not what its type allows");
    }
    String text = null;
    int allowed = type == PING ? END : type == DATA || type == RESPONSE ? MORE | COMPRESSED : 0;
    if (type == 0 || (type > CLOSE && (flags & IGNORABLE) == 0)) text = "a frame of an unknown type";
    else if (type == REQUEST || type == CLOSE) text = "a frame that only the other side sends";
    else if (type <= CLOSE && (flags & ~allowed) != 0) text = "a flag that the frame's type does not have";
    else if (type <= CLOSE && (flags & COMPRESSED) != 0) text = "a compressed message that was not negotiated";
    else if (!isGreeted && type != HELLO) text = "HELLO must be the first frame";
    else if (isGreeted && type == HELLO) text = "a second HELLO";
    if (text != null) throw new Fault(PROTOCOL_ERROR, text);
  }

  private void frameIn(int type, int flags, int id, byte[] payload) throws Fault {
    switch (type) {
      case HELLO -> {
        if (id != 0) throw new Fault(PROTOCOL_ERROR, "HELLO belongs to no stream");
        hello(payload);
      }
      case CREDIT -> credit(id, ByteBuffer.wrap(payload).getLong());
      case PING -> {
        if (id != 0) throw new Fault(PROTOCOL_ERROR, "a PING on a stream");
        if ((flags & END) != 0) return;
        if (++answers > MAX_ANSWERS) throw new Fault(CALM, "too many PINGs at once");
        write(PING, END, 0, payload);
      }
      case GOAWAY -> {
        if (id != 0) throw new Fault(PROTOCOL_ERROR, "GOAWAY belongs to no stream");
        goAway(payload);
      }
      case HEADERS, DATA, RESPONSE, STATUS, CANCEL -> streamFrame(type, flags, id, payload);
      default -> { }
    }
  }

  private boolean isNeverUsed(int id) {
    return id <= 0 || id % 2 == 0 || id >= nextId;
  }

  private void streamFrame(int type, int flags, int id, byte[] payload) throws Fault {
    if (isNeverUsed(id)) throw new Fault(PROTOCOL_ERROR, "a frame on a stream that was never opened");
    Stream stream = streams.get(id);
    if (type == DATA || type == RESPONSE) {
      if ((flags & MORE) != 0 && payload.length < SMALLEST_PART) {
        throw new Fault(PROTOCOL_ERROR, "a part of a message under 1024 bytes");
      }
      received += payload.length + FRAME_CHARGE;
      if (received > stated) throw new Fault(FLOW_CONTROL_ERROR, "more than the connection's allowance");
      if (stream != null) data(stream, type == RESPONSE, (flags & MORE) != 0, payload);
      return;
    }
    if (stream == null) return;
    try {
      switch (type) {
        case HEADERS -> headers(stream, payload);
        case STATUS -> status(stream, Status.parseFrom(payload));
        default -> {
          Cancel cancel = Cancel.parseFrom(payload);
          StatusCode code = cancel.getCode() == 0 ? StatusCode.CANCELLED : StatusCode.of(cancel.getCode());
          end(stream, RpcException.of(code, cancel.getReason(), Origin.SERVER, false), List.of());
        }
      }
    } catch (InvalidProtocolBufferException error) {
      throw new Fault(PROTOCOL_ERROR, "a payload that does not decode");
    }
  }

  private void hello(byte[] payload) throws Fault {
    Hello hello;
    try {
      hello = Hello.parseFrom(payload);
    } catch (InvalidProtocolBufferException error) {
      throw new Fault(PROTOCOL_ERROR, "a HELLO that does not decode");
    }
    long[] sizes = {
      hello.getMaxFrameBytes() & 0xFFFFFFFFL, hello.getMaxMessageBytes() & 0xFFFFFFFFL,
      hello.getInitialStreamCredit(), hello.getInitialConnectionCredit()
    };
    for (long size : sizes) {
      if (size < 0) throw new Fault(PROTOCOL_ERROR, "a limit of HELLO is too high");
      if (size > 0 && size < 4096) throw new Fault(PROTOCOL_ERROR, "a limit of HELLO is too low");
    }
    if (sizes[0] > LARGEST_FRAME) throw new Fault(PROTOCOL_ERROR, "a limit of HELLO is too high");
    isGreeted = true;
    peerFrame = (int) Math.max(peerFrame, sizes[0]);
    peerMessage = (int) Math.max(peerMessage, Math.min(sizes[1], Integer.MAX_VALUE));
    maxStreams = (int) Math.max(maxStreams, Math.min(hello.getMaxConcurrentStreams() & 0xFFFFFFFFL, 65536));
    long gain = sizes[2] - peerStreamCredit;
    if (gain > 0) {
      peerStreamCredit = sizes[2];
      for (Stream stream : streams.values()) {
        stream.allowance += gain;
        enqueue(stream);
      }
    }
    allowance = Math.max(allowance, sizes[3]);
    pump();
  }

  private void goAway(byte[] payload) throws Fault {
    GoAway message;
    try {
      message = GoAway.parseFrom(payload);
    } catch (InvalidProtocolBufferException error) {
      throw new Fault(PROTOCOL_ERROR, "a GOAWAY that does not decode");
    }
    int last = message.getLastStreamId();
    if (hasGoAway && Integer.compareUnsigned(last, lastId) > 0) {
      throw new Fault(PROTOCOL_ERROR, "GOAWAY's last stream may not rise");
    }
    hasGoAway = isDraining = true;
    lastId = last;
    int code = message.getCode();
    if (code != 0) {
      isUnauthenticated = code == UNAUTHENTICATED;
      // So does a port of another protocol say what it speaks.
      isForeign = code == PROTOCOL_ERROR && last == 0 && !hasAnswered;
      String name = code > 0 && code < ERRORS.length ? ERRORS[code] : "error " + code;
      close(RpcException.of(
          isUnauthenticated ? StatusCode.UNAUTHENTICATED : StatusCode.UNAVAILABLE,
          "the server ended the connection: " + name + ": " + message.getReason(),
          Origin.CONNECTION, false));
      return;
    }
    for (Stream stream : new ArrayList<>(streams.values())) {
      if (Integer.compareUnsigned(stream.id, last) > 0) {
        end(stream, RpcException.of(StatusCode.UNAVAILABLE,
            "the server drains and did not process the call", Origin.CONNECTION, true), List.of());
      }
    }
  }

  private void credit(int id, long value) throws Fault {
    if (id != 0 && isNeverUsed(id)) {
      throw new Fault(PROTOCOL_ERROR, "a frame on a stream that was never opened");
    }
    if (value < 0) throw new Fault(PROTOCOL_ERROR, "a CREDIT above 2^63 - 1");
    if (id == 0) {
      allowance = Math.max(allowance, value);
    } else {
      Stream stream = streams.get(id);
      if (stream == null || value <= stream.allowance) return;
      stream.allowance = value;
      enqueue(stream);
    }
    pump();
  }

  private void headers(Stream stream, byte[] payload) throws Fault, InvalidProtocolBufferException {
    if (stream.hasHeaders || stream.replyBegun) {
      throw new Fault(PROTOCOL_ERROR, "HEADERS must come first, and once");
    }
    List<Metadata> entries = entries(ResponseHead.parseFrom(payload).getMetadataList());
    stream.hasHeaders = true;
    RpcException error = metadataFault(entries);
    if (error == null) stream.onHeaders(entries);
    else giveUp(stream, error.code(), error.getMessage());
  }

  private static RpcException metadataFault(List<Metadata> entries) {
    StatusCode fault = Metadata.fault(entries);
    if (fault == null) return null;
    return fault == StatusCode.RESOURCE_EXHAUSTED
        ? RpcException.client(fault, "the metadata of the reply is over its limit")
        : RpcException.client(StatusCode.INTERNAL, "the metadata of the reply has an invalid key");
  }

  private static List<Metadata> entries(List<quiver.v1.Metadata> found) {
    List<Metadata> entries = new ArrayList<>(found.size());
    for (quiver.v1.Metadata one : found) {
      entries.add(new Metadata(one.getKey(), one.getValue().toByteArray()));
    }
    return List.copyOf(entries);
  }

  private void status(Stream stream, Status status) throws Fault {
    StatusCode code = StatusCode.of(status.getCode());
    List<Metadata> trailing = entries(status.getMetadataList());
    RpcException fault = metadataFault(trailing);
    if (code == StatusCode.OK) {
      if (stream.parts != null) throw new Fault(PROTOCOL_ERROR, "STATUS OK inside a message");
      if (!stream.replyStreams && !stream.hasMessage) {
        end(stream, RpcException.client(StatusCode.UNIMPLEMENTED, "the server sent OK without a reply"), List.of());
      } else {
        end(stream, fault, fault == null ? trailing : List.of());
      }
      return;
    }
    List<Metadata> details = new ArrayList<>();
    for (quiver.v1.Detail one : status.getDetailsList()) {
      details.add(new Metadata(one.getType(), one.getValue().toByteArray()));
    }
    boolean notProcessed = status.getNotProcessed() && !stream.hasHeaders && !stream.replyBegun;
    end(stream, new RpcException(code, status.getMessage(), List.copyOf(details),
        fault == null ? trailing : List.of(), notProcessed, status.getRetryAfterMs(), Origin.SERVER), List.of());
  }

  private void data(Stream stream, boolean isResponse, boolean hasMore, byte[] payload) throws Fault {
    int charge = payload.length + FRAME_CHARGE;
    stream.received += charge;
    if (stream.received > stream.stated) throw new Fault(FLOW_CONTROL_ERROR, "more than the stream's allowance");
    boolean isFirst = stream.reassembly == 0;
    if (!isFirst) {
      if (isResponse) throw new Fault(PROTOCOL_ERROR, "a RESPONSE inside a message");
    } else if (isResponse && (stream.replyStreams || stream.replyBegun)) {
      giveUp(stream, StatusCode.UNIMPLEMENTED, "the server sent a single reply");
      return;
    } else if (stream.hasMessage && !stream.replyStreams) {
      giveUp(stream, StatusCode.UNIMPLEMENTED, "the server sent a second reply");
      return;
    }
    if (isResponse) stream.hasMessage = true;
    boolean isSingleResponse = stream.hasMessage && !stream.replyStreams;
    stream.replyBegun = true;
    stream.reassembly += charge;
    int already = stream.parts == null ? 0 : stream.parts.size();
    if (already + payload.length > maxMessage) {
      giveUp(stream, StatusCode.RESOURCE_EXHAUSTED, "the reply is larger than " + maxMessage + " bytes");
      return;
    }
    byte[] message = payload;
    if (hasMore || stream.parts != null) {
      if (reassemblyBytes + payload.length > REASSEMBLY_LIMIT) {
        giveUp(stream, StatusCode.RESOURCE_EXHAUSTED, "the incomplete replies are larger than the limit");
        return;
      }
      if (stream.parts == null) stream.parts = new ByteArrayOutputStream(payload.length);
      stream.parts.write(payload, 0, payload.length);
      reassemblyBytes += payload.length;
      if (hasMore) {
        stream.partTime = now;
        stateCredit(stream);
        return;
      }
      message = stream.parts.toByteArray();
      reassemblyBytes -= message.length;
      stream.parts = null;
    }
    int whole = (int) stream.reassembly;
    stream.reassembly = 0;
    if (stream.replyStreams) {
      stream.waiting++;
      stream.onMessage(message, whole);
      return;
    }
    stream.hasMessage = true;
    stream.onMessage(message, 0);
    if (isSingleResponse) end(stream, null, List.of());
    else stream.taken += whole;
  }

  // ---- Ends

  private void fail(int code, String reason) {
    if (ending != null) return;
    if (prefaceSeen == 8) {
      write(GOAWAY, 0, 0, GoAway.newBuilder().setCode(code).setReason(reason).build().toByteArray());
    }
    hasFault = true;
    close(RpcException.of(StatusCode.UNAVAILABLE,
        "the connection failed: " + ERRORS[code] + ": " + reason, Origin.CONNECTION, false));
  }

  /** The transport has ended. */
  void lost(String reason) {
    close(RpcException.of(StatusCode.UNAVAILABLE, reason, Origin.CONNECTION, false));
  }

  /** States that no more calls come. */
  void goodbye() {
    if (ending != null || isDraining) return;
    isDraining = true;
    write(GOAWAY, 0, 0, new byte[0]);
  }

  private void close(RpcException error) {
    if (ending != null) return;
    ending = error;
    for (Stream stream : new ArrayList<>(streams.values())) {
      // Framed for a transport that never took a byte: it was not written.
      if (!hasSent) stream.isWritten = false;
      boolean notProcessed = !stream.isWritten
          || (hasGoAway && Integer.compareUnsigned(stream.id, lastId) > 0);
      end(stream, RpcException.of(error.code(), error.getMessage(), Origin.CONNECTION, notProcessed), List.of());
    }
  }

  // ---- Time

  /** When {@link #tick} must be called; Long.MAX_VALUE: never. */
  long due() {
    long due = Long.MAX_VALUE;
    if (ending != null) return due;
    if (!isGreeted) due = started + limits.hello();
    if (inEnd > 0) due = Math.min(due, frameSince + limits.frame());
    if (stalledSince != 0) due = Math.min(due, stalledSince + limits.output());
    if (pingSent != 0) due = Math.min(due, pingSent + limits.keepaliveTimeout());
    else if (!streams.isEmpty() && isGreeted) due = Math.min(due, lastInput + limits.keepalive());
    if (reassemblyBytes > 0) {
      for (Stream stream : streams.values()) {
        if (stream.parts != null) due = Math.min(due, stream.partTime + limits.message());
      }
    }
    return due;
  }

  void tick(long time) {
    if (ending != null) return;
    now = time;
    if (!isGreeted && now >= started + limits.hello()) fail(TIMEOUT, "the server sent no HELLO in time");
    else if (inEnd > 0 && now >= frameSince + limits.frame()) fail(TIMEOUT, "a frame was not complete in time");
    else if (stalledSince != 0 && now >= stalledSince + limits.output()) fail(TIMEOUT, "output made no progress");
    else if (pingSent != 0 && now >= pingSent + limits.keepaliveTimeout()) fail(TIMEOUT, "a PING was not answered");
    if (ending != null) return;
    if (pingSent == 0 && isGreeted && !streams.isEmpty() && now >= lastInput + limits.keepalive()) {
      pingSent = now;
      write(PING, 0, 0, new byte[] {'q', 'u', 'i', 'v', 'e', 'r', '-', 'j'});
    }
    if (reassemblyBytes == 0) return;
    for (Stream stream : new ArrayList<>(streams.values())) {
      if (stream.parts != null && now >= stream.partTime + limits.message()) {
        giveUp(stream, StatusCode.RESOURCE_EXHAUSTED, "the reply received nothing for too long");
      }
    }
  }
}
