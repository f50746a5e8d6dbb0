import QuiverAPI
import Testing

@testable import quiver_command

@Suite("Names instead of ids", .timeLimit(.minutes(5)))
struct NameChoiceTests {
  private static func archer(
    _ id: Int64, _ name: String, bib: String = "", place: String = ""
  ) -> NamedObject {
    var keys: [NamedObject.Key] = []
    if !bib.isEmpty { keys.append(.init(kind: "bib", text: bib)) }
    if !place.isEmpty { keys.append(.init(kind: "place", text: place)) }
    return NamedObject(id: id, event: 1, keys: keys, names: [name], label: "\(name) (\(bib))")
  }

  private static let choice = NameChoice(
    kind: .archer,
    objects: [
      archer(7, "Ann Archer", bib: "12", place: "3A"), archer(12, "Ben Bow", bib: "7", place: "3B"),
      archer(30, "Bea Bow", bib: "31"), archer(40, "-v", bib: "40"), archer(41, "99", bib: "x1"),
      archer(50, "\u{05D3}\u{05E0}\u{05D4}\u{202E} Levi", bib: "A-1"),
    ])

  @Test("A bib, a place, a name and an unambiguous beginning of a name find the archer")
  func found() {
    for (text, id) in [
      ("31", 30), ("3A", 7), ("3 b", 12), ("ann archer", 7), ("ANN", 7), ("Ben  bow", 12),
      ("-v", 40), ("a-1", 50), ("\u{05D3}\u{05E0}\u{05D4}", 50), ("#30", 30),
    ] as [(String, Int64)] {
      switch Self.choice.result(text) {
      case .object(let object): #expect(object.id == id, "\(text)")
      case .id(let found): #expect(found == id, "\(text)")
      default: Issue.record("\(text) is not found")
      }
    }
  }

  @Test("Digits that are the id of one archer and the bib of another are refused with both")
  func idAndBib() {
    let result = Self.choice.result("12")
    guard case .idAndKey(let byID, let others, let key) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(byID.id == 12 && others.map(\.id) == [7] && key == "bib")
    let refusal = Self.choice.refusal(of: "12", result, "ARCHER", in: "")
    #expect(
      refusal
        == "ARCHER 12 is the id of Ben Bow (7) and the bib of Ann Archer (12) #7; #12 is the id, as"
        + " with --id")
    // An archer of another event, whom an old script meant.
    let other = NamedObject(id: 31, label: "Cid")
    guard case .idAndKey = Self.choice.result("31", existing: other) else {
      Issue.record("the id of another event is not refused")
      return
    }
  }

  @Test("Digits that are an id alone are the id, and a name of digits is found as a name")
  func digits() {
    #expect(Self.choice.result("30") == .id(30))
    #expect(Self.choice.result("1000") == .id(1_000))
    #expect(Self.choice.result("40") == .id(40))
    #expect(Self.choice.result("99") == .object(Self.choice.objects[4]))
    #expect(NameChoice.number("١٢") == nil && NameChoice.number("-1") == nil)
    #expect(NameChoice.number("99999999999999999999") == nil)
  }

  @Test("A beginning of several names is refused with the candidates and their ids")
  func ambiguous() {
    let result = Self.choice.result("be")
    guard case .several(let found) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(found.map(\.id) == [12, 30])
    let text = Self.choice.refusal(of: "be", result, "ARCHER", in: "") ?? ""
    #expect(text.contains("Ben Bow (7) #12, Bea Bow (31) #30"))
  }

  @Test("An unknown name is refused with similar ones, without control characters")
  func unknown() {
    let result = Self.choice.result("Ben Bew\u{1B}[31m")
    #expect(result == .none)
    let text =
      Self.choice.refusal(of: "Ben Bew\u{1B}[31m", result, "ARCHER", in: " in Indoor") ?? ""
    #expect(text.hasPrefix("there is no archer Ben Bew [31m in Indoor") && !text.contains("\u{1B}"))
    #expect(Self.choice.matches("").isEmpty && Self.choice.matches("\u{202E}").isEmpty)
  }

  @Test("A range of bibs is two numbers in order")
  func ranges() {
    #expect(EventCheckInCommand.range("20-34") == 20...34)
    for text in ["34-20", "20-", "-20", "a-b", "1-2-3", "20–34", ""] {
      #expect(EventCheckInCommand.range(text) == nil, "\(text)")
    }
  }

  @Test("A time of the calendar is read in the zone of the machine, or in the one that it names")
  func instants() {
    #expect(InstantText.milliseconds("2026-12-05T09:30Z") == 1_796_463_000_000)
    #expect(InstantText.milliseconds("2026-12-05 10:30:00+01:00") == 1_796_463_000_000)
    for text in [
      "2026-02-30T10:00", "2026-12-05T24:00", "2026-12-05T9:30", "2026-12-05T09:30+1", "12:00",
      "2026-12-05X09:30", "", "2026-12-05T",
    ] {
      #expect(InstantText.milliseconds(text) == nil, "\(text)")
    }
    let now: Int64 = 1_796_463_000_000
    #expect(InstantText.milliseconds(InstantText.text(now)) == now)
    #expect(InstantText.milliseconds(InstantText.text(-1_000)) == -1_000)
  }

  @Test("A category is a code of World Archery, or names its archers")
  func categories() throws {
    let junior = try EventPlan.CategoryPlan("CU18W")
    #expect(junior.bowstyle == .compound && junior.age == .under18 && junior.gender == .female)
    let own = try EventPlan.CategoryPlan("SEN:barebow:open:over-50")
    #expect(own.code == "SEN" && own.bowstyle == .barebow && own.age == .over50)
    let plain = try EventPlan.CategoryPlan("Guests")
    #expect(plain.bowstyle == .unspecified && plain.gender == .unspecified)
    #expect(throws: EventPlan.CategoryPlan.Unknown.self) {
      try EventPlan.CategoryPlan("SEN:crossbow")
    }
  }

  @Test("Errors about ends count from 1 and name the operand")
  func places() {
    let typed = ["end_index": ("END", "99")]
    #expect(
      CountedPlace.sentence("operations[0].end_index: must be below 20, the ends there are", typed)
        == "END 99: must be at most 20, the ends there are")
    #expect(
      CountedPlace.sentence(
        "operations[0].entry.index: must be from 0 to 4", ["index": ("END", "9")])
        == "END 9: must be from 1 to 5")
    #expect(
      CountedPlace.sentence(
        "NOT_YET: operations[2].value: is wrong", ["value[2]": ("ARROW", "11"), "value": ("", "")])
        == "NOT_YET: ARROW 11: is wrong")
    for text in ["nothing of the kind", "Ends: there are 20", "", ":", "NOT_YET: later"] {
      #expect(CountedPlace.sentence(text, typed) == text)
    }
  }
}
