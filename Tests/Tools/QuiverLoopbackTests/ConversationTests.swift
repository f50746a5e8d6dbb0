import QuiverProtobuf
import QuiverWire
import TestSupport
import Testing

@testable import QuiverLoopback
@testable import QuiverRPC

/// Two ends, a transport that splits and delays, and the actions of a seed.
private struct Conversation {
  let reactor = LoopbackReactor(.manual(startNanoseconds: 5_000_000_000))
  let transport: LoopbackTransport
  let work = Work()
  let client: ClientEnd
  var random: SeededGenerator
  var calls: [RecordedCall] = []
  var drains = false
  let hasTinyChunks: Bool
  var isCut = false

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var serverLimits = Limits()
    serverLimits.initialStreamCredit = [16_384, 20_000, 65_536].randomElement(using: &random) ?? 0
    serverLimits.initialConnectionCredit = serverLimits.initialStreamCredit * 2
    serverLimits.maxFrameBytes = [4_096, 16_384, 70_000].randomElement(using: &random) ?? 0
    serverLimits.maxConcurrentStreams = [1, 3, 100].randomElement(using: &random) ?? 1
    serverLimits.outputHighWater = [4_096, 65_536].randomElement(using: &random) ?? 0
    serverLimits.drainMilliseconds = 200
    var clientLimits = Limits()
    clientLimits.initialStreamCredit = [4_096, 5_000, 65_536].randomElement(using: &random) ?? 0
    clientLimits.initialConnectionCredit =
      clientLimits.initialStreamCredit * ([1, 4].randomElement(using: &random) ?? 1)
    clientLimits.maxFrameBytes = [4_096, 9_999, 16_384].randomElement(using: &random) ?? 0
    clientLimits.outputHighWater = [4_096, 65_536].randomElement(using: &random) ?? 0
    var link = LoopbackLink()
    link.seed = seed
    // A transport of tiny chunks carries small messages, because their splitting is the subject.
    hasTinyChunks = Int.random(in: 0..<3, using: &random) == 0
    link.chunkBytes =
      hasTinyChunks ? 1...20 : 1...([1_500, 70_000].randomElement(using: &random) ?? 1)
    link.delayNanoseconds = 0...([0, 50_000, 3_000_000].randomElement(using: &random) ?? 0)
    link.capacityBytes = [1_000, 30_000, 1_000_000].randomElement(using: &random) ?? 1
    transport = LoopbackTransport(on: reactor, limits: clientLimits, link: link)
    client = transport.connect(
      to: work.server(on: reactor, limits: serverLimits), ConnectOptions(software: "test"))
    self.random = random
  }

  /// Plans the actions and their times.
  mutating func plan(callCount: Int) {
    let start = reactor.nowNanoseconds
    for number in 1...callCount {
      let at = start + UInt64.random(in: 0...40_000_000, using: &random)
      let call = makeCall(UInt32(number), at: at)
      calls.append(call)
      let end = client
      reactor.schedule(atNanoseconds: at) { end.submit(call) }
      if Int.random(in: 0..<6, using: &random) == 0 {
        let later = at + UInt64.random(in: 0...20_000_000, using: &random)
        reactor.schedule(atNanoseconds: later) { end.giveUp(call, RPCError(.cancelled, "enough")) }
      }
    }
    for _ in 0..<2 {
      let end = client
      reactor.schedule(
        atNanoseconds: start + UInt64.random(in: 0...60_000_000, using: &random)
      ) { end.connection.pointee.core.sendPing() }
    }
    let fate = Int.random(in: 0..<10, using: &random)
    let when = start + UInt64.random(in: 0...60_000_000, using: &random)
    let transport = transport
    let reactor = reactor
    if fate == 0 {
      isCut = true
      reactor.schedule(atNanoseconds: when) { transport.cutAll() }
    } else if fate < 4 {
      drains = true
      reactor.schedule(atNanoseconds: when) {
        transport.forEachServerEnd { $0.drain(now: reactor.nowNanoseconds) }
      }
    }
  }

  private mutating func makeCall(_ number: UInt32, at: UInt64) -> RecordedCall {
    var ask = Ask()
    ask.number = number
    let sizes = hasTinyChunks ? [0, 40, 3_000] : [0, 40, 3_000, 20_000, 300_000]
    ask.replyBytes = UInt32(
      Int.random(in: 0...(sizes.randomElement(using: &random) ?? 0), using: &random))
    let padding = Int.random(in: 0...(sizes.randomElement(using: &random) ?? 0), using: &random)
    ask.padding = [UInt8](repeating: 5, count: padding)
    ask.delayMicroseconds = UInt32.random(in: 0...5_000, using: &random)
    if Int.random(in: 0..<8, using: &random) == 0 {
      ask.code = UInt32.random(in: 1...16, using: &random)
    }
    let method = [Work.atOnce, Work.later, Work.task].randomElement(using: &random) ?? Work.atOnce
    let hasDeadline = Int.random(in: 0..<4, using: &random) == 0
    let deadline = hasDeadline ? at + UInt64.random(in: 1...30_000_000, using: &random) : 0
    return RecordedCall(method, ask, deadlineNanoseconds: deadline)
  }
}

