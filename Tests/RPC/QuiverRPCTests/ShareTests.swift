import QuiverProtobuf
import QuiverWire
import Synchronization
import Testing

@testable import QuiverRPC

@Suite("Shares of memory", .timeLimit(.minutes(5)))
struct ShareTests {
  private static func limits(process: Int = 64 << 20) -> Limits {
    var limits = Limits()
    limits.processBytes = process
    return limits
  }

  private static func harness(_ principal: Int64, _ budget: ByteBudget) -> ServerHarness {
    let server = ServerHarness(budget: budget)
    server.end.move(to: budget.share(for: .principal(principal)))
    return server
  }

  @Test(
    "A connection counts for its principal from the token to its end")
  func moves() {
    let budget = ByteBudget(limits: Self.limits())
    let server = ServerHarness(.silent, budget: budget)
    #expect(server.end.shareKey == .address("here"))
    server.receive(Preface.bytes, hello { $0.authToken = Array("good".utf8) })
    guard case .principal = server.end.shareKey else {
      Issue.record("the share is that of the principal")
      return
    }
    #expect(budget.shareCount == 1)
    server.receive(request(1, Number.hold, [UInt8](repeating: 0, count: 16_000), .more))
    #expect(budget.heldBytes == 16_000)
    #expect(budget.share(for: server.end.shareKey!).heldBytes == 16_000)
    server.end.closed("gone")
    #expect(budget.heldBytes == 0)
  }

