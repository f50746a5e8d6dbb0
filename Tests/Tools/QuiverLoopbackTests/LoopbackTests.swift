import QuiverLoopback
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization
import Testing

@Suite("The loopback transport", .timeLimit(.minutes(5)))
struct LoopbackTests {
  static func ask(_ number: UInt32, replyBytes: UInt32 = 10, delayMicroseconds: UInt32 = 0) -> Ask {
    var ask = Ask()
    ask.number = number
    ask.replyBytes = replyBytes
    ask.delayMicroseconds = delayMicroseconds
    return ask
  }

  static let methods = [Work.atOnce, Work.later, Work.task]

  @Test("On a dedicated thread calls of each kind of handler are answered", arguments: 0..<3)
  func ownThread(_ kind: Int) async throws {
    let work = Work()
    let transport = LoopbackTransport()
    let end = transport.connect(
      to: work.server(on: transport.reactor), ConnectOptions(software: "test"))
    for number in 1...50 as ClosedRange<UInt32> {
      let call = RecordedCall(Self.methods[kind], Self.ask(number, delayMicroseconds: 50))
      guard case .reply(let answer) = await call.outcome(on: end) else {
        Issue.record("\(call.outcomes)")
        return
      }
      #expect(answer == Answer(to: call.ask))
    }
    #expect(work.running == 0)
    if kind == 2 { #expect(work.resumedOnReactor == 50, "an async handler goes on where it began") }
  }

  @Test("Many tasks call concurrently over many connections and a transport that splits frames")
  func manyTasks() async {
    let work = Work()
    var link = LoopbackLink()
    link.chunkBytes = 1...100
    link.capacityBytes = 2_000
    let transport = LoopbackTransport(link: link)
    let server = work.server(on: transport.reactor)
    let ends = (0..<4).map { _ in transport.connect(to: server, ConnectOptions(software: "test")) }
    let replies = await withTaskGroup(of: Bool.self) { group in
      for number in 1...200 as ClosedRange<UInt32> {
        let end = ends[Int(number) % ends.count]
        group.addTask {
          let method = Self.methods[Int(number) % 3]
          let call = RecordedCall(method, Self.ask(number, replyBytes: number * 20))
          guard case .reply(let answer) = await call.outcome(on: end) else { return false }
          return answer == Answer(to: call.ask)
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(replies == 200)
    #expect(transport.connectionCount == 4)
  }

  @Test("In manual mode nothing happens until it is requested, and time does not pass")
  func handWritten() {
    let work = Work()
    let reactor = LoopbackReactor(.manual(startNanoseconds: 1_000_000_000))
    let transport = LoopbackTransport(on: reactor)
    let end = transport.connect(to: work.server(on: reactor), ConnectOptions(software: "test"))
    let call = RecordedCall(Work.later, Self.ask(1, delayMicroseconds: 2_000))
    end.submit(call)
    #expect(call.outcomes.isEmpty && work.ran.isEmpty)
    reactor.runReady()
    #expect(work.ran == [1])
    #expect(call.outcomes.isEmpty)
    reactor.advance(byNanoseconds: 1_999_999)
    #expect(call.outcomes.isEmpty)
    reactor.advance(byNanoseconds: 1)
    #expect(call.outcomes.count == 1)
    #expect(reactor.nowNanoseconds == 1_002_000_000)
  }

  @Test("The same seed leads to the same events")
  func repeatable() {
    func trace(_ seed: UInt64) -> [UInt64] {
      let work = Work()
      let reactor = LoopbackReactor(.manual(startNanoseconds: 1_000_000_000))
      var link = LoopbackLink()
      link.seed = seed
      link.chunkBytes = 1...50
      link.delayNanoseconds = 0...1_000_000
      let transport = LoopbackTransport(on: reactor, link: link)
      let end = transport.connect(to: work.server(on: reactor), ConnectOptions(software: "test"))
      var times: [UInt64] = []
      for number in 1...10 as ClosedRange<UInt32> {
        let call = RecordedCall(Work.task, Self.ask(number, replyBytes: 500))
        end.submit(call)
        #expect(reactor.advance(upToNanoseconds: 1 << 40, until: { !call.outcomes.isEmpty }))
        times.append(reactor.nowNanoseconds)
      }
      return times
    }
    #expect(trace(3) == trace(3))
    #expect(trace(3) != trace(4))
  }

  @Test("A lost connection fails open calls, and reports which may have been processed")
  func cut() {
    let work = Work()
    let reactor = LoopbackReactor(.manual(startNanoseconds: 1_000_000_000))
    let transport = LoopbackTransport(on: reactor)
    let end = transport.connect(to: work.server(on: reactor), ConnectOptions(software: "test"))
    let call = RecordedCall(Work.later, Self.ask(1, delayMicroseconds: 1_000))
    end.submit(call)
    reactor.runReady()
    transport.cutAll()
    reactor.runReady()
    guard case .failure(let error) = call.outcomes.first else {
      Issue.record("the call did not fail")
      return
    }
    #expect(error.code == .unavailable)
    #expect(!error.isNotProcessed)
    let late = RecordedCall(Work.atOnce, Self.ask(2))
    end.submit(late)
    reactor.advance(byNanoseconds: 1_000_000_000)
    guard case .failure(let lateError) = late.outcomes.first else {
      Issue.record("the late call did not fail")
      return
    }
    #expect(lateError.isNotProcessed)
    #expect(work.running == 0)
    #expect(transport.connectionCount == 0)
  }

  @Test("A client that shuts down lets its calls finish, and then both ends close")
  func shutDown() {
    let work = Work()
    let reactor = LoopbackReactor(.manual(startNanoseconds: 1_000_000_000))
    let transport = LoopbackTransport(on: reactor)
    let end = transport.connect(to: work.server(on: reactor), ConnectOptions(software: "test"))
    let call = RecordedCall(Work.later, Self.ask(1, delayMicroseconds: 1_000))
    end.submit(call)
    reactor.runReady()
    end.shutDown()
    reactor.advance(byNanoseconds: 2_000_000)
    guard case .reply = call.outcomes.first else {
      Issue.record("\(call.outcomes)")
      return
    }
    reactor.advance(byNanoseconds: 2_000_000_000)
    #expect(transport.connectionCount == 0)
  }

  @Test("L01: a drain under load fails no accepted call, and reports the others as not processed")
  func drainUnderLoad() {
    let work = Work()
    let reactor = LoopbackReactor(.manual(startNanoseconds: 1_000_000_000))
    var link = LoopbackLink()
    link.delayNanoseconds = 100_000...900_000
    let transport = LoopbackTransport(on: reactor, link: link)
    let end = transport.connect(
      to: work.server(on: reactor),
      ConnectOptions(token: Array("token".utf8), software: "test"))
    let calls = (1...1_000).map {
      RecordedCall(Work.later, Self.ask(UInt32($0), delayMicroseconds: 2_000))
    }
    for (index, call) in calls.enumerated() {
      let at = reactor.nowNanoseconds + UInt64(index) * 1_000_000
      reactor.schedule(atNanoseconds: at) { end.submit(call) }
    }
    reactor.schedule(atNanoseconds: reactor.nowNanoseconds + 500_000_000) {
      transport.forEachServerEnd { $0.drain(now: reactor.nowNanoseconds) }
    }
    reactor.advance(byNanoseconds: 5_000_000_000)
    var replies = 0
    for call in calls {
      switch call.outcomes.first {
      case .reply: replies += 1
      case .failure(let error):
        #expect(error.code == .unavailable && error.isNotProcessed, "\(error)")
        #expect(!work.ran.contains(call.ask.number))
      default: Issue.record("call \(call.ask.number) has no outcome")
      }
    }
    #expect(replies >= 495)
    #expect(replies == work.ran.count)
    #expect(transport.connectionCount == 0)
  }
}
