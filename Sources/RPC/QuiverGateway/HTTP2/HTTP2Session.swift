import CNGHTTP2
import QuiverWire

/// HTTP/2 on one connection, by libnghttp2.
final class HTTP2Session: HTTPSession {
  unowned let host: any HTTPSessionHost
  let limits: GatewayLimits
  private let open: OpenExchanges
  private var session: OpaquePointer?
  // None of what is kept here calls the session back while it is changed: no access overlaps.
  /// The head that is being received: one at a time (RFC 9113, section 4.3).
  @exclusivity(unchecked)
  private var block = HeadBlock()
  @exclusivity(unchecked)
  private var knownHeads = KnownHeads()
  @exclusivity(unchecked)
  private var streams = StreamNumbers()
  @exclusivity(unchecked)
  private var faults: StreamFaults
  /// When the peer must have acknowledged SETTINGS; 0: it has, or the connection ends.
  private(set) var nextTimer: UInt64
  /// The time of the input that is being taken.
  private var now: UInt64
  /// Input waits because of the queue of frames.
  private var isQueueFull = false
  /// Queued frames are sent, nothing more is received.
  private(set) var hasFailed = false

  init(host: any HTTPSessionHost, open: OpenExchanges, limits: GatewayLimits, now: UInt64) {
    self.host = host
    self.open = open
    self.limits = limits
    self.now = now
    faults = StreamFaults(limits, now: now)
    nextTimer = now &+ UInt64(clamping: limits.settingsMilliseconds) &* 1_000_000
    session = HTTP2Callbacks.makeSession(self, limits)
    submitSettings()
  }

  deinit { nghttp2_session_del(session) }

