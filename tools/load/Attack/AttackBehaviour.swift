import QuiverRPC
import QuiverRules

/// What distinguishes one attack from the others. One thread uses it.
protocol AttackBehaviour: AnyObject {
  /// What a new connection states; nil: it sends ``firstBytes`` instead.
  func hello(_ peer: AttackPeer) -> Hello?

  /// The server has accepted a connection.
  func opened(_ peer: AttackPeer)

  /// Looks at an open connection and its ended calls; sends what the attack wants.
  func turn(_ peer: AttackPeer, _ now: UInt64)

  /// What a connection without a HELLO sends.
  var firstBytes: [UInt8] { get }

  /// How long to wait before a lost connection is made again, in nanoseconds.
  var pause: UInt64 { get }
}

extension AttackBehaviour {
  var firstBytes: [UInt8] { [] }
  var pause: UInt64 { 100_000_000 }

  func opened(_ peer: AttackPeer) {}
  func turn(_ peer: AttackPeer, _ now: UInt64) { peer.endings = [] }
}

extension Hello {
  /// The greeting of an attacker.
  ///
  /// - Parameter streamCredit: bytes of each reply that the server may send before it must wait.
  static func attacker(token: String?, streamCredit: UInt64) -> Hello {
    var hello = Hello()
    hello.versionMin = 1
    hello.versionMax = 1
    hello.software = "quiver-load attacker"
    hello.authToken = Array((token ?? "").utf8)
    hello.initialStreamCredit = streamCredit
    hello.initialConnectionCredit = unlimitedCredit
    return hello
  }

  /// More than any attack receives.
  static let unlimitedCredit: UInt64 = 1 << 62
  /// The least that a HELLO may state.
  static let tinyCredit: UInt64 = 4_096
}

/// Keeps some connections without calls: without a token, with wrong ones, or half open.
final class ConnectingBehaviour: AttackBehaviour {
  private let attack: Attack
  private let tally: Tally
  private var random: SplitMix64
  /// Half of a preface, or of a TLS record.
  let firstBytes: [UInt8]
  let pause: UInt64

  init(_ attack: Attack, isTLS: Bool, _ tally: Tally, _ random: SplitMix64) {
    self.attack = attack
    self.tally = tally
    self.random = random
    firstBytes = isTLS ? [0x16, 3, 1, 2, 0, 1] : [0x91, 0x51, 0x56]
    pause = attack == .wrongTokens ? 20_000_000 : 100_000_000
  }

  func hello(_ peer: AttackPeer) -> Hello? {
    switch attack {
    case .halfOpenHandshakes: nil
    case .wrongTokens: .attacker(token: wrongToken(), streamCredit: 0)
    default: .attacker(token: nil, streamCredit: 0)
    }
  }

  /// `qv_` and 43 characters, as tokens have.
  private func wrongToken() -> String {
    "qv_" + RandomCode.text(43, of: "abcdefghijklmnopqrstuvwxyz0123456789", &random)
  }

  func opened(_ peer: AttackPeer) {
    if attack == .wrongTokens { tally.note(MisbehaviourWork.unrefused) }
  }
}

/// Random text.
enum RandomCode {
  static func text(_ length: Int, of letters: String, _ random: inout SplitMix64) -> String {
    let letters = Array(letters)
    return String((0..<length).map { _ in letters[Int(random.next() % UInt64(letters.count))] })
  }
}
