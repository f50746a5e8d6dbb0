import QuiverWire

extension ConnectionCore {
  /// Room for a message of up to `byteCount` bytes: where its frame's payload will be, behind the
  /// output's end; or, for one that will go out in parts, memory of its own that becomes its queue.
  ///
  /// Valid until the next change. Once the message is written, call
  /// ``takeOwnRoom(_:)`` or by framing it where it is.
  @inline(__always)
  mutating func room(_ byteCount: Int) -> UnsafeMutableRawPointer {
    byteCount <= wholeReplyBytes ? roomBehindOutput(byteCount) : makeOwnRoom(byteCount)
  }

  /// Room behind the output's end, with that of a frame's header before it.
  @inline(__always)
  mutating func roomBehindOutput(_ byteCount: Int) -> UnsafeMutableRawPointer {
    egress.output.reserve(FrameHeader.byteCount &+ byteCount) + FrameHeader.byteCount
  }

  @inline(never)
  private mutating func makeOwnRoom(_ byteCount: Int) -> UnsafeMutableRawPointer {
    useOwnRoom([UInt8](unsafeUninitializedCapacity: byteCount) { $1 = byteCount })
    // A native array's storage stays where it is for as long as the array does.
    guard let base = ownRoom.withUnsafeBytes({ $0.baseAddress }) else {
      preconditionFailure("room for a message in parts is not empty")
    }
    return UnsafeMutableRawPointer(mutating: base)
  }

  /// Takes a message that is written already as if it had been written to memory of its own.
  mutating func useOwnRoom(_ bytes: [UInt8]) {
    ownRoom = bytes
    // Nothing is plain until it is taken: what is written there is not behind the output's end.
    plainReplyBytes = -1
  }

  /// The message of `byteCount` bytes that was written to memory of its own; nil: it lies behind
  /// the output's end.
  mutating func takeOwnRoom(_ byteCount: Int) -> [UInt8]? {
    guard !ownRoom.isEmpty else { return nil }
    var message: [UInt8] = []
    swap(&message, &ownRoom)
    noteReplyBytes()
    message.removeLast(message.count - byteCount)
    return message
  }
}