  private func submitSettings() {
    var settings = [
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
        value: UInt32(clamping: limits.maxStreams)),
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue),
        value: UInt32(clamping: limits.streamWindowBytes)),
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
        value: UInt32(clamping: limits.maxHeadBytes)),
    ]
    nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), &settings, settings.count)
    nghttp2_session_set_local_window_size(
      session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, Int32(clamping: limits.connectionWindowBytes))
  }

  /// Nothing is read while too many frames wait for their way into the output, because each frame
  /// of the peer may add one.
  var wantsInput: Bool { !hasFailed && !hasFullQueue }

  private var hasFullQueue: Bool {
    nghttp2_session_get_outbound_queue_size(session) >= limits.maxQueuedFrames
  }

  var isFinished: Bool {
    hasFailed
      || nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
  }

  // MARK: Input and output

  func receive(_ bytes: UnsafeRawBufferPointer, now: UInt64) {
    guard !hasFailed, let base = bytes.baseAddress else { return }
    self.now = now
    let taken = nghttp2_session_mem_recv(
      session, base.assumingMemoryBound(to: UInt8.self), bytes.count)
    // Below zero: the peer breaks the protocol, or floods; the session has queued its GOAWAY.
    if taken < 0 { fail() }
    if !isQueueFull, hasFullQueue {
      isQueueFull = true
      host.reached(.queuedFrames)
    }
  }

  private func fail() {
    hasFailed = true
    open.endAll()
  }

  /// Ends the connection because of a limit.
  private func end(_ limit: GatewayLimit, _ code: nghttp2_error_code) {
    nextTimer = 0
    host.reached(limit)
    nghttp2_session_terminate_session(session, code.rawValue)
    fail()
  }

  func timerFired(now: UInt64) {
    guard nextTimer != 0, now >= nextTimer else { return }
    end(.settings, NGHTTP2_SETTINGS_TIMEOUT)
    host.hasOutput()
  }

  func fill(_ queue: inout ByteQueue, highWater: Int) {
    while queue.count < highWater {
      var bytes: UnsafePointer<UInt8>?
      let count = nghttp2_session_mem_send(session, &bytes)
      guard count > 0, let bytes else {
        if count < 0 { fail() }
        return
      }
      queue.append(UnsafeRawBufferPointer(start: bytes, count: count))
      if isQueueFull { isQueueFull = hasFullQueue }
    }
  }

  // MARK: What libnghttp2 calls

  /// HEADERS arrives. libnghttp2 ignores it on a stream that is closed or was passed over; RFC
  /// 9113, section 5.1, requires that the connection ends.
  func beganHeaders(_ stream: Int32) {
    guard !hasFailed, stream & 1 == 1, !streams.opens(stream), open[stream] == nil,
      let code = streams.error(of: stream)
    else { return }
    nghttp2_session_terminate_session(session, code)
  }

  func beganHead() { block.begin() }

  func received(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    block.append(name, value, limits)
  }

  /// The head of a request is complete.
  func receivedHead(_ stream: Int32, isEnd: Bool) {
    let exchange = host.makeExchange(
      block.head(&knownHeads), own: block.ownFields, session: self, streamID: stream)
    if isEnd { exchange.receivedEnd() }
    guard !block.isTooLarge else {
      host.reached(block.hasTooManyFields ? .fields : .headBytes)
      return exchange.respond(HTTPResponseHead(431))
    }
    host.answer(exchange)
  }

  func receivedData(_ bytes: UnsafeRawBufferPointer, _ stream: Int32) {
    guard let exchange = open[stream], !exchange.isOver else {
      nghttp2_session_consume(session, stream, bytes.count)
      return
    }
    exchange.received(bytes)
  }

  /// The peer has acknowledged SETTINGS.
  func acknowledgedSettings() { nextTimer = 0 }

  /// A frame of the peer was refused because of an error of libnghttp2.
  func refusedFrame(_ stream: Int32, _ error: Int32) {
    _ = streams.endedHere(stream)
    guard error == NGHTTP2_ERR_REFUSED_STREAM.rawValue else { return countFault() }
    host.reached(.streams)
    if faults.countRefused() == .exceeded { end(.refusedStreams, NGHTTP2_ENHANCE_YOUR_CALM) }
  }

  /// The peer has reset a stream, or has made this side reset one.
  func countFault() {
    if faults.count(now: now) == .exceeded { end(.resets, NGHTTP2_ENHANCE_YOUR_CALM) }
  }

  /// A reset was sent.
  func sentReset(_ stream: Int32, _ code: UInt32) {
    let isNew = streams.endedHere(stream)
    // Most errors of the peer were counted when they came. The others, of a length or a window,
    // have codes with which this side resets nothing else.
    let codes = [NGHTTP2_PROTOCOL_ERROR.rawValue, NGHTTP2_FLOW_CONTROL_ERROR.rawValue]
    if isNew, codes.contains(code) { countFault() }
  }

  func receivedEnd(_ stream: Int32) { open[stream]?.receivedEnd() }

  func closedStream(_ stream: Int32) {
    guard let exchange = open[stream] else { return }
    releaseInput(of: exchange)
    open.end(stream)
  }

  /// Returns bytes that will not be read to the connection's window.
  private func releaseInput(of exchange: HTTPExchange) {
    let count = exchange.dropInput()
    if count > 0 { nghttp2_session_consume_connection(session, count) }
  }

  /// The last frame of a response was sent: the rest of the request is discarded.
  func sentEnd(_ stream: Int32) {
    guard let exchange = open[stream], !exchange.hasWholeRequest else { return }
    nghttp2_submit_rst_stream(
      session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, UInt32(NGHTTP2_NO_ERROR.rawValue))
  }

  /// A head or trailers were not sent. The peer is told so, unless the stream is over.
  func couldNotSendHead(_ stream: Int32) {
    guard open[stream] != nil else { return }
    nghttp2_submit_rst_stream(
      session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream,
      UInt32(NGHTTP2_INTERNAL_ERROR.rawValue))
  }

  /// Copies what waits to be sent on a stream into `buffer`. Answers the count, or an error of
  /// libnghttp2, and sets the flags of the frame.
  func read(
    _ stream: Int32, into buffer: UnsafeMutableRawBufferPointer, flags: inout UInt32
  ) -> Int {
    guard let exchange = open[stream], !exchange.isOver else {
      return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    let waiting = exchange.waitingOutput
    let count = min(waiting.count, buffer.count)
    if count > 0 {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: waiting[..<count]))
      exchange.tookOutput(count)
    }
    guard exchange.waitingOutput.isEmpty, let trailers = exchange.trailers else {
      return count > 0 ? count : Int(NGHTTP2_ERR_DEFERRED.rawValue)
    }
    flags |= NGHTTP2_DATA_FLAG_EOF.rawValue
    if !trailers.entries.isEmpty {
      flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
      HTTP2Fields.with(status: nil, trailers) {
        _ = nghttp2_submit_trailer(session, stream, $0, $1)
      }
    }
    return count
  }

  // MARK: What an exchange asks for

  func changed(_ exchange: HTTPExchange) {
    let stream = exchange.streamID
    guard open[stream] === exchange, let head = exchange.responseHead else { return }
    if exchange.isSubmitted {
      nghttp2_session_resume_data(session, stream)
    } else {
      exchange.isSubmitted = true
      submit(head, exchange)
    }
    host.hasOutput()
  }

  private func submit(_ head: HTTPResponseHead, _ exchange: HTTPExchange) {
    // Without a body the head ends the stream: gRPC's answers that are trailers only.
    let isWhole = exchange.trailers?.entries.isEmpty == true && exchange.waitingOutput.isEmpty
    var provider = nghttp2_data_provider()
    provider.read_callback = HTTP2Callbacks.read
    HTTP2Fields.with(status: head.status, head.fields) { fields, count in
      if isWhole {
        _ = nghttp2_submit_response(session, exchange.streamID, fields, count, nil)
      } else {
        _ = nghttp2_submit_response(session, exchange.streamID, fields, count, &provider)
      }
    }
  }

  func consumed(_ byteCount: Int, of exchange: HTTPExchange) {
    nghttp2_session_consume(session, exchange.streamID, byteCount)
    host.hasOutput()
  }

  func abort(_ exchange: HTTPExchange) {
    guard open[exchange.streamID] === exchange else { return }
    releaseInput(of: exchange)
    nghttp2_submit_rst_stream(
      session, UInt8(NGHTTP2_FLAG_NONE.rawValue), exchange.streamID,
      UInt32(NGHTTP2_INTERNAL_ERROR.rawValue))
    host.hasOutput()
  }

  // MARK: Life

  func drain() {
    nghttp2_submit_goaway(
      session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nghttp2_session_get_last_proc_stream_id(session),
      UInt32(NGHTTP2_NO_ERROR.rawValue), nil, 0)
    host.hasOutput()
  }

  func finish() {
    nghttp2_session_terminate_session(session, UInt32(NGHTTP2_NO_ERROR.rawValue))
    host.hasOutput()
  }

  func closed() {
    fail()
  }
}
