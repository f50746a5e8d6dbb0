import Dispatch
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// Peers that violate the protocol, each over its own socket. They expect a refusal; the results
/// are counted by name.
final class MisbehaviourWork: RoleWork {
  let tallies: [Tally]
  private let acts: [(deed: Scenario.Misdeed, tally: Tally)]
  private let role: Scenario.Role
  private let context: RunContext
  private let endpoints: Rotation<Endpoint>
  private let token: [UInt8]
  /// The name in the results for a server that accepted a violation.
  static let unrefused = "NOT REFUSED"

  init(
    _ role: Scenario.Role, _ context: RunContext, _ endpoints: Rotation<Endpoint>,
    token: String?,
    acts: [(deed: Scenario.Misdeed, tally: Tally)]
  ) {
    self.role = role
    self.context = context
    self.endpoints = endpoints
    self.token = Array((token ?? "").utf8)
    self.acts = acts
    tallies = acts.map(\.tally)
  }

  func live(_ life: ActorLife) async {
    var random = context.scope(role, actor: life.number).random
    var number = life.number
    // The socket blocks and needs a dedicated thread: serial queues do not share threads.
    let queue = DispatchQueue(label: "quiver-load.misbehaving")
    while !life.shallStop, !Task.isCancelled {
      let (deed, tally) = acts[number % acts.count]
      number += 1
      let seed = random.next()
      tally.began()
      let began = Clock.nanoseconds()
      let endpoint = endpoints.next()
      let outcome = await withCheckedContinuation { continuation in
        queue.async { [token] in
          continuation.resume(
            returning: MisbehavingPeer.act(deed, at: endpoint, token: token, seed: seed))
        }
      }
      note(outcome, of: tally, began)
      await life.wait(seconds: max(role.think.seconds(&random), 0.01))
    }
  }

  private func note(_ outcome: MisbehavingPeer.Outcome, of tally: Tally, _ began: UInt64) {
    let now = Clock.nanoseconds()
    switch outcome {
    case .unreachable(let reason):
      tally.ended(intended: began, sent: began, now: now, (.unavailable, reason))
    case .refused(let how), .left(let how):
      tally.ended(intended: began, sent: began, now: now, nil)
      tally.note(how)
    case .unrefused(let how):
      tally.ended(intended: began, sent: began, now: now, (.internal, how))
      tally.note(Self.unrefused)
    }
  }
}

/// One peer, from its connection to its end.
struct MisbehavingPeer {
  /// How it ended.
  enum Outcome: Sendable, Equatable {
    /// The server refused it.
    case refused(String)
    /// It closed by itself, as intended.
    case left(String)
    /// The server accepted a violation.
    case unrefused(String)
    case unreachable(String)
  }

  private let socket: RawSocket
  private let token: [UInt8]

  /// The server's time for an immediate reaction, in milliseconds.
  private static let patience: Int32 = 5_000
  /// How long half a frame is left incomplete, in milliseconds: shorter than the server's timeout.
  private static let halfFrameMilliseconds: Int32 = 500
  /// The largest number of calls that are opened and cancelled: five times a server's budget.
  private static let floodCount: UInt32 = 1_000

  static func act(
    _ deed: Scenario.Misdeed, at endpoint: Endpoint, token: [UInt8], seed: UInt64
  ) -> Outcome {
    guard let socket = RawSocket(endpoint) else {
      return .unreachable("\(endpoint) takes no connection")
    }
    var random = SplitMix64(seed: seed)
    let peer = MisbehavingPeer(socket: socket, token: token)
    return switch deed {
    case .garbage: peer.garbage(&random)
    case .halfFrame: peer.halfFrame()
    case .oversizePrefix: peer.oversizePrefix()
    case .resetMidFrame: peer.resetMidFrame()
    case .openAndCancel: peer.openAndCancel()
    }
  }

  /// Random bytes instead of the preface: closed without a reply.
  private func garbage(_ random: inout SplitMix64) -> Outcome {
    var bytes = (0..<64).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    // Excludes a valid preface by chance.
    bytes[0] = 0x47
    _ = socket.write(bytes)
    return socket.isClosed(within: Self.patience)
      ? .refused("closed") : .unrefused("garbage was kept for \(Self.patience) ms")
  }

  /// A header that announces more than is sent; the peer closes before the server's timeout.
  private func halfFrame() -> Outcome {
    greet()
    _ = socket.write(header(type: .request, stream: 1, promising: 100) + [1, 2, 3])
    return socket.isClosed(within: Self.halfFrameMilliseconds) ? .refused("closed") : .left("left")
  }

  /// A header that announces more than any frame may have: refused from the header.
  private func oversizePrefix() -> Outcome {
    greet()
    _ = socket.write(header(type: .request, stream: 1, promising: 0xFF_FFFF))
    return socket.isClosed(within: Self.patience)
      ? .refused("closed") : .unrefused("a frame of 16 MiB was accepted")
  }

  /// Half a frame, then a reset of the connection.
  private func resetMidFrame() -> Outcome {
    greet()
    _ = socket.write(header(type: .request, stream: 1, promising: 100) + [1, 2, 3])
    socket.reset()
    return .left("reset")
  }

  /// Calls that are cancelled as soon as they are open, until the server refuses.
  private func openAndCancel() -> Outcome {
    greet()
    // A watch of the server's health, which stays open until it is cancelled.
    let head: [UInt8] = [0x08, 0x82, 0x02]
    for number in 0..<Self.floodCount {
      let stream = number * 2 + 1
      let request = [UInt8(head.count)] + head
      let sent = socket.write(
        header(type: .request, flags: .end, stream: stream, promising: request.count) + request
          + header(type: .cancel, stream: stream, promising: 0))
      guard sent, !socket.isClosed(within: 0) else {
        return .refused("closed behind its budget")
      }
    }
    return socket.isClosed(within: Self.patience)
      ? .refused("closed behind its budget")
      : .unrefused("\(Self.floodCount) calls were opened and cancelled")
  }

  private func greet() {
    var hello = Hello()
    hello.versionMin = 1
    hello.versionMax = 1
    hello.software = "quiver-load misbehaving"
    hello.authToken = token
    let payload = hello.serializedBytes()
    _ = socket.write(
      Preface.bytes + header(type: .hello, stream: 0, promising: payload.count) + payload)
  }

  private func header(
    type: FrameType, flags: FrameFlags = [], stream: UInt32, promising count: Int
  ) -> [UInt8] {
    let header = FrameHeader(payloadByteCount: count, type: type, flags: flags, stream: stream)
    return withUnsafeBytes(of: header.bits.bigEndian) { Array($0) }
  }
}