@Suite("Random conversations", .timeLimit(.minutes(5)))
struct ConversationTests {
  @Test(
    "Every call has one outcome, no end reports an error, and the credit is exact",
    arguments: 0..<300 as Range<UInt64>)
  func conversation(_ seed: UInt64) throws {
    var talk = Conversation(seed: seed)
    talk.plan(callCount: 25)
    talk.reactor.runReady()
    let server = talk.transport.serverEnds.first
    let calls = talk.calls
    let isDone = talk.reactor.advance(
      upToNanoseconds: 20_000_000_000, until: { calls.allSatisfy { !$0.outcomes.isEmpty } })
    #expect(isDone, "seed \(seed): \(calls.filter { $0.outcomes.isEmpty }.count) calls hang")
    talk.reactor.advance(byNanoseconds: 1_000_000_000)
    let end = try #require(server)
    for call in calls { check(call, talk, seed) }
    #expect(talk.work.running == 0, "seed \(seed)")
    let near = talk.client.connection
    let far = end.connection
    #expect(near.pointee.core.fault == nil, "seed \(seed)")
    // A drain during the handshake ends the connection at once, which is no error.
    let fault = far.pointee.core.fault
    #expect(fault == nil || fault?.code == .noError && talk.drains, "seed \(seed)")
    #expect(near.pointee.core.streams.isEmpty && far.pointee.core.streams.isEmpty, "seed \(seed)")
    #expect(near.pointee.core.reassemblyBytes == 0 && far.pointee.core.reassemblyBytes == 0)
    #expect(near.pointee.core.queuedMessageBytes == 0 && far.pointee.core.queuedMessageBytes == 0)
    #expect(Set(talk.work.ran).count == talk.work.ran.count, "seed \(seed): a call ran twice")
    guard !talk.isCut, !talk.drains else { return }
    #expect(near.pointee.core.window.sent == far.pointee.core.window.received, "seed \(seed)")
    #expect(far.pointee.core.window.sent == near.pointee.core.window.received, "seed \(seed)")
    #expect(
      near.pointee.core.window.sendAllowance == far.pointee.core.window.receiveAllowance,
      "seed \(seed)")
    #expect(
      far.pointee.core.window.sendAllowance == near.pointee.core.window.receiveAllowance,
      "seed \(seed)")
    #expect(talk.client.phase == .open && end.phase == .open, "seed \(seed)")
  }

  private func check(_ call: RecordedCall, _ talk: Conversation, _ seed: UInt64) {
    let name = "seed \(seed), call \(call.ask.number)"
    #expect(call.outcomes.count == 1, "\(name)")
    switch call.outcomes.first {
    case .reply(let answer):
      #expect(call.ask.code == 0, "\(name)")
      #expect(answer == Answer(to: call.ask), "\(name)")
    case .failure(let error):
      if error.isNotProcessed {
        #expect(!talk.work.ran.contains(call.ask.number), "\(name): \(error)")
      }
      switch error.code {
      case .deadlineExceeded:
        #expect(call.deadlineNanoseconds != 0 || call.ask.code == 4, "\(name)")
      case .cancelled: break
      case .unavailable:
        #expect(talk.drains || talk.isCut || call.ask.code == 14, "\(name): \(error)")
      // After cancelling, the client cannot know that the slot is still in use.
      case .resourceExhausted:
        #expect(call.ask.code == 8 || error.isNotProcessed, "\(name): \(error)")
      default: #expect(call.ask.code == error.code.rawValue, "\(name): \(error)")
      }
    case .undecodable, nil: Issue.record("\(name): \(call.outcomes)")
    }
  }
}
