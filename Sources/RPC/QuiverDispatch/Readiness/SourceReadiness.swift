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
    let added = SocketSources(socket.descriptor, queue) { ready(tag, $0) }
    added.change(to: events)
    sources[tag] = added
    return nil
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

/// The sources of one socket, made when their direction is first waited for.
///
/// A source runs while its events are waited for and is suspended otherwise. The descriptor closes
/// when both have ended, since Dispatch may refer to it until then.
///
/// On Linux a source reports a hangup once, as 0 readable bytes, and never fires again, whatever is
/// left to read. From then on ``readAgain()`` takes its place.
// Sendable because it is touched on the queue alone.
private final class SocketSources: @unchecked Sendable {
  private let descriptor: ClosingDescriptor
  private let queue: DispatchQueue
  private let ready: @Sendable (SocketEvents) -> Void
  private var events: SocketEvents = []
  private var reading: (any DispatchSourceRead)?
  private var writing: (any DispatchSourceWrite)?
  /// The source for reading may have fired for the last time.
  private var mayHaveHungUp = false
  private var isClosed = false

  init(
    _ descriptor: Int32, _ queue: DispatchQueue, _ ready: @escaping @Sendable (SocketEvents) -> Void
  ) {
    self.descriptor = ClosingDescriptor(descriptor)
    self.queue = queue
    self.ready = ready
  }

  func change(to wanted: SocketEvents) {
    let changed = wanted.symmetricDifference(events)
    events = wanted
    if changed.contains(.readable) {
      set(readSource(), isOn: wanted.contains(.readable))
      if mayHaveHungUp, wanted.contains(.readable) { readAgain() }
    }
    if changed.contains(.writable) { set(writeSource(), isOn: wanted.contains(.writable)) }
  }

  /// A new source is suspended until it is first resumed.
  private func set(_ source: any DispatchSourceProtocol, isOn: Bool) {
    if isOn { source.resume() } else { source.suspend() }
  }

  private func readSource() -> any DispatchSourceRead {
    if let reading { return reading }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue)
    source.setEventHandler { [weak self] () -> Void in self?.readSourceFired() }
    descriptor.closes(after: source)
    reading = source
    return source
  }

  private func readSourceFired() {
    if reading?.data == 0 { mayHaveHungUp = true }
    ready(.readable)
    if mayHaveHungUp { readAgain() }
  }

  /// Reports once more, in a later turn of the queue, that the socket can be read, if it can.
  private func readAgain() {
    queue.async { [weak self] () -> Void in
      guard let self, !isClosed, events.contains(.readable) else { return }
      var byte: UInt8 = 0
      let count = recv(descriptor.number, &byte, 1, Int32(MSG_PEEK))
      // Nothing to read and no end: the source will fire again.
      guard count >= 0 || (errno != EAGAIN && errno != EINTR) else { return }
      ready(.readable)
      readAgain()
    }
  }

  private func writeSource() -> any DispatchSourceWrite {
    if let writing { return writing }
    let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor.number, queue: queue)
    let ready = ready
    source.setEventHandler { () -> Void in ready(.writable) }
    descriptor.closes(after: source)
    writing = source
    return source
  }

  /// No handler is called from here on.
  func close() {
    isClosed = true
    reading?.cancel()
    writing?.cancel()
    if reading == nil, writing == nil { Platform.close(descriptor.number) }
    // A suspended source would not end.
    if let reading, !events.contains(.readable) { reading.resume() }
    if let writing, !events.contains(.writable) { writing.resume() }
  }
}

/// A descriptor that closes when all of its sources have ended.
// Sendable because its state is touched on the queue of the sources alone.
private final class ClosingDescriptor: @unchecked Sendable {
  let number: Int32
  private var sourceCount = 0

  init(_ number: Int32) { self.number = number }

  func closes(after source: any DispatchSourceProtocol) {
    sourceCount += 1
    source.setCancelHandler { () -> Void in
      self.sourceCount -= 1
      if self.sourceCount == 0 { Platform.close(self.number) }
    }
  }
}
