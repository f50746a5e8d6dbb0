import QuiverRPC
import QuiverRules
import QuiverWire

/// What distinguishes one attack on a gateway from the others. One thread uses it.
protocol GatewayAttackBehaviour: AnyObject {
  /// Whether connections are read.
  var reads: Bool { get }
  /// What a new connection sends.
  func opening(_ peer: GatewayPeer) -> [UInt8]
  /// What an open connection sends next; nil: nothing now.
  func next(_ peer: GatewayPeer, _ now: UInt64) -> [UInt8]?
  /// Something has arrived.
  func received(_ peer: GatewayPeer)
  /// Whether the attacker closes the connection.
  func isDone(_ peer: GatewayPeer, _ now: UInt64) -> Bool
  /// The connection has been closed, by either side.
  func ended(_ peer: GatewayPeer, _ now: UInt64)
}

/// Requests of HTTP/1.1, or other first bytes, on each connection.
final class RequestBehaviour: GatewayAttackBehaviour {
  /// What follows the first response of a connection.
  enum Afterwards {
    case nextRequest, close, nothing
  }

  /// What is sent on a connection.
  struct Plan {
    var afterwards = Afterwards.close
    /// Sent again and again while there is no response.
    var drip: [UInt8] = []
    /// Between two of them, in nanoseconds.
    var interval: UInt64 = 1_000_000_000
    /// How long the attacker waits for a response, in nanoseconds; 0: until the connection ends.
    var patience: UInt64 = 0
    /// Whether a response of success is a defect.
    var mustBeRefused = false
    let request: (GatewayPeer) -> [UInt8]
  }

  let reads = true
  private let plan: Plan
  private let tally: Tally

  init(_ plan: Plan, _ tally: Tally) {
    self.plan = plan
    self.tally = tally
  }

  func opening(_ peer: GatewayPeer) -> [UInt8] { request(peer) }

  private func request(_ peer: GatewayPeer) -> [UInt8] {
    peer.isWaiting = true
    peer.forgetAnswer()
    return plan.request(peer)
  }

  func next(_ peer: GatewayPeer, _ now: UInt64) -> [UInt8]? {
    if peer.isWaiting {
      guard !plan.drip.isEmpty, now &- peer.sentAt >= plan.interval else { return nil }
      return plan.drip
    }
    return plan.afterwards == .nextRequest ? request(peer) : nil
  }

  func received(_ peer: GatewayPeer) {
    guard peer.isWaiting, let status = peer.status else { return }
    peer.isWaiting = false
    tally.note("HTTP \(status)")
    count(status == 200 ? nil : (Self.code(status), "HTTP \(status)"), peer)
    if plan.mustBeRefused, status < 400 { tally.note(MisbehaviourWork.unrefused) }
  }

  func isDone(_ peer: GatewayPeer, _ now: UInt64) -> Bool {
    guard peer.isWaiting else { return plan.afterwards == .close }
    guard plan.patience > 0, now &- peer.connectedAt >= plan.patience else { return false }
    peer.isWaiting = false
    tally.note("no response in time")
    return true
  }

  func ended(_ peer: GatewayPeer, _ now: UInt64) {
    guard peer.isWaiting else { return }
    tally.note(peer.answer.isEmpty ? "closed without a response" : "closed with other bytes")
    count((.unavailable, "the connection was closed"), peer)
  }

  private func count(_ failure: (code: StatusCode, text: String)?, _ peer: GatewayPeer) {
    tally.ended(
      intended: peer.sentAt, sent: peer.sentAt, now: Clock.nanoseconds(), failure, isOpen: false)
  }

  private static func code(_ status: Int) -> StatusCode {
    switch status {
    case 400, 404, 405, 415, 505: .invalidArgument
    case 401: .unauthenticated
    case 403: .permissionDenied
    case 408: .deadlineExceeded
    case 413, 429, 431: .resourceExhausted
    case 503: .unavailable
    default: .unknown
    }
  }
}

/// Frames of HTTP/2 in lots.
final class FramesBehaviour: GatewayAttackBehaviour {
  let reads: Bool
  /// Adds the frames of the next lot; `count` lots have been sent before.
  private let lot: (_ count: Int, inout HTTP2Frames) -> Void
  private let tally: Tally

  init(reads: Bool, _ tally: Tally, _ lot: @escaping (Int, inout HTTP2Frames) -> Void) {
    self.reads = reads
    self.tally = tally
    self.lot = lot
  }

  func opening(_ peer: GatewayPeer) -> [UInt8] { HTTP2Frames.opening }

  func next(_ peer: GatewayPeer, _ now: UInt64) -> [UInt8]? {
    var frames = HTTP2Frames()
    // The opening counts too.
    lot(peer.sentCount - 1, &frames)
    tally.note("lots of frames")
    return frames.bytes
  }

  func received(_ peer: GatewayPeer) {}

  func isDone(_ peer: GatewayPeer, _ now: UInt64) -> Bool { false }

  func ended(_ peer: GatewayPeer, _ now: UInt64) {
    tally.note("closed by the gateway")
    tally.ended(
      intended: peer.connectedAt, sent: peer.connectedAt, now: now,
      (.unavailable, "the connection was closed"), isOpen: false)
  }
}
