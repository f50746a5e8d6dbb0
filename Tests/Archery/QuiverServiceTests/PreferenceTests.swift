import QuiverAPI
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@Suite("Preferences", .timeLimit(.minutes(5)))
struct PreferenceTests {
  @Test("A preference is returned by key to its owner only, until it is deleted")
  func kept() async throws {
    try await TestServer.run { server in
      let robin = try server.client(named: "Robin")
      let marian = try server.client(named: "Marian")
      _ = try await robin.call(Account.setPreference, .of("comparison.range", "SEVEN_DAYS"))
      _ = try await robin.call(Account.setPreference, .of("a", ""))
      let range = try await robin.call(
        Account.setPreference, .of("comparison.range", "ALL_TIME"))
      #expect(range.value == "ALL_TIME" && range.updatedAtMilliseconds > 0)
      let all = try await robin.call(Account.getPreferences, GetPreferencesRequest()).preferences
      #expect(all.map(\.key) == ["a", "comparison.range"] && all.last == range)
      let others = try await marian.call(Account.getPreferences, GetPreferencesRequest())
      #expect(others.preferences.isEmpty)

      var deletion = DeletePreferenceRequest()
      deletion.key = "a"
      let foreign = await marian.refusal(Account.deletePreference, deletion)
      #expect(foreign?.code == .notFound)
      _ = try await robin.call(Account.deletePreference, deletion)
      let again = await robin.refusal(Account.deletePreference, deletion)
      #expect(again?.code == .notFound && again?.message.hasPrefix("key: ") == true)
      let left = try await robin.call(Account.getPreferences, GetPreferencesRequest())
      #expect(left.preferences == [range])
    }
  }

  @Test("Setting the same value again changes nothing")
  func unchanged() async throws {
    try await TestServer.run { server in
      let robin = try server.client()
      let first = try await robin.call(Account.setPreference, .of("k", "v"))
      let before = try server.lastSequence()
      #expect(try await robin.call(Account.setPreference, .of("k", "v")) == first)
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("The 201st preference is refused, and existing ones can still be changed")
  func limit() async throws {
    try await TestServer.run { server in
      let robin = try server.client()
      let longest = String(repeating: "é", count: StoreLimits.preferenceValueByteCount / 2)
      for number in 0..<StoreLimits.preferencesPerPrincipal {
        _ = try await robin.call(Account.setPreference, .of("k\(number)", longest))
      }
      let refusal = await robin.refusal(Account.setPreference, .of("one.more", "v"))
      #expect(refusal?.code == .resourceExhausted)
      #expect(try await robin.call(Account.setPreference, .of("k7", "v")).value == "v")
      let all = try await robin.call(Account.getPreferences, GetPreferencesRequest())
      #expect(all.preferences.count == 200)
    }
  }

  @Test(
    "A key with other characters or another length is refused",
    arguments: ["", "A", "a b", "é", "a/b", "a\u{0}", String(repeating: "k", count: 65)])
  func badKey(_ key: String) async throws {
    try await TestServer.run { server in
      let robin = try server.client()
      let before = try server.lastSequence()
      let refusal = await robin.refusal(Account.setPreference, .of(key, "v"))
      #expect(refusal?.code == .invalidArgument)
      #expect(refusal?.message.hasPrefix("preference.key: ") == true)
      var deletion = DeletePreferenceRequest()
      deletion.key = key
      let other = await robin.refusal(Account.deletePreference, deletion)
      #expect(other?.code == .invalidArgument && other?.message.hasPrefix("key: ") == true)
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("A value that is too long, and a missing preference, are refused")
  func badValue() async throws {
    try await TestServer.run { server in
      let robin = try server.client()
      let long = String(repeating: "v", count: StoreLimits.preferenceValueByteCount + 1)
      let refusal = await robin.refusal(Account.setPreference, .of("k", long))
      #expect(refusal?.code == .invalidArgument)
      #expect(refusal?.message.hasPrefix("preference.value: ") == true)
      let absent = await robin.refusal(Account.setPreference, SetPreferenceRequest())
      #expect(absent?.message.hasPrefix("preference: ") == true)
      #expect(
        try await robin.call(Account.getPreferences, GetPreferencesRequest()).preferences.isEmpty)
    }
  }
}

extension SetPreferenceRequest {
  static func of(_ key: String, _ value: String) -> SetPreferenceRequest {
    var request = SetPreferenceRequest()
    request.preference = Preference()
    request.preference?.key = key
    request.preference?.value = value
    return request
  }
}
