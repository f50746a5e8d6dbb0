/// The results of a qualification as ianseo writes and reads them.
///
/// Source, for facts of both formats: `Qualification/ExportTSV.php` and `Partecipants/ListLoad.php`
/// of ianseo 2026-03-01, read 2026-11-23 in commit 681f0c0 of
/// github.com/diewindowsdie/ianseo_improvements. ``header`` and ``line(_:)`` write the file of
/// "Export Text File", which ``ResultList`` describes. ``arrowLine(code:distance:_:)`` writes lines
/// that the page "List load" of ianseo 2024-12-08 and later takes: the arrows of an archer at one
/// distance, of which ianseo computes the results again.
package struct IanseoResultText: Sendable, Equatable {
  /// What the two columns behind a score count.
  package struct Counts: Sendable, Equatable {
    /// As in `X` and `10`.
    package let gold: String
    package let second: String

    /// Those of a policy, as the competitions of ianseo's set FITA have them: X and 10 without X
    /// outdoors, 10 and 9 indoors, 6 and 5 in the field, 11 and 10 in 3D. Other policies have the
    /// face's top value and X.
    package init(_ policy: TiePolicy) {
      (gold, second) =
        switch policy {
        case .xFirst, .waOutdoor2026: ("X", "10")
        case .waOutdoorLegacy: ("10+X", "X")
        case .waIndoor: ("10", "9")
        case .waField: ("6", "5")
        case .wa3D: ("11", "10")
        case .imperial, .scoreOnly: ("Golds", "X")
        }
    }

    /// The same of typed sums; nil: not known.
    func of(_ typed: TypedScore, top: Int) -> [Int?] {
      let golds = typed.golds
      return [gold, second].map { name in
        switch name {
        case "X": typed.xCount
        case "Golds": golds
        case "10+X": top == 10 ? golds : nil
        // Where X has a column, 10 is without it.
        case "10" where gold == "X" && top == 10:
          golds.flatMap { golds in typed.xCount.map { golds - $0 } }
        default: name == "\(top)" ? golds : nil
        }
      }
    }

    /// The two numbers of some arrows; `top` is the highest value of their face.
    func of(_ arrows: [ArrowScore], top: Int) -> [Int] {
      [gold, second].map { name in
        arrows.count { arrow in
          switch name {
          case "X": arrow.isX
          case "10+X": arrow.value == 10
          case "Golds": arrow.value == top
          // Where X has a column, 10 is without it.
          case "10" where gold == "X": arrow.value == 10 && !arrow.isX
          default: "\(arrow.value)" == name
          }
        }
      }
    }
  }

  /// The result of an archer.
  package struct Row: Sendable {
    package var code = ""
    package var localBib = ""
    package var name = ""
    package var isFemale = false
    /// From 1; 0: none.
    package var session = 0
    /// As in `12B`.
    package var target = ""
    package var country = ""
    package var club = ""
    package var division = ""
    package var ageClass = ""
    /// The total that counts.
    package var total = 0
    /// From 1; 0: not ranked.
    package var rank = 0
    /// The highest value of its face.
    package var topValue = 10
    /// The arrows of each distance; nil: a slot that is empty.
    package var distances: [[ArrowScore?]] = []
    /// The sums of distances that are typed from a paper, by their index.
    package var typed: [Int: TypedScore] = [:]
    /// The arrows of these distances.
    package var typedArrowCount = 0

    package init() {}
  }

  private let counts: Counts
  private let distanceCount: Int

  package init(_ counts: Counts, distanceCount: Int) {
    self.counts = counts
    self.distanceCount = distanceCount
  }

  /// The names of the columns, with the end of the line.
  package var header: String {
    var names = [
      "WaID", "Local Bib", "FamilyName", "GivenName", "DoB", "Gender", "Session", "Target", "Noc",
      "Country", "Division", "Class", "SubClass",
    ]
    for number in 1...max(1, distanceCount) {
      names += ["Score", counts.gold, counts.second, "Arrows"].map { "D\(number) \($0)" }
    }
    names += [
      "Score", "Hits", counts.gold, counts.second, "Category Rank", "Event", "Qual Rank",
      "Final Rank", "Category Drops", "Qualification Drops", "Elimination Drops", "Email",
    ]
    return names.joined(separator: ";") + "\r\n"
  }

  /// A line with its end. The whole name is the family name, for names are not divided here.
  package func line(_ row: Row) -> String {
    var fields = [
      row.code, row.localBib, row.name, "", "", row.isFemale ? "1" : "0", "\(row.session)",
      row.target, row.country, row.club, row.division, row.ageClass, "",
    ]
    for index in 0..<max(1, distanceCount) {
      let slots = row.distances.indices.contains(index) ? row.distances[index] : []
      let arrows = slots.compactMap(\.self)
      if let typed = row.typed[index] {
        fields.append("\(typed.total)")
        fields += counts.of(typed, top: row.topValue).map(Self.count)
      } else {
        fields.append("\(arrows.reduce(0) { $0 + $1.value })")
        fields += counts.of(arrows, top: row.topValue).map { "\($0)" }
      }
      fields.append(Self.text(slots))
    }
    let arrows = row.distances.flatMap { $0.compactMap(\.self) }
    fields += ["\(row.total)", "\(arrows.count + row.typedArrowCount)"]
    let sums = row.typed.values.map { counts.of($0, top: row.topValue) }
    fields += counts.of(arrows, top: row.topValue).enumerated().map { index, count in
      Self.count(
        sums.reduce(count) { sum, typed in sum.flatMap { sum in typed[index].map { sum + $0 } } })
    }
    let rank = row.rank > 0 ? "\(row.rank)" : ""
    fields += [rank, row.division + row.ageClass, rank, "", "", "", "", ""]
    return fields.map(Self.field).joined(separator: ";") + "\r\n"
  }

  /// A count that is not known is empty.
  private static func count(_ count: Int?) -> String { count.map { "\($0)" } ?? "" }

  /// A line for the page "List load" with the arrows of a distance from 1 to 8, which replace those
  /// that ianseo has. `code` is one that ``isCode(_:)`` takes.
  package static func arrowLine(code: String, distance: Int, _ slots: [ArrowScore?]) -> String {
    "##QUAL-ARROWS##\t\(code)\t\(distance)\t\(text(slots))\r\n"
  }

  /// Whether ianseo takes a code in lines with arrows: ASCII letters and digits, `_`, `.` and `-`.
  package static func isCode(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
          || [UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-")].contains(byte)
      }
  }

  /// Arrows as ianseo prints them, with commas; an empty slot is nothing between two.
  private static func text(_ slots: [ArrowScore?]) -> String {
    let shot = slots.lastIndex { $0 != nil }.map { slots[...$0] } ?? []
    return shot.map { $0?.description ?? "" }.joined(separator: ",")
  }

  /// A text with spaces for separators of columns and lines, which would move the columns, and for
  /// other control characters. A separator before a combining mark is one too.
  static func field(_ text: String) -> String {
    var field = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: field.append(" ")
      default: field.append(scalar == ";" ? " " : scalar)
      }
    }
    return String(field)
  }
}
