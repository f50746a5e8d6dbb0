import QuiverServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ServerLifeTests {
  @Test("Cancelling the task of a server lets open calls end and refuses others")
  func cancellingTheTaskOfA()
    async throws
  {
    let gate = Gate()
    var handlers = NoteHandlers()
    handlers.get = { note, _ in
      await gate.wait()
      return note
    }
    var configuration = RPCServer.Configuration(
      addresses: ["127.0.0.1:0"], services: [handlers.service])
    configuration.limits.drainTime = .seconds(20)
    let server = try RPCServer(configuration)
    let address = try server.start()[0]
    let running = Task { try await server.run() }
    try await withClient(address) { client in
      let open = Task { try await client.call(Notes.get, Note("open")) }
      #expect(await eventually { gate.waitingCount == 1 })
      running.cancel()
      let status = await eventually {
        await code { try await client.waitForReady(timeout: .milliseconds(1)) } != .ok
      }
      #expect(status)
      gate.open()
      let reply = try await open.value
      #expect(reply.text == "open")
    }
    try await running.value
    let refused = await code {
      try await withClient(address) { client in
        _ = try await client.call(Notes.get, Note())
      }
    }
    #expect(refused == .unavailable)
  }

  @Test("A server runs once and can be shut down before it runs")
  func aServerRunsOnceAnd() async throws {
    let server = try RPCServer(
      .init(addresses: ["127.0.0.1:0"], services: [NoteHandlers().service]))
    server.shutDown()
    try await server.run()
    await #expect(throws: ServerError.self) { try await server.run() }
  }

  @Test("Two servers cannot listen at one address")
  func twoServersCannotListenAt() async throws {
    try await withServer { _, address in
      let second = try RPCServer(
        .init(addresses: [address], services: [NoteHandlers().service]))
      let error = #expect(throws: ServerError.self) { try second.start() }
      #expect(error?.code == .address)
    }
  }

  @Test("Health follows what the service states and ends with the server")
  func healthFollowsWhatTheService() async throws {
    try await withServer { server, address in
      try await withClient(address) { client in
        var request = HealthCheckRequest()
        request.service = "test.notes.v1.Notes"
        let first = try await client.call(Health.check, request)
        #expect(first.status == .serving)
        server.health.set("test.notes.v1.Notes", notServingBecause: "its disk is full")
        let second = try await client.call(Health.check, request)
        #expect(second.status == .notServing)
        #expect(second.reason == "its disk is full")
        request.service = "test.notes.v1.Other"
        let unknown = await code { _ = try await client.call(Health.check, request) }
        #expect(unknown == .notFound)
      }
    }
  }

  @Test("Reflection describes the service, and metrics count its calls")
  func reflectionDescribesTheServiceAnd() async throws {
    try await withServer { server, address in
      try await withClient(address) { client in
        _ = try await client.call(Notes.get, Note("a"))
        let description = try await client.call(Reflection.describe, DescribeRequest())
        #expect(description.methods.contains { $0.name == "test.notes.v1.Notes/Talk" })
        #expect(description.fingerprint.count == 32)
        let text = String(decoding: description.fileDescriptorSet, as: UTF8.self)
        #expect(text.contains("test/notes/v1.proto"))
        let labels = #"{service="test.notes.v1.Notes",method="Get",code="OK"}"#
        let counted = "quiver_server_handled_total\(labels) 1"
        #expect(await eventually { server.metricsText.contains(counted) })
      }
    }
  }
}
