import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverService
import QuiverWire
import Testing

@Suite("Health", .timeLimit(.minutes(5)))
struct HealthServiceTests {
  @Test("The server and each service have a status by name; an unknown name is not found")
  func names() async throws {
    try await TestServer.run { server in
      let client = try server.nobody()
      for name in ["", "quiver.v1.Equipment", "quiver.v1.Diagnostics"] {
        let answer = try await status(of: name, client)
        #expect(answer == .serving)
      }
      for name in ["quiver.v1.Unknown", "quiver.v1.health", " "] {
        var request = HealthCheckRequest()
        request.service = name
        let code = await client.refusal(Health.check, request)?.code
        #expect(code == .notFound)
      }
    }
  }

  @Test("Disabled diagnostics are not served")
  func closedService() async throws {
    try await TestServer.run(ServerAssembly.Options()) { server in
      let client = try server.nobody()
      let closed = try await status(of: "quiver.v1.Diagnostics", client)
      #expect(closed == .notServing)
      let open = try await status(of: "quiver.v1.Equipment", client)
      #expect(open == .serving)
    }
  }

  @Test("A draining server, or one whose store failed, is NOT_SERVING", arguments: [true, false])
  func notServing(drains: Bool) async throws {
    try await TestServer.run { server in
      if drains { server.assembly.state.startDrain() } else { server.assembly.state.storeFailed() }
      let answer = try await status(of: "", try server.nobody())
      #expect(answer == .notServing)
    }
  }

  @Test("While nothing can be stored, Health says why, and watches of objects stay open")
  func fullDisk() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      var hub = try client.client.stream(Equipment.watchHub, WatchHubRequest()).makeAsyncIterator()
      _ = try await hub.next()
      server.assembly.state.storingChanged("the disk is full")
      for name in ["", "quiver.v1.Equipment"] {
        var request = HealthCheckRequest()
        request.service = name
        let answer = try await client.call(Health.check, request)
        #expect(answer.status == .notServing && answer.reason == "the disk is full")
      }
      #expect(try await status(of: "quiver.v1.Diagnostics", client) == .serving)
      server.assembly.state.storingChanged(nil)
      let answer = try await client.call(Health.check, HealthCheckRequest())
      #expect(answer.status == .serving && answer.reason.isEmpty)
      var request = CreateItemRequest<Riser>()
      request.item = Riser()
      request.item?.brand = "Hoyt"
      request.item?.model = "Formula Xi"
      _ = try await client.call(Equipment.risers.create, request)
      #expect(try await hub.next() != nil)
    }
  }

  @Test("A watch sends the status at once, and again when the server starts to drain")
  func watch() async throws {
    try await TestServer.run { server in
      let client = try server.nobody().client
      var replies = try client.stream(Health.watch, HealthCheckRequest()).makeAsyncIterator()
      #expect(try await replies.next()?.status == .serving)
      server.assembly.state.startDrain()
      #expect(try await replies.next()?.status == .notServing)
    }
  }

  @Test("A watch of an unknown service sends that it is unknown, and stays open")
  func watchOfUnknown() async throws {
    try await TestServer.run { server in
      let client = try server.client().client
      var request = HealthCheckRequest()
      request.service = "quiver.v1.Unknown"
      var replies = try client.stream(Health.watch, request).makeAsyncIterator()
      #expect(try await replies.next()?.status == .serviceUnknown)
      let answer = try await client.call(Diagnostics.connections, ConnectionsRequest())
      #expect(answer.connections.first?.openCalls == 2)
    }
  }

  private func status(of service: String, _ client: Client) async throws -> ServingStatus {
    var request = HealthCheckRequest()
    request.service = service
    return try await client.call(Health.check, request).status
  }
}
