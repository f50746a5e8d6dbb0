import QuiverRules

/// A score file: the arrows of each archer.
struct ScoreSheet {
  /// As many arrows as the file has columns of.
  let format: RoundFormat
  private(set) var archers: [Archer] = []

  /// One line of the file.
  struct Archer {
    let name: String
    /// As many as the format has.
    let arrows: [ArrowScore]
  }

  /// A line that repeats an earlier line, name and arrows alike.
  struct Repetition: Equatable {
    let line: Int
    let earlierLine: Int
    let name: String
  }

  /// The lines that repeat earlier ones. They may be two archers, or one line that was copied; each
  /// becomes an entry.
  private(set) var repetitions: [Repetition] = []

  private static let maximumArcherCount = 20_000

  /// Reads the bytes of a file. Throws a sentence that names the file, line and column of the first
  /// thing that cannot be; `round` is cut to as many arrows as the header has.
  init(_ bytes: [UInt8], path: String, round: RoundFormat) throws(Failure) {
    let place = Place(path: path)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw place.failure(line: 1, column: 1, "is no text in UTF-8")
    }
    var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.enumerated()
      .map { (number: $0 + 1, cells: Self.cells($1)) }
      .filter { $0.cells != [""] }
    guard let header = lines.first else {
      throw place.failure(line: 1, column: 1, "the header archer,a1,a2,… is missing")
    }
    lines.removeFirst()
    format = try Self.format(header.cells, line: header.number, place, round)
    var firstLines: [[String]: Int] = [:]
    for (number, cells) in lines {
      if let earlier = firstLines[cells] {
        repetitions.append(Repetition(line: number, earlierLine: earlier, name: cells[0]))
      } else {
        firstLines[cells] = number
      }
      guard archers.count < Self.maximumArcherCount else {
        throw place.failure(
          line: number, column: 1, "there are more than \(Self.maximumArcherCount) archers")
      }
      archers.append(try Self.archer(cells, line: number, place, format))
    }
    guard !archers.isEmpty else {
      throw place.failure(line: header.number + 1, column: 1, "there is no archer")
    }
  }

  /// Where something is wrong.
  private struct Place {
    let path: String

    /// `column` counts cells, from 1.
    func failure(line: Int, column: Int, _ sentence: String) -> Failure {
      .input("\(path), line \(line), column \(column): \(sentence)")
    }
  }

  private static func format(
    _ cells: [String], line: Int, _ place: Place, _ round: RoundFormat
  ) throws(Failure) -> RoundFormat {
    guard cells[0].lowercased() == "archer" else {
      throw place.failure(line: line, column: 1, "is \(cells[0]) in place of archer")
    }
    for (index, cell) in cells.enumerated().dropFirst() where cell.lowercased() != "a\(index)" {
      throw place.failure(line: line, column: index + 1, "is \(cell) in place of a\(index)")
    }
    let count = cells.count - 1
    guard count > 0 else { throw place.failure(line: line, column: 2, "the arrow a1 is missing") }
    guard count <= round.arrowCount else {
      throw place.failure(
        line: line, column: round.arrowCount + 2,
        "the round \(round.codename) has \(round.arrowCount) arrows only")
    }
    return round.cut(toArrows: count)
  }

  private static func archer(
    _ cells: [String], line: Int, _ place: Place, _ format: RoundFormat
  ) throws(Failure) -> Archer {
    let name = cells[0]
    guard !name.isEmpty, name.unicodeScalars.count <= TextLimits.displayNameLength else {
      throw place.failure(
        line: line, column: 1, "the archer's name must have 1 to 50 characters")
    }
    let count = format.arrowCount
    guard cells.count == count + 1 else {
      throw place.failure(
        line: line, column: min(cells.count, count + 1) + 1,
        cells.count <= count ? "the arrow a\(cells.count) is missing" : "is one too many")
    }
    var arrows: [ArrowScore] = []
    for (index, cell) in cells.dropFirst().enumerated() {
      guard let score = ArrowScore(sheet: cell), let slot = format.slot(ofArrow: index),
        let face = format.end(slot.endIndex)?.pass.face,
        (try? score.validated(on: face, path: "")) != nil
      else {
        throw place.failure(
          line: line, column: index + 2,
          "a\(index + 1) is \(cell.isEmpty ? "empty" : cell), which cannot be on this face")
      }
      arrows.append(score)
    }
    return Archer(name: name, arrows: arrows)
  }

  /// The cells of a line, without the blanks around them; a cell may stand in quotes.
  private static func cells(_ line: Substring) -> [String] {
    var cells: [String] = []
    var cell = ""
    var isQuoted = false
    for character in line {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        cells.append(cell.trimmingWhitespace)
        cell = ""
      case "\u{FEFF}": break
      default: cell.append(character)
      }
    }
    return cells + [cell.trimmingWhitespace]
  }
}
