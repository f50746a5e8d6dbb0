import Glibc

/// One HTTP/1.1 POST over a separate connection, with blocking calls; use it on a dedicated thread.
struct HTTPPost {
  let endpoint: TraceEndpoint
  /// For all of it: the connection, the request and the response.
  let timeoutMilliseconds: Int

  struct Response: Equatable {
    var status: Int
    var body: [UInt8]
  }

  /// The largest number of bytes of a response.
  private static let maxResponseBytes = 65_536

  /// Sends `body`; throws with a reason in words.
  func send(_ body: [UInt8], contentType: String) throws(HTTPFailure) -> Response {
    let due = Self.now() + timeoutMilliseconds
    let descriptor = try connected(due)
    defer { close(descriptor) }
    let head =
      "POST \(endpoint.path) HTTP/1.1\r\nHost: \(endpoint.authority)\r\n"
      + "Content-Type: \(contentType)\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    try write(Array(head.utf8) + body, to: descriptor, due)
    return try response(from: descriptor, due)
  }

  private func connected(_ due: Int) throws(HTTPFailure) -> Int32 {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(endpoint.host, String(endpoint.port), &hints, &list)
    guard failure == 0 else { throw HTTPFailure(String(cString: gai_strerror(failure))) }
    defer { freeaddrinfo(list) }
    var reason = "the host has no address"
    var next = list
    while let info = next?.pointee {
      next = info.ai_next
      let type = info.ai_socktype | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      let descriptor = socket(info.ai_family, type, 0)
      guard descriptor >= 0 else { continue }
      if connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 { return descriptor }
      if errno == EINPROGRESS, wait(descriptor, POLLOUT, due) {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        if code == 0 { return descriptor }
        errno = code
      } else if errno == EINPROGRESS {
        errno = ETIMEDOUT
      }
      reason = String(cString: strerror(errno))
      close(descriptor)
    }
    throw HTTPFailure("cannot connect to \(endpoint.authority): \(reason)")
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32, _ due: Int) throws(HTTPFailure) {
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        start += count
      } else if errno == EAGAIN {
        guard wait(descriptor, POLLOUT, due) else { throw HTTPFailure.late }
      } else if errno != EINTR {
        throw HTTPFailure("cannot send: \(String(cString: strerror(errno)))")
      }
    }
  }

  private func response(from descriptor: Int32, _ due: Int) throws(HTTPFailure) -> Response {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 8_192)
    while bytes.count <= Self.maxResponseBytes {
      if let response = try Self.response(in: bytes, isWhole: false) { return response }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 {
        guard let response = try Self.response(in: bytes, isWhole: true) else {
          throw HTTPFailure("the response ended early")
        }
        return response
      } else if errno == EAGAIN {
        guard wait(descriptor, POLLIN, due) else { throw HTTPFailure.late }
      } else if errno != EINTR {
        throw HTTPFailure("cannot receive: \(String(cString: strerror(errno)))")
      }
    }
    throw HTTPFailure("the response has more than \(Self.maxResponseBytes) bytes")
  }

  /// The response in the bytes; nil if it is not complete.
  ///
  /// - Parameter isWhole: the connection has ended, and with it a body without a length.
  static func response(in bytes: [UInt8], isWhole: Bool) throws(HTTPFailure) -> Response? {
    let end: [UInt8] = [13, 10, 13, 10]
    guard
      let headEnd = bytes.indices.first(where: { bytes[$0...].starts(with: end) })
    else { return nil }
    let lines = String(decoding: bytes[..<headEnd], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      throw HTTPFailure("the response is not HTTP/1.1")
    }
    var length: Int?
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == "content-length" {
        guard let count = Int(parts[1].drop { $0 == " " }), count >= 0 else {
          throw HTTPFailure("the response has a Content-Length that is no length")
        }
        length = count
      }
    }
    let body = Array(bytes[(headEnd + end.count)...])
    if let length {
      guard body.count >= length else { return nil }
      return Response(status: status, body: Array(body.prefix(length)))
    }
    return isWhole ? Response(status: status, body: body) : nil
  }

  /// Waits until the descriptor is ready; false if that is too late.
  private func wait(_ descriptor: Int32, _ events: Int32, _ due: Int) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    while true {
      let left = due - Self.now()
      guard left > 0 else { return false }
      let count = poll(&entry, 1, Int32(clamping: left))
      if count > 0 { return true }
      if count < 0, errno != EINTR { return false }
    }
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}

/// Why a POST had no response.
struct HTTPFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static let late = HTTPFailure("the collector did not answer in time")
}
