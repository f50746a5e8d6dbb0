import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("The profile", .timeLimit(.minutes(5)))
struct ProfileTests {
  @Test("WhoAmI returns the caller, the scopes of its token and the store's identity")
  func whoAmI() async throws {
    try await TestServer.run { server in
      let client = try server.client(named: "Robin")
      let answer = try await client.call(Account.whoAmI, WhoAmIRequest())
      #expect(answer.principal?.displayName == "Robin" && answer.principal?.kind == .user)
      #expect(answer.tokenID > 0 && answer.scopes == [.read, .write])
      #expect(answer.tokenExpiresAtMilliseconds == nil)
      #expect(answer.storeEpoch == server.store.epoch)
      let admin = try server.client(.administrator, named: "Sheriff")
      let scopes = try await admin.call(Account.whoAmI, WhoAmIRequest()).scopes
      #expect(scopes == [.read, .write, .admin])
    }
  }

  @Test("An update changes the fields in its mask, and adds 1 to the revision")
  func update() async throws {
    try await TestServer.run { server in
      let client = try server.client(named: "Robin")
      let before = try await client.call(Account.getProfile, GetProfileRequest())
      #expect(before.shownName == "Robin" && before.revision == 1)
      var wish = UpdateProfileRequest()
      wish.profile = Profile()
      wish.profile?.revision = 1
      wish.profile?.displayName = "not named"
      wish.profile?.timeZone = "Europe/Zurich"
      wish.profile?.units = .imperial
      wish.updateMask = ["time_zone", "units"]
      let after = try await client.call(Account.updateProfile, wish)
      #expect(after.displayName == "Robin" && after.timeZone == "Europe/Zurich")
      #expect(after.units == .imperial && after.revision == 2)
      #expect(try await client.call(Account.getProfile, GetProfileRequest()) == after)

      wish.profile = after
      let sequence = try server.lastSequence()
      #expect(try await client.call(Account.updateProfile, wish) == after)
      #expect(try server.lastSequence() == sequence)

      wish.profile?.displayName = ""
      wish.updateMask = ["display_name"]
      let nameless = try await client.call(Account.updateProfile, wish)
      #expect(nameless.displayName.isEmpty && nameless.shownName == "Archer \(after.principalID)")
    }
  }

  @Test("A stale revision fails with ABORTED and the current profile")
  func stale() async throws {
    try await TestServer.run { server in
      let client = try server.client(named: "Robin")
      var wish = UpdateProfileRequest()
      wish.profile = try await client.call(Account.getProfile, GetProfileRequest())
      wish.profile?.units = .metric
      wish.updateMask = ["units"]
      let current = try await client.call(Account.updateProfile, wish)
      wish.profile?.units = .imperial
      let refusal = await client.refusal(Account.updateProfile, wish)
      #expect(refusal?.code == .aborted)
      let detail = try #require(refusal?.details.first)
      #expect(detail.type == "quiver.v1.Profile")
      #expect(try Profile(serializedBytes: detail.value) == current)
    }
  }

  /// A change that cannot be, with how its refusal begins.
  struct BadChange: Sendable, CustomTestStringConvertible {
    var profile: Profile?
    var mask: [String]
    let prefix: String
    var testDescription: String { prefix + mask.joined() }

    init(_ prefix: String, mask: [String], _ change: (inout Profile) -> Void = { _ in }) {
      var profile = Profile()
      profile.revision = 1
      change(&profile)
      self.profile = profile
      self.mask = mask
      self.prefix = prefix
    }

    static let all: [BadChange] = {
      var absent = BadChange("profile: ", mask: ["units"])
      absent.profile = nil
      let zones = [
        "Mars/Phobos", "GMT+3", "/Zurich", "Europe/", "Europe//Zurich", "Zürich", "1/2", " UTC",
        "Etc/GMT+1 ", "a\u{0}",
        String(repeating: "a", count: 65),
      ]
      return [
        absent,
        BadChange("update_mask: ", mask: []),
        BadChange("update_mask[1]: is no field", mask: ["units", "unit"]),
        BadChange("update_mask[0]: is a field", mask: ["shown_name"]),
        BadChange("update_mask[0]: is a field", mask: ["revision"]),
        BadChange("profile.revision: ", mask: ["units"]) { $0.revision = 0 },
        BadChange("profile.display_name: ", mask: ["display_name"]) { $0.displayName = " \n" },
        BadChange("profile.display_name: ", mask: ["display_name"]) {
          $0.displayName = String(repeating: "x", count: 51)
        },
        BadChange("profile.units: ", mask: ["units"]) { $0.units = Units(rawValue: 3) },
        BadChange("profile.bowstyle: ", mask: ["bowstyle"]) { $0.bowstyle = .init(rawValue: 9) },
        BadChange("profile.gender: ", mask: ["gender"]) { $0.gender = .init(rawValue: -1) },
        BadChange("profile.age_group: ", mask: ["age_group"]) { $0.ageGroup = .init(rawValue: 9) },
      ]
        + zones.map { zone in
          BadChange("profile.time_zone: ", mask: ["time_zone"]) { $0.timeZone = zone }
        }
    }()
  }

  @Test(
    "A value that is not valid fails with the name of its field and stores nothing",
    arguments: BadChange.all)
  func badInput(_ bad: BadChange) async throws {
    try await TestServer.run { server in
      let client = try server.client(named: "Robin")
      let before = try server.lastSequence()
      var wish = UpdateProfileRequest()
      wish.profile = bad.profile
      wish.updateMask = bad.mask
      let refusal = await client.refusal(Account.updateProfile, wish)
      #expect(refusal?.code == .invalidArgument)
      #expect(refusal?.message.hasPrefix(bad.prefix) == true, "\(refusal?.message ?? "none")")
      #expect(try server.lastSequence() == before)
    }
  }
}
