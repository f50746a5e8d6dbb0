import QuiverLoopback
import QuiverProtobuf
import QuiverWire
import Testing

@testable import QuiverClient
@testable import QuiverRPC

@Suite("A client states the latest position that it has seen", .timeLimit(.minutes(5)))
struct PositionTests {
  /// What a call states to a server whose reply states `position`.
  private func stated(
    _ client: RPCClient, _ network: VirtualNetwork, reply position: String = "",
    options: CallOptions = CallOptions()
  ) throws -> String {
    try network.run {
      try await client.call(Notes.position, Note(position), options: options)
    }.text
  }

  @Test("The position of a reply is stated by later calls, a lower one never takes its place")
  func highest() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    #expect(try stated(client, network) == "none")
    #expect(try stated(client, network, reply: "0000000000000007-20") == "none")
    #expect(try stated(client, network, reply: "0000000000000007-19") == "0000000000000007-20")
    #expect(try stated(client, network, reply: "garbage") == "0000000000000007-20")
    #expect(try stated(client, network, reply: "0000000000000007-100") == "0000000000000007-20")
    #expect(try stated(client, network) == "0000000000000007-100")
    // Another client has seen nothing.
    #expect(try stated(network.client("a"), network) == "none")
  }

  @Test("The position of another epoch takes the place of the known one")
  func otherEpoch() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    _ = try stated(client, network, reply: "0000000000000007-100")
    _ = try stated(client, network, reply: "0000000000000008-3")
    #expect(try stated(client, network) == "0000000000000008-3")
  }

  @Test("A position that the caller states itself is sent as it is")
  func ownPosition() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    _ = try stated(client, network, reply: "0000000000000007-100")
    let options = CallOptions(metadata: [StorePosition.key: "0000000000000007-5"])
    #expect(try stated(client, network, options: options) == "0000000000000007-5")
  }

  @Test(
    "A final failure that states a position sets the known one back, one that is retried does not")
  func restored() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    let server = try network.server("a")
    _ = try stated(client, network, reply: "0000000000000007-100")
    var error = RPCError(
      .unavailable, "not yet", metadata: [StorePosition.key: "0000000000000007-50"],
      isNotProcessed: true)
    server.script(error)
    _ = try network.run { try await client.call(Notes.echo, Note()) }
    #expect(try stated(client, network) == "0000000000000007-100")
    error.retryAfterMilliseconds = -1
    server.script(error)
    let call = network.start { try await client.call(Notes.echo, Note()) }
    #expect(try network.failure(call).code == .unavailable)
    #expect(try stated(client, network) == "0000000000000007-50")
  }

  @Test("What a watch has shown counts as seen where replies state positions")
  func watched() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    func watch(_ count: Int) throws {
      try network.run {
        var ticks = client.watch(Notes.watch, Note(number: UInt32(count))).makeAsyncIterator()
        for _ in 0..<count { _ = try await ticks.next() }
      }
    }
    try watch(3)
    #expect(try stated(client, network, reply: "0000000000000007-4") == "none")
    try watch(5)
    #expect(try stated(client, network) == "0000000000000007-8")
  }

  @Test("Streams state the position, and their trailing metadata is read")
  func streams() throws {
    let network = VirtualNetwork("a")
    let client = network.client("a")
    _ = try stated(client, network, reply: "0000000000000007-20")
    let texts = try network.run {
      var texts: [String] = []
      for try await note in try client.stream(
        Notes.positions, Note("0000000000000007-21"))
      {
        texts.append(note.text)
      }
      return texts
    }
    #expect(texts == ["0000000000000007-20"])
    #expect(try stated(client, network) == "0000000000000007-21")
  }
}