  @Test("A call that exceeds its principal's share ends, and other principals' calls continue")
  func fullShare() {
    let budget = ByteBudget(limits: Self.limits())
    let large = Self.harness(1, budget)
    let other = Self.harness(2, budget)
    budget.share(for: .principal(1)).add(16 << 20)
    let part = [UInt8](repeating: 0, count: 2_000)
    #expect(
      large.receive(request(1, Number.hold, part, .more)) == [
        "STATUS 1 RESOURCE_EXHAUSTED, not processed"
      ])
    #expect(other.receive(request(1, Number.hold, part, .more)) == [])
    #expect(other.receive(request(3, Number.echo, [])) == ["RESPONSE 3: 0"])
    #expect(large.phase == .open)
  }

  @Test(
    "A caller whose share is nearly full is refused before a handler starts, and is read slowly")
  func nearlyFullShare() {
    let budget = ByteBudget(limits: Self.limits())
    let server = Self.harness(1, budget)
    budget.share(for: .principal(1)).add(14 << 20)
    for call in 0..<17 as Range<UInt32> {
      let words = server.receive(request(call * 2 + 1, Number.hold))
      #expect(words == ["STATUS \(call * 2 + 1) RESOURCE_EXHAUSTED, not processed"])
    }
    #expect(server.held.count == 0 && !server.end.wantsInput)
    budget.share(for: .principal(1)).add(-(1 << 20))
    #expect(server.advance(milliseconds: 20).isEmpty)
    #expect(server.receive(request(101, Number.echo)) == ["RESPONSE 101: 0"])
    budget.share(for: .principal(1)).add(-(13 << 20))
  }

  @Test(
    "Unfinished messages on many connections fill one share, and other principals' calls succeed")
  func unfinishedMessages() {
    let budget = ByteBudget(limits: Self.limits())
    let large = (0..<40).map { _ in Self.harness(1, budget) }
    let part = [UInt8](repeating: 0, count: 16_000)
    for server in large {
      server.receive(credit(0, 1 << 40))
      server.receive(request(1, Number.hold, part, .more))
      for _ in 0..<60 { server.receive(data(1, part, .more)) }
    }
    #expect(budget.heldBytes <= 17 << 20)
    let other = Self.harness(2, budget)
    for stream in stride(from: 1, to: 41, by: 2) as StrideTo<UInt32> {
      #expect(other.receive(request(stream, Number.echo, [])) == ["RESPONSE \(stream): 0"])
    }
  }

  @Test("Queued messages of streams without credit count, and end their calls")
  func queuedMessages() {
    let budget = ByteBudget(limits: Self.limits())
    let servers = (0..<8).map { _ in Self.harness(1, budget) }
    for server in servers {
      for stream in stride(from: 1, to: 9, by: 2) as StrideTo<UInt32> {
        server.receive(request(stream, Number.serverStream, []))
      }
    }
    let message = [UInt8](repeating: 7, count: 1 << 20)
    var results: [SendResult] = []
    for server in servers {
      for stream in stride(from: 1, to: 9, by: 2) as StrideTo<UInt32> {
        let machine = server.end.connection
        results.append(machine.pointee.sendMessage(stream: stream, message))
      }
    }
    #expect(results.count { $0 == .over } > 0)
    #expect(results.count { $0 == .full } > 10)
    #expect(budget.heldBytes <= 17 << 20)
  }

  @Test("Replies above the connection's limit end their calls, except the first one")
  func queuedReplies() {
    let server = ServerHarness()
    server.reads = false
    for stream in stride(from: 1, to: 41, by: 2) as StrideTo<UInt32> {
      server.receive(request(stream, Number.hold, []))
    }
    for _ in 0..<20 { server.held.take().responder.succeed(Blob(count: 3 << 20)) }
    #expect(server.end.connection.pointee.core.outputByteCount <= 17 << 20)
    server.reads = true
    let words = server.drainOutput()
    #expect(words.count { $0.hasSuffix("RESOURCE_EXHAUSTED") } == 15)
  }

  @Test("While the process is full, small shares work and Health is answered for all")
  func smallShares() {
    let limits = Self.limits()
    let budget = ByteBudget(limits: limits)
    let large = Self.harness(1, budget)
    let other = Self.harness(2, budget)
    budget.share(for: .principal(1)).add(15 << 20)
    for principal in 3..<7 as Range<Int64> {
      budget.share(for: .principal(principal)).add(1 << 20)
    }
    let filler = budget.share(for: .principal(9))
    filler.add(44 << 20)
    #expect(budget.pressure == .sheds)
    #expect(other.receive(request(1, Number.echo, [])) == ["RESPONSE 1: 0"])
    #expect(
      large.receive(request(1, Number.echo, [])) == ["STATUS 1 RESOURCE_EXHAUSTED, not processed"])
    let check = request(3, Health.check.id, HealthCheckRequest().serializedBytes())
    #expect(large.receive(check).first?.hasPrefix("RESPONSE 3") == true)
    #expect(filler.heldBytes == 44 << 20)
  }

  @Test("At 95 % the largest share must release memory, once until it has")
  func reclaims() {
    let budget = ByteBudget(limits: Self.limits())
    let asked = HeldKeys()
    budget.onCritical { asked.add($0) }
    let large = budget.share(for: .principal(1))
    let small = budget.share(for: .address("2001:db8:0:1::/64"))
    large.add(40 << 20)
    #expect(asked.keys.isEmpty)
    small.add(22 << 20)
    #expect(asked.keys == [.principal(1)])
    small.add(4_096)
    #expect(asked.keys.count == 1)
    large.add(-(39 << 20))
    budget.reclaimed()
    large.add(39 << 20)
    #expect(asked.keys.count == 2)
  }

  @Test("Freed memory is returned to the system after usage has dropped much")
  func releases() {
    let budget = ByteBudget(limits: Self.limits())
    let asked = HeldKeys()
    budget.onRelease { asked.add(.principal(0)) }
    let share = budget.share(for: .principal(1))
    share.add(40 << 20)
    share.add(-(10 << 20))
    #expect(asked.keys.isEmpty)
    share.add(-(30 << 20))
    #expect(asked.keys.count == 1)
    share.add(4_096)
    share.add(-4_096)
    #expect(asked.keys.count == 1)
  }
}

/// The keys that a budget has named.
private final class HeldKeys: Sendable {
  private let state = Mutex<[ShareKey]>([])

  var keys: [ShareKey] { state.withLock { $0 } }

  func add(_ key: ShareKey) { state.withLock { $0.append(key) } }
}
