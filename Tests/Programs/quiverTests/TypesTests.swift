import Testing

@testable import quiver_command

@Suite("Names of methods and types", .timeLimit(.minutes(20)))
struct TypesTests {
  private static let known = [
    "quiver.v1.Equipment/ListItems", "quiver.v1.Equipment/GetRiser", "quiver.v1.Health/Check",
    "quiver.v1.Admin/ListTokens", "other.v1.Store/Check", "quiver.v1.Riser",
  ]

  @Test(
    "A name may be abbreviated to its last parts",
    arguments: [
      ("quiver.v1.Health/Check", "quiver.v1.Health/Check"),
      ("Health/Check", "quiver.v1.Health/Check"),
      ("/quiver.v1.Health/Check", "quiver.v1.Health/Check"),
      ("quiver.v1.Health.Check", "quiver.v1.Health/Check"),
      ("Health.Check", "quiver.v1.Health/Check"),
      ("ListItems", "quiver.v1.Equipment/ListItems"),
      ("Store/Check", "other.v1.Store/Check"),
      ("Riser", "quiver.v1.Riser"),
    ])
  func found(_ name: String, _ full: String) throws {
    #expect(try Types.find(name, among: Self.known, "method") == full)
  }

  @Test(
    "An unknown or ambiguous name is refused with similar names",
    arguments: [
      ("Check", "quiver.v1.Health/Check, other.v1.Store/Check"),
      ("ListItem", "near are quiver.v1.Equipment/ListItems"),
      ("equipment/listitems", "near are quiver.v1.Equipment/ListItems"),
      ("Getriser", "quiver.v1.Equipment/GetRiser"),
      ("zzzzzz", "`quiver methods`"),
      ("", "the server has no method"),
    ])
  func notFound(_ name: String, _ text: String) {
    let error = #expect(throws: Failure.self) {
      try Types.find(name, among: Self.known, "method")
    }
    #expect(error?.exitCode == 64)
    #expect(error?.lines.first?.contains(text) == true)
  }
}
