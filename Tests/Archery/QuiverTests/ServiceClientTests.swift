import Foundation
import Quiver
import Testing

@Suite("Service clients, against a server", .timeLimit(.minutes(5)))
struct ServiceClientTests {
  @Test("an item of equipment is created, read, changed, archived, restored and deleted")
  func item() async throws {
    try await TestServer.run { server in
      try await withQuiverClient(server.configuration) { client in
        let risers = client.equipment.risers
        let clientID: [UInt8] = [1, 2, 3, 4, 5, 6, 0x70, 8, 0x80, 10, 11, 12, 13, 14, 15, 16]
        var riser = try await risers.create(
          .with {
            $0.brand = "Hoyt"
            $0.model = "Formula XD"
            $0.clientID = clientID
          })
        #expect(riser.id > 0 && riser.revision == 1)
        #expect(try await risers.get(riser.id) == riser)
        #expect(try await risers.get(clientID: clientID) == riser)
        riser.model = "Formula X"
        riser = try await risers.update(riser, fields: ["model"])
        #expect(riser.model == "Formula X" && riser.brand == "Hoyt" && riser.revision == 2)
        riser = try await risers.archive(riser)
        #expect(riser.archived)
        riser = try await risers.restore(riser)
        #expect(!riser.archived)
        let old = Riser.with {
          $0.id = riser.id
          $0.revision = 1
        }
        await #expect(throws: RPCError.self) { try await risers.delete(old) }
        try await risers.delete(riser)
        let id = riser.id
        let gone = await #expect(throws: RPCError.self) { try await risers.get(id) }
        #expect(gone?.code == .notFound)
      }
    }
  }

  @Test("a watch of one type has its list, then its changes")
  func watch() async throws {
    try await TestServer.run { server in
      try await withQuiverClient(server.configuration) { client in
        _ = try await client.equipment.sights.create(
          .with {
            $0.brand = "Shibuya"
            $0.model = "Ultima"
          })
        var changes = client.equipment.watchItems(of: .riser).makeAsyncIterator()
        let list = try #require(try await changes.next())
        #expect(list.span?.isSnapshot == true)
        let riser = try await client.equipment.risers.create(
          .with {
            $0.brand = "Win & Win"
            $0.model = "ATF"
          })
        let change = try #require(try await changes.next())
        #expect(change.span?.isSnapshot == false)
        #expect(riser.id > 0)
      }
    }
  }

  @Test("each kind of method is called like a function")
  func kinds() async throws {
    try await TestServer.run { server in
      try await withQuiverClient(server.configuration) { client in
        #expect(try await client.health.check().status == .serving)
        let echo = try await client.diagnostics.echo(.with { $0.payload = [1, 2] })
        #expect(echo.payload == [1, 2])
        let reply = try await client.diagnostics.echo.reply(.with { $0.payload = [3] })
        #expect(reply.message.payload == [3] && reply.trailingMetadata.isEmpty)
        var count = 0
        for try await _ in try client.diagnostics.source(.with { $0.count = 3 }) { count += 1 }
        #expect(count == 3)
        let messages = (0..<3).map { number in EchoMessage.with { $0.payload = [number] } }
        let sent = AsyncStream { source in
          for message in messages { source.yield(message) }
          source.finish()
        }
        #expect(try await client.diagnostics.sink(sending: sent).messageCount == 3)
        let call = try client.diagnostics.echoStream.open()
        try await call.send(contentsOf: messages)
        var echoed: [EchoMessage] = []
        for try await message in call.replies { echoed.append(message) }
        #expect(echoed == messages)
      }
    }
  }

  @Test("withQuiverClient closes its client, and throws what its body throws")
  func scope() async throws {
    struct Stop: Error {}
    try await TestServer.run { server in
      var kept: RPCClient?
      await #expect(throws: Stop.self) {
        try await withQuiverClient(server.configuration) { client in
          kept = client
          _ = try await client.health.check()
          throw Stop()
        }
      }
      let client = try #require(kept)
      let error = await #expect(throws: RPCError.self) { try await client.health.check() }
      #expect(error?.code == .unavailable && error?.origin == .client)
    }
  }
}
