import Dispatch
import QuiverPlatform

/// A Dispatch source for each direction of each socket.
final class SourceReadiness: Readiness {
  private let queue: DispatchQueue
  /// Called on the queue with the tag of a socket that is ready.
  private let ready: @Sendable (UInt64, SocketEvents) -> Void
  private var sources: [UInt64: SocketSources] = [:]

  init(_ queue: DispatchQueue, _ ready: @escaping @Sendable (UInt64, SocketEvents) -> Void) {
    self.queue = queue
    self.ready = ready
  }

  func add(_ socket: Socket, _ events: SocketEvents) -> SystemError? {
    let (ready, tag) = (ready, socket.tag)
    do {
      let added = try SocketSources(socket.descriptor, queue) { ready(tag, $0) }
      added.change(to: events)
      sources[tag] = added
      return nil
    } catch {
      return error
    }
  }

  func change(_ socket: Socket, _ events: SocketEvents) { sources[socket.tag]?.change(to: events) }

  func close(_ socket: Socket) {
    if let removed = sources.removeValue(forKey: socket.tag) {
      removed.close()
    } else {
      Platform.close(socket.descriptor)
    }
  }

  func stop() {
    for socket in sources.values { socket.close() }
    sources = [:]
  }
}

@available(*, unavailable)
extension SourceReadiness: Sendable {}

/// The two sources of one socket.
///
/// The descriptor closes when both have ended, since Dispatch may refer to it until then.
// Sendable because it is touched on the queue alone.
private final class SocketSources: @unchecked Sendable {
  private let descriptor: Int32
  private let reading: DirectionSource
  private let writing: DirectionSource
  private var endedCount = 0

  /// On an error the descriptor stays open.
  init(
    _ descriptor: Int32, _ queue: DispatchQueue, _ ready: @escaping @Sendable (SocketEvents) -> Void
  ) throws(SystemError) {
    self.descriptor = descriptor
    let reading = try DirectionSource(.readable, of: descriptor, on: queue)
    do {
      writing = try DirectionSource(.writable, of: descriptor, on: queue)
    } catch {
      reading.setHandlers(ready: {}, ended: {})
      reading.cancel()
      throw error
    }
    self.reading = reading
    reading.setHandlers(ready: { ready(.readable) }, ended: { self.sourceEnded() })
    writing.setHandlers(ready: { ready(.writable) }, ended: { self.sourceEnded() })
  }

  func change(to wanted: SocketEvents) {
    reading.turn(on: wanted.contains(.readable))
    writing.turn(on: wanted.contains(.writable))
  }

  /// No handler is called from here on.
  func close() {
    reading.cancel()
    writing.cancel()
  }

  private func sourceEnded() {
    endedCount += 1
    if endedCount == 2 { Platform.close(descriptor) }
  }
}
