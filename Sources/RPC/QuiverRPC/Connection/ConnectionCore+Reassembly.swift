import QuiverWire

extension ConnectionCore {
  /// What a part of a message led to.
  enum Part {
    /// More of the message is to come.
    case incomplete
    /// The message is whole: its bytes lie in the frame.
    case inPlace
    /// The message is whole, and this owns its bytes.
    case assembled(Reassembly)
  }

  /// Takes a part of a message, whose frame has been charged.
  ///
  /// Throws the status that ends the call when the message is too large for its limit or the
  /// connection's room for messages in parts.
  mutating func receivePart(
    slot: Int, _ bytes: UnsafeRawBufferPointer, isCompressed: Bool, goesOn: Bool, now: UInt64
  ) throws(RPCError) -> Part {
    if isCompressed { streams[slot].flags.insert(.messageCompressed) }
    if !goesOn, !streams[slot].flags.contains(.inMessage) {
      guard bytes.count <= own.maxMessageBytes else { throw messageTooLarge }
      return streams[slot].flags.contains(.messageCompressed)
        ? .assembled(try decompress(slot, bytes)) : .inPlace
    }
    // Not looked up for a whole message: reading a reference out of the table takes an allocation.
    let kept = streams[slot].reassembly?.bytes.count ?? 0
    guard kept + bytes.count <= own.maxMessageBytes else { throw messageTooLarge }
    guard reassemblyBytes + bytes.count <= limits.reassemblyBytes else {
      throw exhausted(.reassemblyBytes, "too many unfinished messages on this connection")
    }
    try checkRoom(for: bytes.count)
    if streams[slot].reassembly == nil { streams[slot].measuredFrom = (now, 0) }
    let reassembly = streams[slot].reassembly ?? Reassembly()
    streams[slot].reassembly = reassembly
    reassembly.bytes.append(bytes)
    reassemblyBytes += bytes.count
    if bytes.count > 0 || !streams[slot].flags.contains(.inMessage) { streams[slot].lastGain = now }
    guard !goesOn else {
      streams[slot].flags.insert(.inMessage)
      noteDeadline(reassemblyDue(slot))
      noteCreditPending(slot)
      return .incomplete
    }
    return .assembled(try assembled(slot))
  }

  /// Takes the whole message that a stream has kept. Throws the status that ends the call.
  mutating func assembled(_ slot: Int) throws(RPCError) -> Reassembly {
    let kept = streams[slot].reassembly ?? Reassembly()
    dropReassembly(slot)
    return streams[slot].flags.contains(.messageCompressed)
      ? try decompress(slot, kept.bytes.bytes) : kept
  }

  /// The stream's message, whose compressed bytes are there. Throws the status that ends the call.
  mutating func decompress(
    _ slot: Int, _ bytes: UnsafeRawBufferPointer
  ) throws(RPCError) -> Reassembly {
    streams[slot].flags.remove(.messageCompressed)
    return try decompressed(bytes)
  }

  var messageTooLarge: RPCError {
    exhausted(.maxMessageBytes, "a message is at most \(own.maxMessageBytes) bytes here")
  }

  /// When the message that a stream has in reassembly ends its call if nothing more comes: it must
  /// gain something within the timeout, and come at the minimum rate on average.
  func reassemblyDue(_ slot: Int) -> UInt64 {
    let idleDue = streams[slot].lastGain &+ reassemblyTimeout
    // While messages wait before it, this side withholds the credit.
    guard limits.minimumReceiveRate > 0, streams[slot].waitingMessages == 0 else { return idleDue }
    let (start, before) = streams[slot].measuredFrom
    let gained = max(0, (streams[slot].reassembly?.bytes.count ?? 0) - before)
    let paid = UInt64(gained) &* 1_000_000_000 / UInt64(limits.minimumReceiveRate)
    return min(idleDue, start &+ max(reassemblyTimeout, paid))
  }

  var reassemblyTimeout: UInt64 { UInt64(limits.reassemblyTimeoutMilliseconds) * 1_000_000 }

  /// Makes sure that the timer fires no later than `deadline`; 0 asks for nothing.
  mutating func noteDeadline(_ deadline: UInt64) {
    guard deadline != 0, earliestDeadline == 0 || deadline < earliestDeadline else { return }
    earliestDeadline = deadline
  }
}
