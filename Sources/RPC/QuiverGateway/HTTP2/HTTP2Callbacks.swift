import CNGHTTP2

/// What libnghttp2 calls back. Each finds its session by the user data.
enum HTTP2Callbacks {
  /// A server's session with these limits; its callbacks hold `owner` unretained.
  static func makeSession(_ owner: HTTP2Session, _ limits: GatewayLimits) -> OpaquePointer? {
    var callbacks: OpaquePointer?
    var options: OpaquePointer?
    var session: OpaquePointer?
    guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&options) == 0 else {
      preconditionFailure("no memory for an HTTP/2 session")
    }
    defer {
      nghttp2_session_callbacks_del(callbacks)
      nghttp2_option_del(options)
    }
    nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, beginFrame)
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, beginHeaders)
    nghttp2_session_callbacks_set_on_header_callback(callbacks, header)
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frame)
    nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, sent)
    nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks, notSent)
    nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, invalid)
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, data)
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, streamClose)
    nghttp2_option_set_no_auto_window_update(options, 1)
    // Resets are counted together with errors of streams, by the session.
    nghttp2_option_set_stream_reset_rate_limit(options, .max, 1)
    nghttp2_option_set_max_send_header_block_length(options, largestSentHeadBytes)
    nghttp2_option_set_max_outbound_ack(options, 100)
    nghttp2_option_set_max_settings(options, 32)
    nghttp2_option_set_no_closed_streams(options, 1)
    let owner = Unmanaged.passUnretained(owner).toOpaque()
    guard nghttp2_session_server_new2(&session, callbacks, owner, options) == 0 else {
      preconditionFailure("no memory for an HTTP/2 session")
    }
    return session
  }

  /// Of a response's head or trailers, before they are compressed: what a server may send with the
  /// end of a call, in base64, and more than ``GRPCStatus`` lets through.
  private static let largestSentHeadBytes = 262_144

  private static func session(_ user: UnsafeMutableRawPointer?) -> HTTP2Session? {
    user.map { Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func isRequestHead(_ frame: UnsafePointer<nghttp2_frame>) -> Bool {
    frame.pointee.hd.type == UInt8(NGHTTP2_HEADERS.rawValue)
      && frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
  }

  private static let beginFrame: nghttp2_on_begin_frame_callback = { _, head, user in
    if let head, head.pointee.type == UInt8(NGHTTP2_HEADERS.rawValue) {
      session(user)?.beganHeaders(head.pointee.stream_id)
    }
    return 0
  }

  private static let beginHeaders: nghttp2_on_begin_headers_callback = { _, frame, user in
    guard let frame, let session = session(user) else { return 0 }
    if isRequestHead(frame) { session.beganHead() }
    return 0
  }

  private static let header: nghttp2_on_header_callback = {
    _, frame, name, nameCount, value, valueCount, _, user in
    guard let frame, let user, isRequestHead(frame) else { return 0 }
    // Called for each field: the session, which called libnghttp2, is not retained again.
    Unmanaged<HTTP2Session>.fromOpaque(user)._withUnsafeGuaranteedRef {
      $0.received(
        UnsafeBufferPointer(start: name, count: nameCount),
        UnsafeBufferPointer(start: value, count: valueCount))
    }
    return 0
  }

  private static let frame: nghttp2_on_frame_recv_callback = { _, frame, user in
    guard let frame, let session = session(user) else { return 0 }
    let head = frame.pointee.hd
    let isEnd = head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
    if head.type == UInt8(NGHTTP2_RST_STREAM.rawValue) { session.countFault() }
    if head.type == UInt8(NGHTTP2_SETTINGS.rawValue),
      head.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0
    {
      session.acknowledgedSettings()
    }
    if isRequestHead(frame) {
      session.receivedHead(head.stream_id, isEnd: isEnd)
    } else if isEnd,
      head.type == UInt8(NGHTTP2_DATA.rawValue) || head.type == UInt8(NGHTTP2_HEADERS.rawValue)
    {
      session.receivedEnd(head.stream_id)
    }
    return 0
  }

  private static let sent: nghttp2_on_frame_send_callback = { _, frame, user in
    guard let frame, let session = session(user) else { return 0 }
    let head = frame.pointee.hd
    if head.type == UInt8(NGHTTP2_RST_STREAM.rawValue) {
      session.sentReset(head.stream_id, frame.pointee.rst_stream.error_code)
    }
    if head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0,
      head.type == UInt8(NGHTTP2_DATA.rawValue) || head.type == UInt8(NGHTTP2_HEADERS.rawValue)
    {
      session.sentEnd(head.stream_id)
    }
    return 0
  }

  /// A head or trailers that cannot be sent end their stream: libnghttp2 would leave it open.
  private static let notSent: nghttp2_on_frame_not_send_callback = { _, frame, _, user in
    guard let frame, let session = session(user) else { return 0 }
    if frame.pointee.hd.type == UInt8(NGHTTP2_HEADERS.rawValue) {
      session.couldNotSendHead(frame.pointee.hd.stream_id)
    }
    return 0
  }

  private static let invalid: nghttp2_on_invalid_frame_recv_callback = { _, frame, error, user in
    if let frame { session(user)?.refusedFrame(frame.pointee.hd.stream_id, error) }
    return 0
  }

  private static let data: nghttp2_on_data_chunk_recv_callback = {
    _, _, stream, bytes, count, user in
    session(user)?.receivedData(UnsafeRawBufferPointer(start: bytes, count: count), stream)
    return 0
  }

  private static let streamClose: nghttp2_on_stream_close_callback = { _, stream, _, user in
    session(user)?.closedStream(stream)
    return 0
  }

  /// Reads the body of a response.
  static let read: nghttp2_data_source_read_callback = {
    _, stream, buffer, count, flags, _, user in
    guard let session = session(user), let buffer, let flags else {
      return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)
    }
    return session.read(
      stream, into: UnsafeMutableRawBufferPointer(start: buffer, count: count),
      flags: &flags.pointee)
  }
}
