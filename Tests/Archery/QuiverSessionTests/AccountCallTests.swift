import QuiverAPI
import QuiverClient
import QuiverRPC
import Testing

@testable import QuiverSession

@MainActor
@Suite("Imports, and the export and deletion of an account", .timeLimit(.minutes(5)))
struct AccountCallTests {
  @Test("Weights of a CSV text are imported whole or not at all")
  func weights() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      let model = LogbookModel(session)
      let good = "2024-02-29,80.5,kg,,\n2024-03-01,176.1,lb,,\n"
      let bad = try await session.importWeights(Array("2024-02-30,80,kg\n\(good)".utf8))
      #expect(bad.badLines.map(\.number) == [1] && bad.added == 0)
      let result = try await session.importWeights(Array(good.utf8))
      #expect(result.added == 2 && result.badLines.isEmpty)
      #expect(try await session.weightEntries().count == 2)
      await model.refresh()
      #expect(model.sections.flatMap(\.rows).count == 2)
      let again = try await session.importWeights(Array(good.utf8))
      #expect(again.added == 0 && again.unchanged == 2)
      await session.close()
    }
  }

  @Test("A strength log of several parts is imported, and a bad one is not")
  func sets() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      // No two lines are equal.
      let lines = (0..<10_000).map { number in
        "Mar \(1 + number % 28) 2024,Row,\(1 + number / 28 % 50),\(100 + number / 1_400)\n"
      }
      let log = Array(lines.joined().utf8)
      #expect(log.count > 2 * 65_536)
      let bad = try await session.importSets(Array("nonsense\n".utf8))
      #expect(!bad.kept && bad.badLineCount == 1)
      let result = try await session.importSets(log)
      #expect(result.kept && result.added == 10_000 && result.badLineCount == 0)
      #expect(try await session.importSets(log).unchanged == 10_000)
      transport.disconnect()
      let error = await failure { _ = try await session.importSets(log) }
      #expect(error?.hasPrefix("Failed to import sets") == true)
      await session.close()
    }
  }

  @Test("The export has all pages of the user's data")
  func export() async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      await session.syncNow()
      try await session.create(Riser("Hoyt", "Xceed"))
      await session.syncNow()
      var token = ""
      var types: [String] = []
      repeat {
        let page = try await session.exportAccount(page: token)
        types += page.records.map(\.type)
        token = page.nextPageToken
      } while !token.isEmpty
      #expect(types.contains { $0.hasSuffix("Riser") })
      #expect(types.contains { $0.hasSuffix("Profile") })
      await session.close()
    }
  }

  @Test("Deleting the account needs its shown name, and deletes this device's data")
  func deletion() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let session = try await server.session(token)
      await session.syncNow()
      try await session.create(Riser("Hoyt", "Xceed"))
      await session.syncNow()
      let identity = try #require(session.identity)
      let error = await failure { try await session.deleteAccount(confirmedBy: "Somebody") }
      #expect(error?.hasPrefix("Failed to delete the account: confirmation") == true)
      #expect(await session.directory.hasStore(identity) && session.isOnline)
      let profile = ProfileModel(session)
      try await profile.load()
      try await session.deleteAccount(confirmedBy: profile.shownName)
      #expect(await !session.directory.hasStore(identity))
      let client = try server.client(token)
      #expect(((try? await client.everything()) ?? []).isEmpty)
      #expect(await failure { _ = try await session.profile() } != nil)
    }
  }
}
