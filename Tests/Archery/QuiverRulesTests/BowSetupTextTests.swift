import QuiverRules
import Testing

@Suite(.timeLimit(.minutes(5))) struct BowSetupTextTests {
  @Test(
    "a name is trimmed; none at all is taken, and shown as such",
    arguments: [
      ("Indoor", "Indoor", "Indoor"), ("  Outdoor\n", "Outdoor", "Outdoor"),
      ("", "", "Unnamed setup"),
    ])
  func names(given: String, stored: String, shown: String) throws {
    let name = try BowSetupText.name(given, path: "bow_setup.name")
    #expect(name == stored)
    #expect(BowSetupText.displayName(name) == shown)
  }

  @Test(
    "a name that is blank or too long is refused",
    arguments: [" ", "\u{2003}\n", String(repeating: "x", count: 201)])
  func badNames(name: String) {
    let violation = #expect(throws: RuleViolation.self) {
      try BowSetupText.name(name, path: "bow_setup.name")
    }
    #expect(violation?.field == "bow_setup.name")
  }

  @Test("setups are sorted without regard to case")
  func sortKeys() {
    let names = ["field", "Élan", "Barebow", "", "élan 2", "Zen"]
    let sorted = names.sorted { BowSetupText.sortKey($0) < BowSetupText.sortKey($1) }
    #expect(sorted == ["Barebow", "field", "", "Zen", "Élan", "élan 2"])
  }

  @Test("the name of a copy always fits")
  func copies() throws {
    #expect(BowSetupText.copyName(of: "Indoor") == "Indoor (copy)")
    #expect(BowSetupText.copyName(of: "") == "Unnamed setup (copy)")
    let long = BowSetupText.copyName(of: String(repeating: "🏹", count: 200))
    #expect(try BowSetupText.name(long, path: "name") == long)
    #expect(long.hasSuffix("🏹 (copy)"))
  }
}
