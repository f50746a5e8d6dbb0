import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("Budgets of bytes", .timeLimit(.minutes(5)))
struct BudgetTests {
  static func limits(processBytes: Int) -> Limits {
    var limits = Limits()
    limits.processBytes = processBytes
    return limits
  }

  /// A budget of which another address uses this percentage.
  private static func budget(percent: Int) -> (ByteBudget, other: MemoryShare) {
    let budget = ByteBudget(limits: limits(processBytes: 1_000_000))
    let other = budget.share(for: .address("elsewhere"))
    other.add(10_000 * percent)
    return (budget, other)
  }

  @Test("row 20: above 80 % new calls are refused, and above 95 % a call that needs memory ends")
  func pressure() {
    #expect(Self.budget(percent: 79).0.pressure == .none)
    #expect(Self.budget(percent: 80).0.pressure == .refuses)
    #expect(Self.budget(percent: 94).0.pressure == .refuses)
    #expect(Self.budget(percent: 95).0.pressure == .sheds)
  }

  @Test("A share that holds seven eighths of its limit has its new calls refused")
  func shareLimit() {
    let budget = ByteBudget(limits: Self.limits(processBytes: 1_000_000_000))
    let share = budget.share(for: .principal(1))
    share.add(budget.shareLimit / 8 * 7 - 1)
    #expect(share.pressure == .none)
    share.add(1)
    #expect(share.pressure == .refuses && share.hasRoom(for: 1))
    share.add(budget.shareLimit / 8 - 1)
    #expect(share.pressure == .refuses && share.hasRoom(for: 1) && !share.hasRoom(for: 2))
  }

