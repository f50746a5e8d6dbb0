import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import Testing

@testable import QuiverSession

@MainActor
@Suite("The model of the profile", .timeLimit(.minutes(5)))
struct ProfileModelTests {
  @Test("Units and a name that are chosen offline are on the server after a sync")
  func offline() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let transport = FaultyTransport(try server.client(token))
      let session = try await server.session(token, transport: transport)
      let model = ProfileModel(session)
      transport.disconnect()
      #expect(await fails(saying: "Failed to load profile: ") { try await model.load() })
      await model.clearError()
      #expect(await fails(saying: "never loaded") { try await model.choose(.metric) })
      transport.reconnect()
      try await model.load()
      #expect(!model.shownName.isEmpty && model.shownName == model.profile?.shownName)
      #expect(model.weightUnit == .pound)
      transport.disconnect()
      try await model.choose(.metric)
      var profile = try #require(model.profile)
      profile.displayName = "  Ada "
      profile.timeZone = "Europe/Zurich"
      try await model.update(to: profile)
      #expect(model.weightUnit == .kilogram && model.shownName == "Ada" && model.mark == .waiting)
      transport.reconnect()
      transport.loseAnswers(1)
      for _ in 0..<2 { _ = await session.syncNow() }
      try await model.load()
      #expect(model.mark == .synced)
      let stored = try await server.client(token).call(Account.getProfile, GetProfileRequest())
      #expect(stored == model.profile && stored.displayName == "Ada" && stored.units == .metric)
      await session.close()
    }
  }

  @Test("Changes of two devices to different fields both stay; to the same field, the user decides")
  func merges() async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      let phone = try await server.session(token, on: "phone")
      let tablet = try await server.session(token, on: "tablet")
      let (one, other) = (ProfileModel(phone), ProfileModel(tablet))
      try await one.load()
      try await other.load()
      try await other.choose(.metric)
      _ = await tablet.syncNow()
      var profile = try #require(one.profile)
      profile.displayName = "Bea"
      try await one.update(to: profile)
      #expect(await phone.syncNow().conflictCount == 0)
      try await one.load()
      #expect(one.profile?.displayName == "Bea" && one.profile?.units == .metric)
      try await other.load()
      try await other.choose(.imperial)
      _ = await tablet.syncNow()
      try await one.choose(.unspecified)
      #expect(await phone.syncNow().conflictCount == 1)
      await one.refresh()
      #expect(one.mark == .conflict)
      let entry = try #require(try await phone.outbox().first)
      try await phone.overwrite(entry.id)
      #expect(await phone.syncNow().error == nil)
      try await one.load()
      #expect(one.profile?.units == .unspecified && one.mark == .synced)
      await phone.close()
      await tablet.close()
    }
  }

  @Test(
    "A profile that is not valid is refused and not stored",
    arguments: [("Mars/Phobos", ""), ("", String(repeating: "a", count: 51)), ("", " ")])
  func badProfiles(_ zone: String, _ name: String) async throws {
    try await SessionServer.run { server in
      let session = try await server.session(try server.token())
      let model = ProfileModel(session)
      try await model.load()
      var profile = try #require(model.profile)
      profile.timeZone = zone
      profile.displayName = name
      #expect(
        await fails(saying: "Failed to change profile: profile.") {
          try await model.update(to: profile)
        })
      #expect(model.mark == .synced)
      #expect(try await session.outbox().isEmpty)
      await session.close()
    }
  }
}
