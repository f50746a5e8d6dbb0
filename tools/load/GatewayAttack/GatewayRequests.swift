import QuiverWire

/// What attackers of a gateway send.
struct GatewayRequests {
  let settings: GatewayAttackSettings
  /// The gateway's, for the field `host`.
  let host: String
  let tally: Tally
  /// The attacker's own, if its attack needs one.
  let token: String?
  /// The spectator's token, and the event that it shows.
  let spectator: Spectator?

  /// A spectator of an event.
  struct Spectator: Sendable {
    let joinCode: String
    let token: String?
    let tournament: Int64
    let participants: [Int64]
  }

  private static let json = "application/json"
  private static let second: UInt64 = 1_000_000_000
  /// Frames of a lot.
  private static let lotCount = 200

  func behaviour() -> any GatewayAttackBehaviour {
    switch settings.attack {
    case .endlessBodies: return requests(endlessBodies)
    case .anonymousStreams: return requests(.init(afterwards: .nothing, request: anonymousStream))
    case .anonymousCalls: return requests(.init(afterwards: .nextRequest, request: healthCheck))
    case .costlyBodies: return requests(.init(afterwards: .nextRequest, request: costlyBody))
    case .spectatorWindows: return requests(.init(afterwards: .nothing, request: window))
    case .spectatorTokens: return requests(.init(afterwards: .nextRequest, request: spectatorToken))
    case .smuggledHeads:
      return requests(.init(patience: 5 * Self.second, mustBeRefused: true, request: smuggledHead))
    case .otherProtocols:
      return requests(
        .init(patience: 5 * Self.second) { Self.openings[$0.number % Self.openings.count] })
    case .otherServerProtocols:
      return requests(
        .init(patience: 5 * Self.second) { peer in
          peer.number % 2 == 0 ? healthCheck(peer) : Self.clientHello
        })
    case .slowHeads:
      return requests(.init(drip: [97]) { _ in Self.headStart })
    case .slowBodies: return requests(slowBodies)
    case .silentConnections: return requests(.init { _ in [] })
    case .idleConnections: return requests(.init(afterwards: .nothing, request: healthCheck))
    case .unreadStreams, .emptyWindowUpdates, .resetStreams, .endlessHeads: return frames()
    }
  }

  private static let headStart = Array("POST /quiver.v1.Health/Check HTTP/1.1\r\nx: ".utf8)

  private func requests(_ plan: RequestBehaviour.Plan) -> RequestBehaviour {
    RequestBehaviour(plan, tally)
  }

  private func frames() -> FramesBehaviour {
    let attack = settings.attack
    return FramesBehaviour(reads: attack != .unreadStreams, tally) { count, frames in
      if attack == .endlessHeads, count == 0 { frames.beginHead(0) }
      for number in count * Self.lotCount..<(count + 1) * Self.lotCount {
        switch attack {
        case .endlessHeads: frames.continueHead(0)
        case .resetStreams:
          frames.open(number)
          frames.reset(number)
        case .emptyWindowUpdates:
          frames.open(number)
          frames.updateWindow(number)
        default: frames.open(number)
        }
      }
    }
  }

  // MARK: HTTP/1.1

  private func post(
    _ method: String, _ contentType: String, token: String? = nil, fields: String = "",
    _ body: [UInt8], length: Int? = nil
  ) -> [UInt8] {
    var head = "POST /quiver.v1.\(method) HTTP/1.1\r\nhost: \(host)\r\n"
    head += "content-type: \(contentType)\r\n\(fields)"
    if let token { head += "authorization: Bearer \(token)\r\n" }
    if !fields.contains("transfer-encoding") {
      head += "content-length: \(length ?? body.count)\r\n"
    }
    return Array((head + "\r\n").utf8) + body
  }

  /// A message of a stream of Connect.
  private static func envelope(_ text: String) -> [UInt8] {
    withUnsafeBytes(of: UInt32(text.utf8.count).bigEndian) { [0] + $0 } + text.utf8
  }

