import Glibc

/// A thread that runs one function and is not joined.
enum DetachedThread {
  private final class Start {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts it; false where the system has no thread for it.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let start = Unmanaged.passRetained(Start(body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, start.toOpaque())
    if code == 0 { pthread_detach(thread) } else { start.release() }
    return code == 0
  }
}
