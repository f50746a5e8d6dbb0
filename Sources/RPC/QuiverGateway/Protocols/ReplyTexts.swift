import Glibc
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization

/// The JSON of the replies of streams, so that a message that the server sends to many watches at a
/// time is converted once.
///
/// It maps the bytes of a reply to their text, without the caller: a caller gets no text for bytes
/// that the server has not sent to that caller. May be used from any thread.
final class ReplyTexts: Sendable {
  private struct Entry {
    let schema: MessageSchema
    let reply: [UInt8]
    let text: [UInt8]

    var byteCount: Int { reply.count + text.count }
  }

  private struct State {
    /// By ``place(of:)``; a later reply takes the place of an earlier one.
    var entries = [Entry?](repeating: nil, count: ReplyTexts.placeCount)
    var byteCount = 0
  }

  private static let placeCount = 64

  private let state = Mutex(State())
  private let limit: Int

  /// - Parameter limit: bytes of all replies and texts that are kept.
  init(limit: Int) { self.limit = limit }

  /// Bytes of the replies and texts that are kept.
  var byteCount: Int { state.withLock { $0.byteCount } }

  /// The text of a reply of a type: that of an equal one, or what `convert` makes of it.
  func text(
    of reply: [UInt8], _ schema: MessageSchema, convert: () throws(RPCError) -> [UInt8]
  ) throws(RPCError) -> [UInt8] {
    if let known = known(reply, schema) { return known }
    let text = try convert()
    let entry = Entry(schema: schema, reply: reply, text: text)
    guard entry.byteCount <= limit / 4 else { return text }
    let place = Self.place(of: reply)
    state.withLock { state in
      state.byteCount -= state.entries[place]?.byteCount ?? 0
      if state.byteCount + entry.byteCount > limit { state = State() }
      state.byteCount += entry.byteCount
      state.entries[place] = entry
    }
    return text
  }

  /// The text of an equal reply; nil: none is kept.
  func known(_ reply: [UInt8], _ schema: MessageSchema) -> [UInt8]? {
    let entry = state.withLock { $0.entries[Self.place(of: reply)] }
    guard let entry, entry.schema === schema, Self.areEqual(entry.reply, reply) else { return nil }
    return entry.text
  }

  /// Replies that are equal have one place. Others may have the same.
  private static func place(of reply: [UInt8]) -> Int {
    reply.withUnsafeBytes { bytes in
      var hash = UInt64(bytes.count)
      var index = 0
      while index < bytes.count {
        var word: UInt64 = 0
        if index + 8 <= bytes.count {
          word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        } else {
          for byte in bytes[index...] { word = word << 8 | UInt64(byte) }
        }
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
        index += 8
      }
      return Int(hash % UInt64(placeCount))
    }
  }

  private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return one.withUnsafeBytes { one in
      other.withUnsafeBytes { other in
        guard let first = one.baseAddress, let second = other.baseAddress else { return true }
        return memcmp(first, second, one.count) == 0
      }
    }
  }
}
