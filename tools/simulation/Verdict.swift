import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The invariants of a finished run.
struct Verdict {
  private let run: Run
  private let ran: [UInt32]

  init(_ run: Run) {
    self.run = run
    ran = run.service.ran
  }

  func findings() -> [String] {
    var found: [String] = []
    if Set(ran).count != ran.count { found.append("a call ran twice: \(ran)") }
    if run.service.running != 0 { found.append("\(run.service.running) handlers never return") }
    for call in run.program.calls { found += findings(of: call) }
    for index in run.network.ends.indices { found += findings(ofConnection: index) }
    found += packingFindings()
    found += timeFindings()
    return found
  }

  // MARK: Calls

  private var wasDisturbed: Bool {
    !run.program.mishaps.isEmpty || !run.program.drains.isEmpty
  }

  private func findings(of call: PlannedCall) -> [String] {
    guard let outcomes = run.outcomes[call.number] else { return [] }
    guard outcomes.count == 1, let outcome = outcomes.first else {
      return ["call \(call.number) has \(outcomes.count) outcomes"]
    }
    let name = "call \(call.number) (\(call.kind))"
    var found: [String] = []
    for (place, reply) in outcome.replies.enumerated() where !isRight(reply, place, call) {
      found.append("\(name): reply \(place) is not what was asked for: \(reply)")
    }
    if let timeout = call.timeoutNanoseconds {
      let latest = Run.start + call.startNanoseconds + timeout
      // A slow reader receives the end when it reads again.
      let slack = UInt64(call.readPauseMicroseconds) * 1_000 * 8 + 1_000_000
      if outcome.at > latest + slack, outcome.error?.code == .deadlineExceeded {
        found.append("\(name) ended \(outcome.at - latest) ns after its deadline")
      }
    }
    if let error = outcome.error {
      found += findings(of: error, call, name)
    } else if outcome.replies.count != expectedReplies(call) {
      found.append("\(name) ended OK with \(outcome.replies.count) replies")
    }
    return found
  }

  /// The number of replies of a call that ends with OK.
  private func expectedReplies(_ call: PlannedCall) -> Int {
    switch call.kind {
    case .atOnce, .later, .task, .sink: 1
    case .source: Int(call.ask.count)
    case .talk:
      Int(
        call.ask.enough == 0 ? call.messageCount : min(call.ask.enough, call.messageCount))
    }
  }

  private func isRight(_ reply: Answer, _ place: Int, _ call: PlannedCall) -> Bool {
    switch call.kind {
    case .atOnce, .later, .task: return reply == Answer(to: call.ask)
    case .source, .talk: return reply == Answer(to: call.ask, place: UInt32(place + 1))
    case .sink:
      let heard =
        call.ask.enough == 0 ? call.messageCount : min(call.ask.enough, call.messageCount)
      return reply.place == heard
        && reply.byteCount == UInt64(heard) * UInt64(call.ask.padding.count)
    }
  }

  private func findings(of error: RPCError, _ call: PlannedCall, _ name: String) -> [String] {
    var found: [String] = []
    if error.isNotProcessed, ran.contains(call.number), error.origin != .server {
      found.append("\(name) ran, and is said not to have been processed: \(error)")
    }
    let isExpected =
      switch error.code {
      case .deadlineExceeded: call.timeoutNanoseconds != 0 && call.timeoutNanoseconds != nil
      case .cancelled: call.cancelNanoseconds != nil
      case .unavailable: wasDisturbed
      case .resourceExhausted: error.isNotProcessed || isHeldUp
      default: false
      }
    if !isExpected, call.ask.code != error.code.rawValue {
      found.append("\(name) ended with \(error)")
    }
    return found
  }

  private var isHeldUp: Bool { run.network.wires.contains { $0.wasHeldUp || !$0.isWhole } }

  // MARK: Connections

  private func findings(ofConnection index: Int) -> [String] {
    let (client, server) = run.network.ends[index]
    let wire = run.network.wires[index]
    let near = client.connection
    let far = server.connection
    let name = "connection \(index)"
    var found: [String] = []
    for (side, fault) in [("client", near.pointee.core.fault), ("server", far.pointee.core.fault)] {
      guard let fault else { continue }
      let isHarmless =
        fault.code == .noError || fault.code == .timeout && (wire.wasHeldUp || !wire.isWhole)
      if !isHarmless { found.append("\(name): the \(side) ends it with \(fault)") }
    }
    if !near.pointee.core.streams.isEmpty || !far.pointee.core.streams.isEmpty {
      found.append("\(name): streams are left over")
    }
    let held = [near.pointee.core.heldBytes, far.pointee.core.heldBytes]
    if held != [0, 0] { found.append("\(name): \(held) bytes are still held") }
    let bound = max(
      run.program.clientLimits.outputHighWater, run.program.serverLimits.outputHighWater)
    // Framed output stops at the high water; one reply and one frame may be added.
    let largest = max(wire.client.largestOutput, wire.server.largestOutput)
    if largest > bound + 256 * 1024 {
      found.append("\(name): \(largest) bytes were framed at once")
    }
    if client.phase == .open, server.phase == .open, wire.isWhole {
      found += balances(near.pointee.core.balance, far.pointee.core.balance, name)
    }
    return found
  }

  private func balances(
    _ near: ConnectionCore.Balance, _ far: ConnectionCore.Balance, _ name: String
  ) -> [String] {
    var found: [String] = []
    if near.sent != far.received || far.sent != near.received {
      found.append("\(name): what was charged differs: \(near), \(far)")
    }
    if near.maySend != far.stated || far.maySend != near.stated {
      found.append("\(name): the allowances differ: \(near), \(far)")
    }
    return found
  }

  // MARK: Compression

  /// An end only inflates what the other has compressed, and nothing unless both list it.
  private func packingFindings() -> [String] {
    let (near, far) = run.packers
    let counts = [near, far].map { ($0?.packedCount ?? 0, $0?.unpackedCount ?? 0) }
    var found: [String] = []
    if counts[1].1 > counts[0].0 || counts[0].1 > counts[1].0 {
      found.append("more was unpacked than packed: \(counts)")
    }
    if near == nil || far == nil, counts.contains(where: { $0 != (0, 0) }) {
      found.append("messages were compressed for an end that does not list it: \(counts)")
    }
    return found
  }

  // MARK: Time

  /// Everything ends within the longest timeout or the discovery of a silent connection.
  private func timeFindings() -> [String] {
    let patience: UInt64 = wasDisturbed ? 70_000_000_000 : 20_000_000_000
    guard run.endedAt > Run.start + patience else { return [] }
    return ["the calls took \((run.endedAt - Run.start) / 1_000_000) ms"]
  }
}
