// The only file that imports the C library of a platform. Modules that run on several platforms
// import this one instead.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Android)
  @_exported public import Android
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif
#if os(Linux) || os(Android)
  package import CEpoll
#endif

/// The calls that differ between platforms, and those whose names Swift types would hide.
package enum Platform {
  // MARK: Descriptors

  /// read(2).
  @inlinable @inline(__always)
  package static func read(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer, _ size: Int
  ) -> Int {
    #if canImport(Glibc)
      Glibc.read(descriptor, buffer, size)
    #elseif canImport(Musl)
      Musl.read(descriptor, buffer, size)
    #elseif canImport(Android)
      Android.read(descriptor, buffer, size)
    #else
      Darwin.read(descriptor, buffer, size)
    #endif
  }

  /// close(2).
  package static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #elseif canImport(Android)
      _ = Android.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }

  /// listen(2).
  package static func listen(_ descriptor: Int32, _ backlog: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.listen(descriptor, backlog)
    #elseif canImport(Musl)
      Musl.listen(descriptor, backlog)
    #elseif canImport(Android)
      Android.listen(descriptor, backlog)
    #else
      Darwin.listen(descriptor, backlog)
    #endif
  }

  /// The greatest number of descriptors that the process may have now (`getrlimit`).
  package static var descriptorLimit: UInt64 {
    var limit = rlimit()
    #if canImport(Glibc)
      let code = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #else
      let code = getrlimit(RLIMIT_NOFILE, &limit)
    #endif
    return code == 0 ? UInt64(limit.rlim_cur) : .max
  }

  // MARK: Sockets

  /// SOCK_STREAM as a number.
  package static var streamType: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  /// A stream socket, non-blocking and closed on exec, that raises no SIGPIPE with ``sendFlags``;
  /// negative where there is none (`errno`).
  package static func makeStreamSocket(_ family: Int32) -> Int32 {
    #if canImport(Glibc)
      let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      return socket(family, streamType | flags, 0)
    #elseif os(Linux) || os(Android)
      return socket(family, streamType | Int32(SOCK_NONBLOCK) | Int32(SOCK_CLOEXEC), 0)
    #else
      return prepared(socket(family, streamType, 0))
    #endif
  }

  /// accept(2) with the properties of ``makeStreamSocket(_:)``.
  package static func accept(
    _ listener: Int32, _ address: UnsafeMutablePointer<sockaddr>,
    _ length: UnsafeMutablePointer<socklen_t>
  ) -> Int32 {
    #if canImport(Glibc)
      let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      return quiver_accept4(listener, address, length, flags)
    #elseif os(Linux) || os(Android)
      return quiver_accept4(listener, address, length, Int32(SOCK_NONBLOCK) | Int32(SOCK_CLOEXEC))
    #else
      return prepared(Darwin.accept(listener, address, length))
    #endif
  }

  #if canImport(Darwin)
    /// Gives a new socket what Linux gives it by flags: a fork between the calls inherits it.
    private static func prepared(_ descriptor: Int32) -> Int32 {
      guard descriptor >= 0 else { return descriptor }
      var isOn: Int32 = 1
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
      setsockopt(
        descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
      return descriptor
    }
  #endif

  /// The flags of send(2) that keep SIGPIPE from the process; Darwin has an option of the socket.
  @inlinable @inline(__always)
  package static var sendFlags: Int32 {
    #if canImport(Darwin)
      0
    #else
      Int32(MSG_NOSIGNAL)
    #endif
  }

  /// Has close(2) reset the connection of a socket (`SO_LINGER` of 0): the kernel keeps nothing of
  /// it.
  package static func resetOnClose(_ descriptor: Int32) {
    var value = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
  }

  /// Has the kernel end a TCP connection whose bytes are not acknowledged for so long.
  package static func setUserTimeout(_ descriptor: Int32, milliseconds: Int) {
    #if canImport(Darwin)
      // In whole seconds here.
      var value = Int32(clamping: (milliseconds + 999) / 1000)
      let option = TCP_RXT_CONNDROPTIME
    #else
      var value = Int32(clamping: milliseconds)
      let option = TCP_USER_TIMEOUT
    #endif
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The user of the process at the other end of a Unix socket, as the kernel reports it; nil if it
  /// does not.
  package static func peerUserID(_ descriptor: Int32) -> UInt32? {
    #if canImport(Darwin)
      var (user, group) = (uid_t(), gid_t())
      return getpeereid(descriptor, &user, &group) == 0 ? user : nil
    #else
      var user: UInt32 = 0
      return quiver_peer_user(descriptor, &user) == 0 ? user : nil
    #endif
  }

  /// The address of a Unix socket, with its length.
  package static func unixAddress(_ path: String) -> (sockaddr_un, socklen_t) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    #if canImport(Darwin)
      address.sun_len = UInt8(length)
    #endif
    withUnsafeMutableBytes(of: &address.sun_path) { room in
      room.copyBytes(from: path.utf8.prefix(room.count - 1))
    }
    return (address, length)
  }

  /// The longest path of a Unix socket, its closing zero left out.
  package static let maxUnixPathBytes =
    MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  // MARK: Threads and memory

  /// A number that differs between the threads of the process.
  @inlinable @inline(__always)
  package static var currentThread: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  /// Gives the calling thread alone a priority below that of the process, by so much where the
  /// platform has nice(2). If that fails, the thread keeps its priority.
  package static func lowerThreadPriority(by niceness: Int32) {
    #if canImport(Darwin)
      pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
    #else
      #if canImport(Glibc)
        let which = __priority_which_t(PRIO_PROCESS.rawValue)
      #else
        let which = PRIO_PROCESS
      #endif
      // On Linux 0 names the calling thread, and the number of the process its first one.
      setpriority(which, 0, min(getpriority(which, id_t(getpid())) + niceness, 19))
    #endif
  }

  /// Runs `body` on a detached thread; false where there is none to be had.
  package static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    // Retained for the thread, which releases it.
    let box = Unmanaged.passRetained(ThreadBody(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = pthread_create(
        &thread, nil,
        { box in
          Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().run()
          return nil
        }, box.toOpaque())
    #else
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { box in
          guard let box else { return nil }
          Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().run()
          return nil
        }, box.toOpaque())
    #endif
    guard code == 0 else {
      box.release()
      return false
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
    return true
  }

  private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// How many cores the process may run on, as taskset or its container has set it.
  package static func usableCoreCount() -> Int {
    #if canImport(Darwin)
      max(1, Int(sysconf(_SC_NPROCESSORS_ONLN)))
    #else
      var mask = [UInt8](repeating: 0, count: 1024)
      let written = quiver_affinity(&mask, UInt(mask.count))
      guard written > 0 else { return 1 }
      return max(1, mask.prefix(written).reduce(0) { $0 + $1.nonzeroBitCount })
    #endif
  }

  /// Keeps freed memory below `kept` bytes from the kernel, and gives blocks from `own` bytes on
  /// memory of their own (mallopt(3)); false where the allocator has no such settings.
  package static func keepFreedMemory(kept: Int32, own: Int32) -> Bool {
    #if canImport(Glibc)
      quiver_keep_freed(kept, own) != 0
    #else
      false
    #endif
  }

  /// Returns freed memory to the kernel (malloc_trim(3)), where the allocator does so on request.
  package static func releaseFreedMemory() {
    #if canImport(Glibc)
      _ = quiver_release_freed()
    #endif
  }

  // MARK: Time and files

  /// Nanoseconds of a clock that continues while the machine sleeps.
  package static func bootNanoseconds() -> UInt64 {
    var time = timespec()
    #if canImport(Darwin)
      clock_gettime(CLOCK_MONOTONIC, &time)
    #else
      clock_gettime(CLOCK_BOOTTIME, &time)
    #endif
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Milliseconds since 1970 of the clock that people set.
  package static func wallMilliseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(max(0, time.tv_sec)) &* 1_000 &+ UInt64(time.tv_nsec) / 1_000_000
  }

  /// When a file was last changed, in nanoseconds since 1970.
  package static func changeNanoseconds(_ status: stat) -> Int {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
  }
}
