import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverRPC

@Suite("The age and idle time of connections", .timeLimit(.minutes(5)))
struct LifetimeTests {
  static func limits(age: Int = 0, idle: Int = 0) -> Limits {
    var limits = Limits()
    limits.connectionAgeMilliseconds = age
    limits.connectionIdleMilliseconds = idle
    return limits
  }

  static let twoSteps = ["GOAWAY NO_ERROR, last 2147483647", "PING"]

  @Test("The idle limit of anonymous connections applies from one millisecond on, and 0 is none")
  func idleLimit() {
    var lifetime = Lifetime()
    lifetime.limitIdle(to: 0)
    #expect(lifetime.idleMilliseconds == 0)
    lifetime.limitIdle(to: 1)
    #expect(lifetime.idleMilliseconds == 1)
    lifetime.limitIdle(to: 2)
    #expect(lifetime.idleMilliseconds == 1)
  }

  @Test("A limit gets an even jitter of up to a tenth, and 0 stays 0")
  func jitter() {
    var ages: Set<Int> = []
    for jitter in 0..<5_000 as Range<UInt64> {
      let lifetime = Lifetime(Self.limits(age: 1_000, idle: 100_000), jitter: jitter)
      ages.insert(lifetime.ageMilliseconds)
      #expect((90_000...110_000).contains(lifetime.idleMilliseconds))
    }
    #expect(ages == Set(900...1_100))
    let none = Lifetime(Limits(), jitter: 99)
    #expect(none.ageMilliseconds == 0 && none.idleMilliseconds == 0)
    #expect(Lifetime(Self.limits(age: 1), jitter: 0).ageMilliseconds == 1)
  }

  @Test("An old connection is drained in two steps, and its calls finish")
  func age() {
    let server = ServerHarness(limits: Self.limits(age: 100_000))
    let due = server.end.connection.pointee.core.lifetime.ageMilliseconds
    server.receive(request(1, Number.hold, []))
    // Any bytes satisfy the server's keepalive.
    var words: [String] = []
    for _ in 0..<4 {
      words += server.advance(milliseconds: due / 4 - 20)
      server.receive(credit(0, 1))
    }
    #expect(words == [])
    #expect(server.advance(milliseconds: 81) == Self.twoSteps)
    #expect(server.frames.last { $0.type == .goAway }?.reason.contains("old") == true)
    let number = server.frames.last { $0.type == .ping }?.number ?? 0
    #expect(server.receive(ping(number, .end)) == ["GOAWAY NO_ERROR, last 1"])
    server.held.take().responder.succeed(Blob())
    #expect(server.drainOutput() == ["RESPONSE 1: 0"])
    _ = server.advance(milliseconds: 10)
    #expect(server.phase >= .closing)
  }

  @Test("A connection without a call is drained, and an answered PING keeps none open")
  func idle() {
    let server = ServerHarness(limits: Self.limits(idle: 100_000))
    let due = server.end.connection.pointee.core.lifetime.idleMilliseconds
    var words: [String] = []
    var passed = 0
    while passed < due - 5_000 {
      words += server.advance(milliseconds: 5_000)
      server.receive(credit(0, 1))
      passed += 5_000
    }
    #expect(words == [])
    #expect(server.advance(milliseconds: due - passed + 1) == Self.twoSteps)
    #expect(server.frames.last { $0.type == .goAway }?.reason.contains("no call") == true)
  }

  @Test("Idle time starts at the end of the last call, whatever its length")
  func idleAfterCalls() {
    let server = ServerHarness(limits: Self.limits(idle: 40_000))
    let due = server.end.connection.pointee.core.lifetime.idleMilliseconds
    // Short calls.
    for call in 0..<5 as Range<UInt32> {
      #expect(server.advance(milliseconds: due - 1_000) == [])
      #expect(server.receive(request(call * 2 + 1, Number.echo, [])).count == 1)
    }
    // A long call.
    server.receive(request(99, Number.hold, []))
    for _ in 0..<6 {
      #expect(server.advance(milliseconds: 30_000) == [])
      server.receive(credit(0, 1))
    }
    server.held.take().responder.succeed(Blob())
    #expect(server.drainOutput() == ["RESPONSE 99: 0"])
    #expect(server.advance(milliseconds: due - 1_000) == [])
    #expect(server.advance(milliseconds: 1_001) == Self.twoSteps)
  }

  private final class Driver: ConnectionDriver {
    func hasOutput() {}
  }

  /// Two references that hold each other would keep the socket of each closed connection.
  @Test("An end holds its driver until the connection is closed, and no longer")
  func driver() {
    let server = ServerHarness()
    let client = ClientHarness()
    var driver: Driver? = Driver()
    weak let held = driver
    server.end.driver = driver
    client.end.driver = driver
    driver = nil
    #expect(held != nil)
    server.end.closed("the peer has closed")
    #expect(held != nil)
    client.end.closed("the peer has closed")
    #expect(held == nil)
  }

  @Test("The HELLO has this connection's idle time and the schema's fingerprint")
  func stated() throws {
    let server = ServerHarness(limits: Self.limits(idle: 100_000))
    let said = try #require(server.frames.first { $0.type == .hello })
    let hello = try Hello(serializedBytes: said.payload)
    let due = server.end.connection.pointee.core.lifetime.idleMilliseconds
    #expect(Int(hello.idleTimeoutMilliseconds) == due)
    #expect(hello.schemaFingerprint == [9, 9])
  }
}

extension ReceivedFrame {
  var reason: String { (try? GoAwayMessage(serializedBytes: payload))?.reason ?? "" }
}
