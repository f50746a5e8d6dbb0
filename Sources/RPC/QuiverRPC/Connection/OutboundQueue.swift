import QuiverWire

/// What waits to be written on one stream, in order, with a count of the bytes that it holds.
struct OutboundQueue {
  private var items: [Item] = []
  private var head = 0
  /// Bytes of messages that are not framed yet, with the charge of a frame for each.
  private(set) var heldBytes = 0

  enum Item {
    case headers([UInt8])
    /// A message; `sent` of its bytes are out, and `type` is what its next frame is, which has
    /// the flag COMPRESSED where `isCompressed`.
    case message(
      [UInt8], type: FrameType, sent: Int, endsRequest: Bool, isCompressed: Bool = false)
    case status([UInt8])
    case close

    /// Bytes of a message that are not framed yet.
    var unsentBytes: Int {
      if case .message(let bytes, _, let sent, _, _) = self { bytes.count - sent } else { 0 }
    }
  }

  var isEmpty: Bool { head == items.count }
  var first: Item? { head < items.count ? items[head] : nil }

  /// Bytes of messages that are not framed yet.
  var unsentBytes: Int {
    items[head...].reduce(0) { $0 + $1.unsentBytes }
  }

  /// The size of the largest message, in bytes.
  var largestMessage: Int { items[head...].reduce(0) { max($0, $1.unsentBytes) } }

  mutating func append(_ item: Item) {
    if case .message = item { heldBytes += item.unsentBytes + Limits.frameCharge }
    items.append(item)
  }

  /// A part of the first message has been framed: what is left of it comes next.
  mutating func replaceFirst(_ item: Item) {
    heldBytes -= items[head].unsentBytes - item.unsentBytes
    items[head] = item
  }

  mutating func removeFirst() {
    precondition(head < items.count, "a queue with a first element")
    if case .message = items[head] { heldBytes -= items[head].unsentBytes + Limits.frameCharge }
    items[head] = .close
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: items.count <= 64)
      head = 0
    } else if head >= 64, head * 2 >= items.count {
      items.removeSubrange(0..<head)
      head = 0
    }
  }

  /// Compresses the messages, none of which has been framed, where `pack` answers something.
  mutating func compressMessages(_ pack: ([UInt8]) -> [UInt8]?) {
    for index in head..<items.count {
      guard case .message(let bytes, let type, let sent, let endsRequest, _) = items[index],
        let packed = pack(bytes)
      else { continue }
      heldBytes -= bytes.count - packed.count
      items[index] = .message(
        packed, type: type, sent: sent, endsRequest: endsRequest, isCompressed: true)
    }
  }

  /// Marks the last message as the one that ends the request; answers false if there is none, or
  /// if it is not wholly unsent.
  mutating func endWithLastMessage() -> Bool {
    guard head < items.count,
      case .message(let bytes, let type, let sent, _, let isCompressed) = items[items.count - 1]
    else { return false }
    items[items.count - 1] = .message(
      bytes, type: type, sent: sent, endsRequest: true, isCompressed: isCompressed)
    return true
  }
}