  private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + [13, 10]
  }

  /// Every other connection has the token.
  private func ownToken(_ peer: GatewayPeer) -> String? { peer.number % 2 == 0 ? nil : token }

  private var endlessBodies: RequestBehaviour.Plan {
    // The call with a token fails at its first message, long before the end of the request.
    .init(
      drip: Self.chunk(Self.envelope("{}")), interval: Self.second / 2, patience: 10 * Self.second
    ) { peer in
      let method =
        peer.number / 2 % 2 == 0 ? "Tournament/SyncOperations" : "Logbook/ImportSets"
      return post(
        method, "application/connect+json", token: ownToken(peer),
        fields: "transfer-encoding: chunked\r\n", Self.chunk(Self.envelope("{\"nothing\":1}")))
    }
  }

  private var slowBodies: RequestBehaviour.Plan {
    .init(drip: [UInt8](repeating: 32, count: 100)) { peer in
      post("Tournament/RecordEnd", Self.json, token: ownToken(peer), [], length: 1_000_000)
    }
  }

  private func anonymousStream(_ peer: GatewayPeer) -> [UInt8] {
    post("Health/Watch", "application/connect+json", Self.envelope("{}"))
  }

  private func healthCheck(_ peer: GatewayPeer) -> [UInt8] {
    post("Health/Check", Self.json, Array("{}".utf8))
  }

  /// To a method that needs a token, and to one that needs none.
  private func costlyBody(_ peer: GatewayPeer) -> [UInt8] {
    let number = peer.number + peer.sentCount
    let body = CostlyBodies.all[number % CostlyBodies.all.count]
    let method =
      number / CostlyBodies.all.count % 2 == 0
      ? "Tournament/RecordEnd" : "Tournament/GetSpectatorToken"
    return post(
      method, Self.json, fields: body.isGzip ? "content-encoding: gzip\r\n" : "", body.bytes)
  }

  private func spectatorToken(_ peer: GatewayPeer) -> [UInt8] {
    post(
      "Tournament/GetSpectatorToken", Self.json,
      Array("{\"joinCode\":\"\(spectator?.joinCode ?? "")\"}".utf8))
  }

  private func window(_ peer: GatewayPeer) -> [UInt8] {
    let participants = spectator?.participants ?? []
    guard !participants.isEmpty else { return anonymousStream(peer) }
    let (around, place) = peer.number.quotientAndRemainder(dividingBy: participants.count)
    let request =
      "{\"tournamentId\":\"\(spectator?.tournament ?? 0)\",\"aroundParticipantId\":"
      + "\"\(participants[place])\",\"around\":\(around + 1)}"
    return post(
      "Tournament/WatchLeaderboard", "application/connect+json", token: spectator?.token,
      Self.envelope(request))
  }

  /// Fields whose names or values are equal to others only for a program that folds Unicode, and
  /// two lengths.
  private func smuggledHead(_ peer: GatewayPeer) -> [UInt8] {
    let body = Self.chunk(Array("{}".utf8)) + Array("0\r\n\r\n".utf8)
    let fields = [
      "transfer-encoding: chun\u{212A}ed\r\n", "tran\u{17F}fer-encoding: chunked\r\n",
      "transfer-encoding: chunked\r\ncontent-length: 3\r\n",
      "transfer-encoding:\u{B}chunked\r\n", "transfer-encoding : chunked\r\n",
    ]
    return post("Health/Check", Self.json, fields: fields[peer.number % fields.count], body)
  }

  // MARK: Other protocols

  /// The beginning of a TLS 1.2 or 1.3 ClientHello.
  private static let clientHello: [UInt8] =
    [22, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3] + [UInt8](repeating: 7, count: 0x1F6)

  private static let openings = [
    clientHello, Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), Preface.bytes,
  ]
}
