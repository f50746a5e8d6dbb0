import QuiverDispatch

/// One connection of an attacker of a gateway. One thread uses it.
final class GatewayPeer {
  let number: Int
  let socket: AttackSocket
  let connectedAt = Clock.nanoseconds()
  /// When something was last sent, and what the sender counts of it.
  var sentAt: UInt64 = 0
  var sentCount = 0
  /// Whether a request waits for its response.
  var isWaiting = false
  /// The first bytes of the latest response.
  private(set) var answer: [UInt8] = []

  private static let longestAnswer = 2_048

  init(number: Int, _ socket: AttackSocket) {
    self.number = number
    self.socket = socket
  }

  /// Reads what has arrived; false if the connection is lost.
  func receive(_ room: UnsafeMutableRawBufferPointer) -> Bool {
    socket.receive(room) { chunk in
      answer += chunk.prefix(Self.longestAnswer - answer.count)
    }
  }

  /// The status of the response that has begun; nil if none has.
  var status: Int? {
    let text = String(decoding: answer.prefix(12), as: UTF8.self)
    guard text.hasPrefix("HTTP/1.1 ") else { return nil }
    return Int(text.suffix(3))
  }

  func forgetAnswer() { answer = [] }
}
