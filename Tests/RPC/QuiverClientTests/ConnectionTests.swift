import Foundation
import QuiverAPI
import QuiverDispatch
import QuiverRPC
import QuiverWire
import Synchronization
import TestTransports
import Testing

@testable import QuiverClient

@Suite("Connections of a client", .timeLimit(.minutes(5)), .eachReadiness)
struct ConnectionTests {
  @Test(
    "a call to an address without a server is UNAVAILABLE, not processed, and names the address"
  )
  func refused() async throws {
    let address: String
    do { address = try SilentListener().address }
    let client = try RPCClient(.init(server: address))
    for _ in 0..<3 {
      let error = await failure { () throws(RPCError) in
        _ = try await client.call(Notes.echo, Note())
      }
      #expect(error.code == .unavailable && error.origin == .connection && error.isNotProcessed)
      #expect(error.message.contains(address))
    }
  }

  private static let otherServers: [([UInt8], String)] = [
    (Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), "it speaks HTTP"),
    (Array("SSH-2.0-OpenSSH_9\r\n".utf8), "it speaks SSH"),
    ([0x15, 3, 3, 0, 2, 2, 10], "uses TLS on this port"),
    (Array("220 archery\r\n".utf8), "is not a Quiver server"),
    (OtherProtocol.quiver.answer("this port has no calls"), "this port has no calls"),
  ]

  @Test(
    "A server of another protocol is tried once, and the error says what it is",
    arguments: otherServers)
  func otherProtocol(_ answer: [UInt8], _ words: String) async throws {
    let server = try OtherServer(answering: answer)
    defer { server.stop() }
    let client = try RPCClient(.init(server: server.address))
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(Notes.echo, Note())
    }
    #expect(error.code == .unavailable && error.isNotProcessed)
    #expect(error.message.contains(words), "\(error.message)")
    #expect(server.connectionCount == 1)
  }

  @Test("a host that does not exist is UNAVAILABLE, and the message names it")
  func unknownHost() async throws {
    let client = try RPCClient(.init(server: "nobody.invalid:1"))
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(Notes.echo, Note(), options: CallOptions(timeout: .seconds(60)))
    }
    #expect(error.code == .unavailable && error.isNotProcessed)
  }

  @Test("localhost reaches a server that listens on one of its addresses")
  func localhost() async throws {
    let fixture = try Fixture()
    guard case .tcp(_, let port) = fixture.endpoint.kind else { return }
    let client = try fixture.client { $0.server = "localhost:\(port)" }
    #expect(try await client.call(Notes.echo, Note("x")).text == "x")
  }

  /// A path for a socket of one test, which removes its file.
  private static func socketPath(_ name: String) -> String {
    let folder = FileManager.default.temporaryDirectory.path
    return "\(folder)/quiver-\(name)-\(UInt64.random(in: 0 ... .max)).socket"
  }

  @Test("A client connects to a Unix socket")
  func unix() async throws {
    let path = Self.socketPath("client")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let client = try Fixture(at: "unix:\(path)").client()
    #expect(try await client.call(Notes.echo, Note("x")).text == "x")
  }

  @Test(
    "a malformed address is refused when the client is created",
    arguments: ["", "localhost", ":1", "host:70000", "unix:", "1:2:3"])
  func badAddress(_ text: String) {
    do throws(RPCError) {
      _ = try RPCClient(.init(server: text))
      Issue.record("\(text) was taken")
    } catch {
      #expect(error.code == .invalidArgument && error.origin == .client)
      #expect(error.message.contains("HOST:PORT"))
    }
  }

  @Test("a token is not sent in plain text to another machine unless that is allowed")
  func plaintext() async throws {
    let client = try RPCClient(.init(server: "192.0.2.1:1", token: "qv_secret"))
    // Waiting does not help: waiting calls and watches fail as well.
    for waits in [false, true] {
      let options = CallOptions(timeout: .seconds(60), waitsForReady: waits)
      let error = await failure { () throws(RPCError) in
        _ = try await client.call(Notes.echo, Note(), options: options)
      }
      try #require(error.code == .failedPrecondition && error.origin == .connection)
      #expect(error.isNotProcessed)
      #expect(error.message.contains("allowsPlaintextToken"))
      #expect(error.message.contains("--allow-plaintext"))
      #expect(!error.message.contains("secret"))
    }
    var watch = client.watch(Equipment.watchItems, WatchItemsRequest()).makeAsyncIterator()
    let error = await failure { () throws(RPCError) in _ = try await watch.next() }
    #expect(error.code == .failedPrecondition)
  }

  @Test("a bad token is UNAUTHENTICATED, and the next call tries again")
  func badToken() async throws {
    let client = try Fixture().client { $0.token = "qv_bad" }
    for _ in 0..<2 {
      let error = await failure { () throws(RPCError) in
        _ = try await client.call(Notes.echo, Note())
      }
      #expect(error.code == .unauthenticated)
    }
  }

  @Test(
    "without a token methods that need one are UNAUTHENTICATED and the connection stays")
  func anonymous() async throws {
    let fixture = try Fixture()
    let client = try fixture.client { $0.token = nil }
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(Notes.echo, Note())
    }
    #expect(error.code == .unauthenticated && error.origin == .server)
    try await client.waitForReady(timeout: .seconds(60))
    #expect(fixture.server.connectionCount == 1)
  }

  @Test("a call during which the server stops is UNAVAILABLE and may have been processed")
  func stopped() async throws {
    let fixture = try Fixture()
    let client = try fixture.client()
    let task = Task {
      await failure { () throws(RPCError) in
        _ = try await client.call(Notes.hold, Note())
      }
    }
    _ = await fixture.held.next()
    fixture.server.stop()
    let error = await task.value
    #expect(error.code == .unavailable && error.origin == .connection && !error.isNotProcessed)
  }

  @Test(
    "L06: when a server closes within a frame, open calls fail and may have been processed",
    arguments: RawServer.Ending.allCases)
  func endsInMidFrame(_ ending: RawServer.Ending) async throws {
    let server = try RawServer(ending)
    var configuration = RPCClient.Configuration(server: server.address, token: "qv_any")
    configuration.limits.maxAttempts = 1
    configuration.defaultTimeout = nil
    let client = try RPCClient(configuration)
    let error = await failure { () throws(RPCError) in _ = try await client.call(Notes.echo, Note())
    }
    #expect(error.code == .unavailable && error.origin == .connection && !error.isNotProcessed)
  }

  @Test("the next server of several is tried when the first does not listen")
  func severalServers() async throws {
    let gone: String
    do { gone = try SilentListener().address }
    let fixture = try Fixture("b ")
    let folder = FileManager.default.temporaryDirectory.path
    let client = try fixture.client {
      $0.servers = [gone, "unix:\(folder)/quiver-nobody.socket", fixture.endpoint.description]
    }
    #expect(try await client.call(Notes.echo, Note("x")).text == "b x")
    #expect(client.configuration.server == gone)
  }

  @Test("A call that waits for readiness succeeds once a server listens")
  func waitsForReady() async throws {
    let path = Self.socketPath("late")
    // The server outlives the test, but not its file.
    defer { try? FileManager.default.removeItem(atPath: path) }
    var configuration = RPCClient.Configuration(
      server: "unix:\(path)", token: "qv_\(TokenAuthenticator.good)")
    configuration.limits.reconnect.longest = .milliseconds(250)
    let client = try RPCClient(configuration)
    let options = CallOptions(timeout: .seconds(60), waitsForReady: true)
    let waiting = Task { try await client.call(Notes.echo, Note("x"), options: options).text }
    let quick = await failure { () throws(RPCError) in _ = try await client.call(Notes.echo, Note())
    }
    #expect(quick.code == .unavailable && quick.isNotProcessed)
    let fixture = try Fixture("late ", at: "unix:\(path)")
    #expect(try await waiting.value == "late x")
    #expect(fixture.server.connectionCount == 1)
  }

  @Test("Calls above a connection's limit open another connection")
  func poolGrows() async throws {
    let fixture = try Fixture()
    let client = try fixture.client()
    let full = await fixture.fill(client)
    #expect(try await client.call(Notes.echo, Note("x")).text == "x")
    #expect(fixture.server.connectionCount == 2)
    try await full.release()
  }

  @Test("a lost connection is replaced for the next call")
  func reconnects() async throws {
    let (one, two) = (try Fixture("one "), try Fixture("two "))
    let redirecting = try RedirectingTransport(one.endpoint)
    let client = redirecting.client { $0.limits.maxAttempts = 1 }
    #expect(try await client.call(Notes.echo, Note()).text == "one ")
    redirecting.target.withLock { $0 = two.endpoint }
    let task = Task {
      await failure { () throws(RPCError) in
        _ = try await client.call(Notes.hold, Note())
      }
    }
    _ = await one.held.next()
    one.server.stop()
    _ = await task.value
    #expect(try await client.call(Notes.echo, Note()).text == "two ")
    #expect(redirecting.connections.withLock { $0 } == 2)
  }

  @Test(
    "when a server drains, open calls finish, no call fails, and the next ones use a new connection"
  )
  func drains() async throws {
    let (one, two) = (try Fixture("one "), try Fixture("two "))
    let redirecting = try RedirectingTransport(one.endpoint)
    let client = redirecting.client()
    let open = Task { try await client.call(Notes.hold, Note()) }
    let held = await one.held.next()
    redirecting.target.withLock { $0 = two.endpoint }
    let drained = Task { await one.server.drain() }
    while try await client.call(Notes.echo, Note()).text != "two " {}
    held.responder.succeed(Note("late"))
    #expect(try await open.value.text == "late")
    await drained.value
    #expect(one.server.connectionCount == 0)
    #expect(redirecting.connections.withLock { $0 } == 2)
  }

  @Test("a call that a draining server did not process is sent to another server")
  func retried() async throws {
    let (one, two) = (try Fixture("one "), try Fixture("two "))
    let redirecting = try RedirectingTransport(one.endpoint)
    let client = redirecting.client()
    let full = await one.fill(client)
    redirecting.target.withLock { $0 = two.endpoint }
    let waiting = (0..<20).map { _ in
      Task { try await client.call(Notes.echo, Note()).text }
    }
    let drained = Task { await one.server.drain() }
    for task in waiting { #expect(try await task.value == "two ") }
    try await full.release()
    await drained.value
    #expect(redirecting.connections.withLock { $0 } == 2)
  }

  @Test("A closed client finishes open calls and refuses new ones")
  func closed() async throws {
    let fixture = try Fixture()
    let client = try fixture.client()
    let open = Task { try await client.call(Notes.hold, Note()) }
    let held = await fixture.held.next()
    async let closed: Void = client.close(gracePeriod: .seconds(600))
    while !client.channel.state.withLock({ $0.isClosed }) { await Task.yield() }
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(Notes.echo, Note())
    }
    #expect(error.code == .unavailable && error.origin == .client && error.isNotProcessed)
    held.responder.succeed(Note("done"))
    #expect(try await open.value.text == "done")
    await closed
    #expect(client.channel.state.withLock { $0.ends.isEmpty })
  }

  @Test("waiting for a server ends when it serves, or throws the last failure in time")
  func ready() async throws {
    let fixture = try Fixture(health: .notServing)
    let client = try fixture.client { $0.token = nil }
    let error = await failure { () throws(RPCError) in
      try await client.waitForReady(timeout: .milliseconds(10))
    }
    #expect([.unavailable, .deadlineExceeded].contains(error.code))
    let waiting = Task { try await client.waitForReady(timeout: .seconds(60)) }
    fixture.health.withLock { $0 = .serving }
    try await waiting.value
  }
}
