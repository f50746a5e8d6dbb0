import Glibc

/// Starts threads of the store's own (`pthread_create`), for work that waits or is long.
enum OwnThread {
  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread, which ends with it.
  static func start(_ body: @escaping @Sendable () -> Void) throws(StoreError) {
    var thread = pthread_t()
    let reference = Unmanaged.passRetained(Body(body))
    let result = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, reference.toOpaque())
    guard result == 0 else {
      reference.release()
      throw StoreError(
        .resourceExhausted, "the system gave the store no thread", notProcessed: true)
    }
    pthread_detach(thread)
  }
}
