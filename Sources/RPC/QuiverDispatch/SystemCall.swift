import QuiverPlatform

/// The system calls of this module, each with its EINTR and its errno handled once.
enum SystemCall {
  /// What a read or a write led to.
  enum Transfer: Equatable {
    case moved(Int)
    case wouldBlock
    /// The peer has disconnected: end of file, a reset or another error, as errno (0: end of file).
    case gone(Int32)
  }

  /// read(2).
  @inline(__always)
  static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ size: Int) -> Transfer
  {
    while true {
      let count = Platform.read(descriptor, buffer, size)
      if count > 0 { return .moved(count) }
      if count == 0 { return .gone(0) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      default: return .gone(errno)
      }
    }
  }

  /// send(2) without SIGPIPE.
  @inline(__always)
  static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Transfer {
    while true {
      let count = send(descriptor, bytes.baseAddress, bytes.count, Platform.sendFlags)
      if count >= 0 { return .moved(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      default: return .gone(errno)
      }
    }
  }

  /// accept(2), non-blocking and closed on exec; errno where it fails.
  static func accept(_ listener: Int32) -> Result<(Int32, SocketAddress), SystemError> {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    while true {
      let descriptor = withUnsafeMutablePointer(to: &storage) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Platform.accept(listener, $0, &length)
        }
      }
      if descriptor >= 0 { return .success((descriptor, SocketAddress(storage, length))) }
      if errno != EINTR && errno != ECONNABORTED { return .failure(SystemError(errno)) }
    }
  }

  /// A socket that connects to `address`, or has connected; it becomes writable when that is
  /// decided. EMFILE where only ``SpareDescriptors`` are left.
  static func beginConnecting(
    to address: SocketAddress, userTimeoutMilliseconds: Int
  ) -> Result<Int32, SystemError> {
    let descriptor = Platform.makeStreamSocket(address.family)
    guard descriptor >= 0 else { return .failure(SystemError(errno)) }
    guard !SpareDescriptors.include(descriptor) else {
      close(descriptor)
      return .failure(SystemError(EMFILE))
    }
    if !address.isUnix { tune(descriptor, userTimeoutMilliseconds: userTimeoutMilliseconds) }
    let code = address.withPointer { connect(descriptor, $0, $1) } == 0 ? 0 : errno
    guard code == 0 || code == EINPROGRESS else {
      close(descriptor)
      return .failure(SystemError(code))
    }
    return .success(descriptor)
  }

  /// CLOCK_MONOTONIC in nanoseconds.
  @inline(__always)
  static func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  static func setOption(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// getsockopt(2) of an integer; nil where the kernel refuses.
  static func option(_ descriptor: Int32, _ level: Int32, _ option: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, level, option, &value, &size) == 0 ? value : nil
  }

  /// The options of a connected socket: no delay, and the kernel's limit on unacknowledged data.
  static func tune(_ descriptor: Int32, userTimeoutMilliseconds: Int) {
    setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    Platform.setUserTimeout(descriptor, milliseconds: userTimeoutMilliseconds)
  }
}

/// An errno with its words.
package struct SystemError: Error, Equatable, CustomStringConvertible {
  package let code: Int32

  package init(_ code: Int32) { self.code = code }

  package var description: String { String(cString: strerror(code)) }
}
