import QuiverWire

extension ConnectionCore {
  /// What the connection holds for its peer.
  var memoryBytes: Int {
    let held =
      egress.output.count &+ queuedMessageBytes &+ heldInputBytes &+ transportByteCount
    // Most turns end with no frame begun, and do not pay for counting one.
    return frameStartedAt == 0 ? held : held &+ deframer.keptByteCount
  }

  /// What was received and is kept: messages in parts, and those that nobody has taken.
  var heldInputBytes: Int { reassemblyBytes &+ untakenBytes }

  /// Reports to the share what has changed; at the end of a turn, and when much is queued.
  @inline(__always)
  mutating func reportHeld() {
    guard phase < .closed else { return }
    let held = memoryBytes
    let change = held &- reportedBytes
    guard change.magnitude >= ByteBudget.grain.magnitude || (held == 0 && change != 0) else {
      return
    }
    reportedBytes = held
    share?.add(change)
    if metrics != nil { reportDirections(change) }
  }

  /// Reports how much of a change concerns output, and how much what was received.
  private mutating func reportDirections(_ change: Int) {
    let outputChange = outputByteCount &- reportedOutputBytes
    metrics?.held(inputChange: change &- outputChange, outputChange: outputChange)
    reportedOutputBytes &+= outputChange
  }

  /// The connection is gone, and what it held with it.
  mutating func releaseReportedBytes() {
    share?.add(-reportedBytes)
    metrics?.held(
      inputChange: reportedOutputBytes - reportedBytes, outputChange: -reportedOutputBytes)
    reportedBytes = 0
    reportedOutputBytes = 0
  }

  /// Counts what the connection holds under another share from now on.
  mutating func move(to other: MemoryShare) {
    share?.move(reportedBytes, to: other)
    share = other
  }

  /// Reads how near the limits are; at the start of a turn.
  @inline(__always)
  package mutating func notePressure() {
    if let share { pressure = share.pressure }
  }

  /// Throws the status of a call whose received bytes find no room: `byteCount` more are to be
  /// kept.
  func checkRoom(for byteCount: Int) throws(RPCError) {
    guard heldInputBytes + byteCount <= limits.heldInputBytes else {
      throw exhausted(.heldInputBytes, "too many messages wait to be taken on this connection")
    }
    guard share?.hasRoom(for: byteCount) ?? true else {
      throw exhausted(.sharePercent, "the memory for this caller's messages is full")
    }
  }

  /// Whether `byteCount` bytes of a reply may be queued. One reply may always be, as far as the
  /// connection's own limit goes.
  func hasRoomToQueue(_ byteCount: Int) -> Bool {
    let queued = outputByteCount
    guard queued == 0 || queued &+ byteCount <= limits.outputBytes else {
      metrics?.reached(.outputBytes)
      return false
    }
    guard share?.hasRoom(for: byteCount) ?? true else {
      metrics?.reached(.sharePercent)
      return false
    }
    return true
  }
}
