import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import Testing

@testable import QuiverSession

@Suite("Lost replies and crashes of a session", .timeLimit(.minutes(5)))
struct LostAnswerTests {
  @Test("A change whose replies are lost has one effect")
  func lostAnswers() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      let id = try await session.create(Riser("Hoyt", "One"))
      try await session.change(id) { $0.notes = "n" }
      try await session.setArchived(true, id)
      let gone = try await session.create(Riser("Hoyt", "Two"))
      try await session.delete(gone)
      for _ in 0..<5 {
        transport.loseAnswers(1)
        #expect(await session.syncNow().error?.isTransient == true)
        // The answer of the row that is resent is lost once more, then comes.
        transport.loseAnswers(1)
        #expect(await session.syncNow().error?.isTransient == true)
      }
      #expect(await session.syncNow().error == nil)
      #expect(transport.sent.count == 15 && transport.keys.count == 5)
      let client = try server.client(token)
      let items = try await client.everything()
      #expect(items.map(\.displayModel) == ["One"])
      let riser = try await client.riser(items[0].id)
      #expect(riser.revision == 3 && riser.notes == "n" && riser.archived)
      #expect(try await session.outbox().isEmpty)
      await session.close()
    }
  }

  @Test("A session resumes after a crash between the server's commit and its own")
  func crash() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      for index in 0..<4 { try await session.create(Riser("Hoyt", "R\(index)")) }
      transport.loseAnswers(1)
      await session.syncNow()
      // What the disk holds at this moment is what a killed process leaves.
      try server.copyDevice("phone", to: "after-crash")
      let second = try await server.session(token, on: "after-crash")
      #expect(try await second.outbox().count == 4)
      #expect(await second.syncNow().sentCount == 4)
      let client = try server.client(token)
      #expect(try await client.everything().count == 4)
      // And so may the first one, which still waits for its answers.
      #expect(await session.syncNow().sentCount == 4)
      #expect(try await client.everything().count == 4)
      await second.close()
      await session.close()
    }
  }

  @Test("A session keeps each acknowledged change, wherever it is killed")
  func everyPoint() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      await session.syncNow()
      for index in 0..<8 {
        let id = try await session.create(Riser("Hoyt", "R\(index)"))
        if index % 2 == 0 { try await session.change(id) { $0.notes = "n" } }
        let device = "copy-\(index)"
        try server.copyDevice("phone", to: device)
        let copy = try await server.session(token, on: device)
        #expect(try await copy.outbox() == session.outbox())
        #expect(try await copy.items(of: .riser) == session.items(of: .riser))
        await copy.close()
      }
      await session.close()
    }
  }

  @Test("A session recognizes its own change on the server, even without the key")
  func ownWrite() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      let id = try await session.create(Riser("Hoyt", "One"))
      await session.syncNow()
      try await session.change(id) { $0.notes = "mine" }
      transport.loseAnswers(1)
      await session.syncNow()
      try await server.forgetKeys()
      let report = await session.syncNow()
      #expect(report.sentCount == 1 && report.conflictCount == 0)
      #expect(try await session.item(Riser.self, id)?.revision == 2)
      await session.close()
    }
  }

  @Test("Creating, copying, deleting and archiving have one effect, even without the keys")
  func forgottenKeys() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      let id = try await session.create(Riser("Hoyt", "One"))
      try await session.setArchived(true, id)
      var setup = BowSetup()
      setup.name = "Outdoor"
      let setupID = try await session.create(setup)
      try await session.copySetup(setupID)
      try await session.makeDefault(setupID)
      try await session.delete(setupID)
      for _ in 0..<6 {
        transport.loseAnswers(1)
        #expect(await session.syncNow().error?.isTransient == true)
        try await server.forgetKeys()
      }
      #expect(await session.syncNow().error == nil)
      #expect(try await session.outbox().isEmpty)
      let client = try server.client(token)
      let hub = try await client.call(Equipment.getHub, GetHubRequest())
      #expect(hub.total == 0 && hub.archivedTotal == 1 && hub.setupCount == 1)
      #expect(try await session.hub() == hub)
      #expect(try await session.setups().map(\.name) == ["Outdoor (copy)"])
      await session.close()
    }
  }

  @Test("A session that is closed while it sends resumes later")
  func closing() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      await session.syncNow()
      for index in 0..<200 { try await session.create(Riser("Hoyt", "R\(index)")) }
      var changes = session.changes().makeAsyncIterator()
      let sending = Task { await session.syncNow() }
      while try await session.outbox().count == 200 { _ = await changes.next() }
      await session.close()
      let report = await sending.value
      let again = try await server.session(token)
      let left = try await again.outbox().count
      #expect(report.sentCount <= 200 - left + 1)
      #expect(await again.syncNow().sentCount == left)
      #expect(try await server.client(token).everything().count == 200)
      await again.close()
    }
  }

  @Test("A session accepts changes from many tasks while it sends")
  func whileSending() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      await session.syncNow()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            for index in 0..<25 {
              let id = try await session.create(Riser("Hoyt", "\(task)-\(index)"))
              try await session.change(id) { $0.notes = "n" }
            }
          }
        }
        for _ in 0..<5 { group.addTask { await session.syncNow() } }
        try await group.waitForAll()
      }
      #expect(await session.syncNow().error == nil)
      #expect(try await session.outbox().isEmpty)
      let client = try server.client(token)
      let items = try await client.everything()
      #expect(items.count == 100 && items.allSatisfy { $0.revision == 2 })
      await session.close()
    }
  }

  @Test("After a lost reply the next change does not overwrite other devices' changes")
  func ownWriteThenOthers() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      await session.syncNow()
      let id = try await session.create(Riser("Hoyt", "One"))
      await session.syncNow()
      try await session.change(id) { $0.material = "carbon" }
      try await session.change(id) { $0.notes = "mine" }
      transport.loseAnswers(1)
      await session.syncNow()
      let client = try server.client(token)
      try await client.note(try await session.serverID(id), "theirs")
      try await server.forgetKeys()
      let report = await session.syncNow()
      #expect(report.sentCount == 1 && report.conflictCount == 1)
      #expect(try await client.riser(try await session.serverID(id)).notes == "theirs")
      await session.close()
    }
  }
}
