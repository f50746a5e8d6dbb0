import QuiverAPI
import QuiverClient
import QuiverCrypto
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// A phone without an account: it joins targets by their plates, with a secret of its own.
struct LineDevice {
  let name: String
  let event: Int64
  /// The principal that the server made for it.
  private(set) var principal: Int64 = 0
  let way: FaultyTransport
  /// Calls without a token.
  let nobody: FaultyTransport
  var phone: PlainPhone
  private let secret: [UInt8]
  private var ids: ClientIDs

  /// A plate as it is scanned for one of the sessions of its target.
  struct Plate: Sendable {
    let code: String
    let session: Int64
    let target: UInt32
  }

  /// The configuration has no token. The secret is new each time, for it belongs to one event of a
  /// server.
  init(
    _ name: String, of event: Int64, _ configuration: RPCClient.Configuration, _ log: RehearsalLog,
    seed: UInt64, hasFaults: Bool
  ) throws {
    (self.name, self.event) = (name, event)
    secret = try RandomBytes.make(Self.secretByteCount)
    var own = configuration
    own.token = Self.token(of: secret)
    nobody = try FaultyTransport(configuration, log, seed: seed &+ 11, hasFaults: hasFaults)
    way = try FaultyTransport(own, log, seed: seed, hasFaults: hasFaults)
    phone = PlainPhone(way, device: name, seed: seed &+ 5, shuffles: hasFaults)
    ids = ClientIDs(seed: seed &+ 7)
  }

  /// Closes its connections.
  func close() async {
    await way.close()
    await nobody.close()
  }

  private static let secretByteCount = 32

  private static func token(of secret: [UInt8]) -> String { "qd_" + Base64URL.encode(secret) }

  /// Takes a card of a target, or renews it; returns who shoots there.
  @discardableResult
  mutating func join(
    _ plate: Plate, card: UInt32 = 1, takesOver: Bool = false
  ) async throws -> JoinTargetResponse {
    let (name, secret) = (name, secret)
    var joined = JoinTargetResponse()
    try await MatchDevices.repeated { () async throws in
      joined = try await nobody.call(
        Events.joinTarget,
        .with { request in
          (request.code, request.device, request.card) = (plate.code, name, card)
          (request.deviceSecret, request.takeOver) = (secret, takesOver)
          request.sessionID = plate.session
        })
    }
    principal = joined.principalID
    return joined
  }

  /// The code with which the server refuses to give it a target; nil: it has the target.
  mutating func refusal(_ plate: Plate, takesOver: Bool) async throws -> StatusCode? {
    do {
      try await join(plate, takesOver: takesOver)
      return nil
    } catch let error as RPCError {
      return error.code
    }
  }

  /// Tells the server how many operations wait.
  func report() async throws {
    let count = UInt32(phone.queue.count)
    try await MatchDevices.repeated { () async throws in
      _ = try await way.call(
        Events.reportDevice,
        .with { $0.report = .with { $0.waitingOperations = count } })
    }
  }

  /// Calls an official, twice: the second time it is the same call.
  mutating func call(
    _ kind: TargetCallKind, _ participant: Int64, owes owedArrows: UInt32 = 0,
    in end: UInt32? = nil, _ text: String, from plate: Plate, _ findings: Findings
  ) async throws -> TargetCall {
    let request = RaiseTargetCallRequest.with { request in
      request.clientID = ids.next()
      (request.tournamentID, request.sessionID) = (event, plate.session)
      (request.target, request.kind) = (plate.target, kind)
      (request.participantID, request.owedArrows) = (participant, owedArrows)
      request.endIndex = end
      request.text = text
    }
    var calls: [TargetCall] = []
    for _ in 0..<2 {
      try await MatchDevices.repeated { () async throws in
        calls.append(try await way.call(Events.raiseTargetCall, request))
      }
    }
    findings.compare("a call that is raised again", calls.last?.id, calls[0].id)
    return calls[0]
  }

  /// What it shows for others to deliver, written anew: `qr_` and the base64url of the operations
  /// with the first 16 bytes of their HMAC, whose key is the hash of the device's token.
  func text(of operations: [ScoringOperation]) -> String {
    var rescued = RescuedOperations()
    (rescued.deviceID, rescued.device) = (principal, name)
    rescued.operations = operations.map { operation in
      var operation = operation
      operation.device = ""
      return operation
    }
    let payload = rescued.serializedBytes()
    let tag = HMACSHA256.authenticationCode(
      for: Array("quiver rescue 1".utf8) + [0] + payload,
      key: SHA256.hash(Array(Self.token(of: secret).utf8)))
    return "qr_" + Base64URL.encode(payload + tag.prefix(16))
  }
}

/// What happens on targets that phones without accounts score.
enum TargetTrouble: Sendable {
  /// The phone of a target loses the network, another one goes on, and the first one returns.
  case takeover(RehearsalEvent.Target)
  /// The operations of the phone of a target are delivered by somebody else.
  case rescue(RehearsalEvent.Target)
  /// Two archers of two targets change places.
  case move(RehearsalEvent.Target, RehearsalEvent.Target)

  var targets: [RehearsalEvent.Target] {
    switch self {
    case .takeover(let target), .rescue(let target): [target]
    case .move(let first, let second): [first, second]
    }
  }

  /// One target in this number, and the one after the next, has phones without accounts.
  private static let targetsPerPair = 6

  /// The troubles of a day: of targets that no session scores, and no archer of which is late or is
  /// one of some others.
  static func all(
    ofDay day: Int, of event: RehearsalEvent, _ plan: RehearsalPlan, besides others: Set<Int>
  ) -> [TargetTrouble] {
    let targets = event.targets(ofDay: day).filter { index, target in
      [2, 4].contains(index % targetsPerPair) && target.archers.count > 1
        && !target.archers.contains { others.contains($0) || plan.archers[$0].fate == .isLate }
    }.map(\.target)
    var troubles: [TargetTrouble] = []
    var next = 0
    var (pairs, singles) = (0, Int(plan.seed % 2))
    while next < targets.count {
      let first = targets[next]
      if next + 1 < targets.count, targets[next + 1].category == first.category {
        pairs += 1
        if pairs % 2 == 1 {
          troubles.append(.move(first, targets[next + 1]))
          next += 2
          continue
        }
      }
      troubles.append(singles % 2 == 0 ? .takeover(first) : .rescue(first))
      singles += 1
      next += 1
    }
    return troubles
  }
}
