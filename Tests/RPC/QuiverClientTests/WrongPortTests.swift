import Foundation
import QuiverDispatch
import QuiverRPC
import QuiverWire
import Synchronization
import TestTransports
import Testing

@testable import QuiverClient

@Suite("A client at a port of another protocol", .timeLimit(.minutes(5)), .eachReadiness)
struct WrongPortTests {
  private static let servers: [([UInt8], String)] = [
    (Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), "it speaks HTTP"),
    (Array("SSH-2.0-OpenSSH_9\r\n".utf8), "it speaks SSH"),
    ([0x15, 3, 3, 0, 2, 2, 10], "uses TLS on this port"),
    (Array("220 archery\r\n".utf8), "is not a Quiver server"),
    (OtherProtocol.quiver.answer("this port has no calls"), "this port has no calls"),
  ]
  /// What a proxy answers whose server is away.
  private static let badGateway = Array("HTTP/1.1 502 Bad Gateway\r\n\r\n".utf8)
  /// Far more time than the answer takes: a call that goes on ends DEADLINE_EXCEEDED.
  private static let waiting = CallOptions(timeout: .seconds(60), waitsForReady: true)

  private static func isNamed(_ error: RPCError, _ words: String) -> Bool {
    error.code == .unavailable && error.isNotProcessed && error.message.contains(words)
  }

  /// Waits until a state is reached.
  private static func until(_ isReached: () -> Bool) async {
    while !isReached() { await Task.yield() }
  }

  @Test("A call that waits for readiness ends there, and the error names it", arguments: servers)
  func call(_ answer: [UInt8], _ words: String) async throws {
    let server = try OtherServer(answering: answer)
    defer { server.stop() }
    let client = try RPCClient(.init(server: server.address))
    let calls = (0..<4).map { _ in
      Task {
        await failure { () throws(RPCError) in
          _ = try await client.call(Notes.echo, Note(), options: Self.waiting)
        }
      }
    }
    for call in calls {
      let error = await call.value
      #expect(Self.isNamed(error, words), "\(error)")
    }
    // So does one that begins during the back-off.
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(Notes.echo, Note(), options: Self.waiting)
    }
    #expect(Self.isNamed(error, words), "\(error)")
  }

  @Test("A watch ends there, and the error names it", arguments: servers)
  func watch(_ answer: [UInt8], _ words: String) async throws {
    let server = try OtherServer(answering: answer)
    defer { server.stop() }
    let client = try RPCClient(.init(server: server.address))
    var watch = client.watch(Notes.watch, Note(), options: CallOptions(timeout: .seconds(60)))
      .makeAsyncIterator()
    let error = await failure { () throws(RPCError) in _ = try await watch.next() }
    #expect(Self.isNamed(error, words), "\(error)")
    #expect(server.connectionCount == 1)
  }

  @Test("A stream that waits for readiness ends there, and the error names it", arguments: servers)
  func stream(_ answer: [UInt8], _ words: String) async throws {
    let server = try OtherServer(answering: answer)
    defer { server.stop() }
    let client = try RPCClient(.init(server: server.address))
    let error = await failure { () throws(RPCError) in
      var replies = try client.stream(Notes.count, Note(), options: Self.waiting)
        .makeAsyncIterator()
      _ = try await replies.next()
    }
    #expect(Self.isNamed(error, words), "\(error)")
    #expect(server.connectionCount == 1)
  }

  @Test("Waiting for readiness ends there, and the error names it", arguments: servers)
  func ready(_ answer: [UInt8], _ words: String) async throws {
    let server = try OtherServer(answering: answer)
    defer { server.stop() }
    let client = try RPCClient(.init(server: server.address))
    let error = await failure { () throws(RPCError) in
      try await client.waitForReady(timeout: .seconds(20))
    }
    #expect(Self.isNamed(error, words), "\(error)")
    #expect(server.connectionCount == 1)
  }

  @Test("A client that a server has greeted waits while a proxy answers in its place")
  func greeted() async throws {
    let (one, two) = (try Fixture("one "), try Fixture("two "))
    let proxy = try OtherServer(answering: Self.badGateway)
    defer { proxy.stop() }
    let redirecting = try RedirectingTransport(one.endpoint)
    let client = redirecting.client { $0.limits.reconnect.longest = .milliseconds(250) }
    #expect(try await client.call(Notes.echo, Note(), options: Self.waiting).text == "one ")
    redirecting.target.withLock { $0 = Endpoint(proxy.address)! }
    one.server.stop()
    await Self.until { client.channel.connectionCount == 0 }
    let call = Task { try await client.call(Notes.echo, Note(), options: Self.waiting).text }
    let watch = Task {
      await failure { () throws(RPCError) in
        var watch = client.watch(Notes.watch, Note(), options: CallOptions(timeout: .seconds(60)))
          .makeAsyncIterator()
        _ = try await watch.next()
      }
    }
    await Self.until { proxy.connectionCount >= 3 }
    redirecting.target.withLock { $0 = two.endpoint }
    #expect(try await call.value == "two ")
    // The second server has no such method, and says so.
    let ended = await watch.value
    #expect(ended.code == .unimplemented && ended.origin == .server, "\(ended)")
  }

  @Test("A server that only greets is known as well")
  func greetedWithoutAnswer() async throws {
    let (raw, two) = (try RawServer(.closes), try Fixture("two "))
    let proxy = try OtherServer(answering: Self.badGateway)
    defer { proxy.stop() }
    let redirecting = try RedirectingTransport(Endpoint(raw.address)!)
    let client = redirecting.client {
      $0.limits.reconnect.longest = .milliseconds(250)
      $0.limits.maxAttempts = 1
    }
    _ = await failure { () throws(RPCError) in _ = try await client.call(Notes.echo, Note()) }
    await Self.until { client.channel.connectionCount == 0 }
    redirecting.target.withLock { $0 = Endpoint(proxy.address)! }
    let call = Task { try await client.call(Notes.echo, Note(), options: Self.waiting).text }
    await Self.until { proxy.connectionCount >= 2 }
    redirecting.target.withLock { $0 = two.endpoint }
    #expect(try await call.value == "two ")
  }

  @Test("A call goes on waiting while a server may come up at another of the addresses")
  func otherAddress() async throws {
    let folder = FileManager.default.temporaryDirectory.path
    let path = "\(folder)/quiver-wrong-port-\(UInt64.random(in: 0 ... .max)).socket"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let other = try OtherServer(answering: Self.badGateway)
    defer { other.stop() }
    var configuration = RPCClient.Configuration(
      servers: [other.address, "unix:\(path)"], token: "qv_\(TokenAuthenticator.good)")
    configuration.limits.reconnect.longest = .milliseconds(250)
    let client = try RPCClient(configuration)
    let call = Task { try await client.call(Notes.echo, Note(), options: Self.waiting).text }
    await Self.until { other.connectionCount >= 3 }
    _ = try Fixture("late ", at: "unix:\(path)")
    #expect(try await call.value == "late ")
  }

  @Test("Where each of the addresses has another protocol, a call that waits ends")
  func allAddresses() async throws {
    let one = try OtherServer(answering: Self.badGateway)
    let two = try OtherServer(answering: Array("SSH-2.0-OpenSSH_9\r\n".utf8))
    defer {
      one.stop()
      two.stop()
    }
    let client = try RPCClient(.init(servers: [one.address, two.address]))
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(Notes.echo, Note(), options: Self.waiting)
    }
    #expect(Self.isNamed(error, "it speaks SSH"), "\(error)")
    #expect(one.connectionCount == 1 && two.connectionCount == 1)
  }

  @Test("Once a server listens at the port, a later call is answered")
  func corrected() async throws {
    let fixture = try Fixture("now ")
    let other = try OtherServer(answering: Self.badGateway)
    defer { other.stop() }
    let redirecting = try RedirectingTransport(Endpoint(other.address)!)
    let client = redirecting.client()
    let error = await failure { () throws(RPCError) in
      _ = try await client.call(Notes.echo, Note(), options: Self.waiting)
    }
    #expect(Self.isNamed(error, "it speaks HTTP"), "\(error)")
    redirecting.target.withLock { $0 = fixture.endpoint }
    client.reconnect()
    #expect(try await client.call(Notes.echo, Note(), options: Self.waiting).text == "now ")
  }

  @Test("A call goes on waiting where the other program has ended and nothing listens")
  func otherEnds() async throws {
    let fixture = try Fixture("now ")
    let other = try OtherServer(answering: Self.badGateway)
    let redirecting = try RedirectingTransport(Endpoint(other.address)!)
    let client = redirecting.client { $0.limits.reconnect.longest = .milliseconds(250) }
    _ = await failure { () throws(RPCError) in
      _ = try await client.call(Notes.echo, Note(), options: Self.waiting)
    }
    other.stop()
    let gone: String
    do { gone = try SilentListener().address }
    redirecting.target.withLock { $0 = Endpoint(gone)! }
    client.reconnect()
    let call = Task { try await client.call(Notes.echo, Note(), options: Self.waiting).text }
    await Self.until { redirecting.connections.withLock { $0 } >= 4 }
    redirecting.target.withLock { $0 = fixture.endpoint }
    #expect(try await call.value == "now ")
  }
}
