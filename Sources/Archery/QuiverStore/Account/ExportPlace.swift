/// Where an export goes on: behind one row of one of its sections.
struct ExportPlace {
  let section: Section
  let id: Int64

  /// Of a setup; 0 in other sections.
  let version: Int64

  /// The parts of an export in their order; the numbers are in tokens that clients hold.
  enum Section: Int64, CaseIterable, Comparable {
    case profile = 1
    case preferences = 2
    case equipment = 3
    case setups = 4
    case sightMarks = 5
    case formats = 16
    case scorecards = 17
    case weightPlan = 24
    case weightEntries = 25
    case liftSets = 26

    static func < (left: Section, right: Section) -> Bool { left.rawValue < right.rawValue }
  }

  static let start = ExportPlace(.profile, id: 0)

  init(_ section: Section, id: Int64, version: Int64 = 0) {
    self.section = section
    self.id = id
    self.version = version
  }

  /// The place that a token's text and id name; throws for what no token of ours holds.
  init(_ place: (text: String, id: Int64)) throws(StoreError) {
    let numbers = place.text.split(separator: ".").map { Int64($0) }
    guard numbers.count == 2, let section = numbers[0].flatMap(Section.init),
      let version = numbers[1]
    else { throw .invalid("page_token", "belongs to another list; begin again without it") }
    self.init(section, id: place.id, version: version)
  }

  /// What goes into a token beside the id.
  var text: String { "\(section.rawValue).\(version)" }
}