  @Test("row 20: a process short of memory refuses new calls, and finished replies go out")
  func refuses() {
    let (budget, other) = Self.budget(percent: 0)
    let server = ServerHarness(budget: budget)
    // More than a small share, which would be exempt.
    let own = budget.share(for: .principal(1))
    own.add(20_000)
    server.receive(request(1, Number.hold, []))
    other.add(850_000)
    #expect(
      server.receive(request(3, Number.echo, [])) == ["STATUS 3 RESOURCE_EXHAUSTED, not processed"])
    server.held.take().responder.succeed(Blob(count: 5_000))
    #expect(server.drainOutput().first?.hasPrefix("RESPONSE 1") == true)
    other.add(-850_000)
    #expect(server.receive(request(5, Number.echo, [])) == ["RESPONSE 5: 0"])
    #expect(server.phase == .open)
  }

  @Test("A09, row 20: a fragment that would exceed the budget ends its call only")
  func sheds() {
    let (budget, other) = Self.budget(percent: 0)
    let server = ServerHarness(budget: budget)
    let own = budget.share(for: .principal(1))
    own.add(20_000)
    let part = [UInt8](repeating: 0, count: 2_000)
    server.receive(request(1, Number.hold, part, .more), request(3, Number.hold, []))
    other.add(940_000)
    #expect(
      server.receive(data(1, part, .more)) == ["STATUS 1 RESOURCE_EXHAUSTED, not processed"])
    #expect(server.receive(data(1, part, .end)) == [])
    server.held.take().responder.succeed(Blob())
    #expect(server.drainOutput() == ["RESPONSE 3: 0"])
    #expect(server.end.connection.pointee.core.heldInputBytes == 0)
  }

  @Test("Memory of connections is reported in steps, and returned when they are empty or closed")
  func reports() {
    let budget = ByteBudget(limits: Limits())
    let server = ServerHarness(budget: budget)
    let part = [UInt8](repeating: 0, count: 3_000)
    server.receive(credit(0, 1 << 40))
    server.receive(request(1, Number.hold, part, .more))
    #expect(budget.heldBytes == 0)
    server.receive(data(1, part, .more))
    #expect(budget.heldBytes >= 6_000 && budget.heldBytes < 7_000)
    server.receive(cancel(1))
    #expect(budget.heldBytes == 0)
    server.reads = false
    server.receive(request(3, Number.source, Blob([2, 0, 0]).serializedBytes()))
    #expect(budget.heldBytes >= 131_072)
    server.end.closed("the peer is gone")
    #expect(budget.heldBytes == 0)
    server.end.timerFired(now: server.now)
    #expect(budget.heldBytes == 0)
  }

  @Test("F11: messages that no handler reads count until they are read or their call ends")
  func untaken() {
    let budget = ByteBudget(limits: Limits())
    let server = ServerHarness(budget: budget)
    let message = blob(encoded: 15_000)
    server.receive(request(1, Number.bidirectional, [], []))
    for _ in 0..<4 { server.receive(data(1, message)) }
    let core = server.end.connection
    #expect(core.pointee.core.heldInputBytes >= 60_000)
    #expect(budget.heldBytes >= 60_000)
    core.pointee.took(stream: 1, charge: 15_032, byteCount: 15_000)
    #expect((45_000..<48_000).contains(core.pointee.core.heldInputBytes))
    server.receive(cancel(1))
    server.held.take().responder.fail(RPCError(.cancelled, "given up"))
    server.drainOutput()
    #expect(core.pointee.core.heldInputBytes == 0 && budget.heldBytes == 0)
  }

  @Test("row 20: an incomplete frame counts until it is complete")
  func partialFrame() {
    var limits = Limits()
    limits.maxFrameBytes = 1 << 20
    limits.initialStreamCredit = 1 << 20
    let budget = ByteBudget(limits: Limits())
    let server = ServerHarness(limits: limits, budget: budget)
    let whole = request(1, Number.hold, blob(encoded: 100_000))
    server.receive(Array(whole.prefix(60_000)))
    #expect(budget.heldBytes == 60_000)
    server.receive(Array(whole.dropFirst(60_000)))
    #expect(server.held.count == 1 && budget.heldBytes == 0)
  }

  @Test("A connection at its memory limit ends the call that needs more")
  func deferredInput() {
    var limits = Limits()
    limits.maxMessageBytes = 16_384
    limits.reassemblyBytes = 32_768
    limits.heldInputBytes = 65_536
    limits.initialStreamCredit = 1 << 20
    let server = ServerHarness(limits: limits)
    server.receive(request(1, Number.bidirectional, [], []))
    var words: [String] = []
    var sent = 0
    while words.isEmpty, sent < 20 {
      words = server.receive(data(1, blob(encoded: 8_000)))
      if server.held.cancelledCount > 0 { break }
      sent += 1
    }
    #expect(sent == 8)
    server.held.take().responder.fail(RPCError(.cancelled, "given up"))
    #expect(server.drainOutput() == ["STATUS 1 RESOURCE_EXHAUSTED"])
    #expect(server.receive(request(3, Number.echo, [])) == ["RESPONSE 3: 0"])
  }

  @Test(
    "F07: newer CREDIT replaces queued CREDIT, so that a peer that never reads costs little")
  func queuedCredit() {
    var limits = Limits()
    limits.initialStreamCredit = 4_096
    limits.initialConnectionCredit = 8_192
    let server = ServerHarness(limits: limits)
    server.receive(request(1, Number.bidirectional, [], []))
    server.reads = false
    let part = [UInt8](repeating: 0, count: 1_500)
    var allowed: UInt64 = 0
    for round in 0..<2_000 {
      server.receive(data(1, part))
      let machine = server.end.connection
      machine.pointee.took(stream: 1, charge: 1_532, byteCount: 1_500)
      machine.pointee.endTurn(now: server.now, gotInput: false)
      #expect(server.phase == .open, "round \(round)")
      allowed = machine.pointee.core.window.receiveAllowance
      guard server.phase == .open else { return }
    }
    // One for the connection and one for the stream.
    #expect(server.end.output.count == 2 * 16)
    server.reads = true
    let words = server.drainOutput()
    #expect(words.count == 2)
    #expect(words.contains("CREDIT 0: \(allowed)"))
    // Partly written output does not change.
    #expect(server.receive(data(1, part)).allSatisfy { $0.hasPrefix("CREDIT") })
  }

  @Test("CREDIT that is partly written does not change, and newer CREDIT follows it")
  func halfWritten() {
    var limits = Limits()
    limits.initialStreamCredit = 4_096
    limits.initialConnectionCredit = 8_192
    let server = ServerHarness(limits: limits)
    server.receive(request(1, Number.bidirectional, [], []))
    server.reads = false
    let part = [UInt8](repeating: 0, count: 1_500)
    let machine = server.end.connection
    func round() {
      server.receive(data(1, part))
      machine.pointee.took(stream: 1, charge: 1_532, byteCount: 1_500)
      machine.pointee.endTurn(now: server.now, gotInput: false)
    }
    while server.end.output.isEmpty { round() }
    let first = Array(server.end.output.prefix(9))
    server.end.wrote(9, now: server.now)
    let before = Array(server.end.output.prefix(7))
    for _ in 0..<20 { round() }
    #expect(Array(server.end.output.prefix(7)) == before)
    #expect(first.count == 9)
    #expect(server.end.output.count <= 7 + 3 * 16)
  }

  @Test("A03: a third PING before replies to two earlier ones counts as below the interval")
  func thirdPing() {
    var limits = Limits()
    limits.pingFloorMilliseconds = 0
    let server = ServerHarness(limits: limits)
    // Messages that are read at once may arrive at any rate.
    for number in 1...100 as ClosedRange<UInt64> {
      #expect(server.receive(ping(number)) == ["PING END"])
    }
    server.reads = false
    for number in 101...112 as ClosedRange<UInt64> {
      #expect(server.phase == .open)
      server.receive(ping(number))
    }
    #expect(server.phase == .open)
    server.receive(ping(113))
    server.reads = true
    #expect(server.drainOutput().last == "GOAWAY ENHANCE_YOUR_CALM, last 0")
  }
}
