/// The arrows that the app MyTargets exported, as practice rounds.
///
/// Source, for facts of the format: `ExportTest.kt` in github.com/DreierF/MyTargets (GNU GPL,
/// version 2). A line is an arrow. The columns are Title, Date, Standard round, Indoor, Bow, Arrow,
/// Round, Distance, Target, End, Timestamp, Points, x and y, with semicolons between them. The
/// lines of one title, date and standard round are one training here; each of its rounds is a pass.
/// Where such lines begin again with the first end of a round that the training has already,
/// another training of the name begins.
///
/// Columns are found by their English names; those that are not known are named. Nothing is
/// guessed: a target or a distance that is not known makes its training unreadable. Positions are
/// not read, for the file does not say whether y is up or down.
///
/// A file that can be read can be stored: its values are on their faces, and its trainings are
/// round formats within the limits of those.
package struct MyTargetsCSV: Sendable {
  /// The trainings in the order of their first lines.
  package private(set) var trainings: [Training] = []
  /// The names of columns that are not known, which are skipped.
  package private(set) var unknownColumns: [String] = []
  /// The index of the last training of each name.
  private var lastTrainings: [TrainingName: Int] = [:]

  /// The arrows of one training.
  package struct Training: Sendable, Equatable {
    fileprivate let name: TrainingName
    /// The first line of the training, from 1.
    package let line: Int
    /// From 1, among those of the same title, day and standard round.
    package fileprivate(set) var number = 1
    package fileprivate(set) var passes: [Pass] = []
    /// The round of the last line.
    fileprivate var lastRound = 0

    package var title: String { name.title }
    package var standardRound: String { name.standardRound }
    /// Since 1970-01-01.
    package var day: Int32 { name.day }
    package var isIndoor: Bool { name.isIndoor }
  }

  /// What the lines of a training have in common.
  fileprivate struct TrainingName: Hashable {
    let title: String
    let standardRound: String
    let day: Int32
    let isIndoor: Bool
  }

  /// The arrows of one distance and target.
  package struct Pass: Sendable, Equatable {
    /// As the file has it.
    package let number: Int
    /// The first line of the pass, from 1.
    package let line: Int
    package let distance: Double
    package let isYards: Bool
    package let face: TargetFace
    package let diameterCentimetres: Double
    package fileprivate(set) var ends: [End] = []

    /// The arrows of all but the last end, which may be short.
    package var arrowsPerEnd: Int { ends.first?.arrows.count ?? 0 }
    package var arrowCount: Int { ends.reduce(0) { $0 + $1.arrows.count } }
  }

  /// The arrows of one end.
  package struct End: Sendable, Equatable {
    package let number: Int
    /// The first line of the end, from 1.
    package let line: Int
    /// The seconds of the day.
    package let second: Int32
    package fileprivate(set) var arrows: [ArrowScore] = []
  }

  private enum Column: String, CaseIterable {
    case title, date
    case standardRound = "standard round"
    case indoor, bow, arrow, round, distance, target, end, timestamp, points, x, y

    /// Whether an import can do without it.
    var isOptional: Bool { [.bow, .arrow, .x, .y].contains(self) }
  }

  package init(_ bytes: [UInt8]) throws(RuleViolation) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw RuleViolation(field: "file", message: "is not UTF-8")
    }
    var records = CSVRecords(bytes, separator: UInt8(ascii: ";"))
    guard let head = records.next(), !head.isBlank else {
      throw RuleViolation(field: "line 1", message: "must have the names of the columns")
    }
    var columns: [Column?] = []
    for bytes in head.fields {
      let name = String(decoding: bytes, as: UTF8.self).trimmingWhitespace
      let column = Column(rawValue: name.lowercased())
      if column == nil { unknownColumns.append(name) }
      if column != nil, columns.contains(column) {
        throw RuleViolation(field: "line 1", message: "has the column \(name) twice")
      }
      columns.append(column)
    }
    for column in Column.allCases where !column.isOptional && !columns.contains(column) {
      throw RuleViolation(
        field: "line 1", message: "has no column \(column.rawValue); export it in English")
    }
    while let record = records.next() {
      guard !record.isBlank else { continue }
      let path = Self.path(record.line)
      guard !record.isBroken, record.fields.count == columns.count else {
        throw RuleViolation(
          field: path,
          message: "has \(record.fields.count) fields, and the first line \(columns.count)")
      }
      var values: [Column: String] = [:]
      for (column, bytes) in zip(columns, record.fields) {
        if let column { values[column] = String(decoding: bytes, as: UTF8.self).trimmingWhitespace }
      }
      try add(values, record.line)
    }
    try checkTrainings()
  }

  private static func path(_ line: Int) -> String { "line \(line)" }

  private mutating func add(_ values: [Column: String], _ line: Int) throws(RuleViolation) {
    let path = Self.path(line)
    func value(_ column: Column) -> String { values[column] ?? "" }
    func fault(_ column: Column, _ message: String) -> RuleViolation {
      RuleViolation(field: path, message: "has in \(column.rawValue) \(message)")
    }
    guard let day = Self.day(value(.date)) else { throw fault(.date, "no day like 2016-07-03") }
    let place = value(.indoor)
    guard place == "Indoor" || place == "Outdoor" else {
      throw fault(.indoor, "neither Indoor nor Outdoor")
    }
    guard let round = Int(value(.round)), (1...32).contains(round) else {
      throw fault(.round, "no number from 1 to 32")
    }
    guard let number = Int(value(.end)), (1...1_000).contains(number) else {
      throw fault(.end, "no number from 1")
    }
    guard let second = Self.second(value(.timestamp)) else {
      throw fault(.timestamp, "no time like 14:18:42")
    }
    guard let (distance, isYards) = Self.distance(value(.distance)) else {
      throw fault(.distance, "no distance in m or yd")
    }
    guard let (face, diameter) = Self.target(value(.target)) else {
      throw fault(.target, "a target that is not known: \(value(.target))")
    }
    guard let score = ArrowScore(sheet: value(.points)) else {
      throw fault(.points, "neither X nor M nor a number from 1 to 11")
    }
    do throws(RuleViolation) {
      _ = try score.validated(on: face, path: "")
    } catch {
      throw fault(.points, "\(score), which \(error.message)")
    }
    for column in [Column.title, .standardRound] {
      let complaint = TextLimits.complaint(about: value(column), length: TextLimits.nameLength)
      if let complaint { throw fault(column, "a text that \(complaint)") }
    }
    // Arrows have times, and 0 is none.
    guard day > 0 || day == 0 && second > 0 else { throw fault(.date, "a time before 1970") }
    let training = index(
      ofTraining: TrainingName(
        title: value(.title), standardRound: value(.standardRound), day: day,
        isIndoor: place == "Indoor"), line: line, round: round, end: number)
    trainings[training].lastRound = round
    let pass = Pass(
      number: round, line: line, distance: distance, isYards: isYards, face: face,
      diameterCentimetres: diameter)
    let passIndex: Int
    if let found = trainings[training].passes.firstIndex(where: { $0.number == round }) {
      let known = trainings[training].passes[found]
      guard known.distance == distance, known.isYards == isYards, known.face == face,
        known.diameterCentimetres == diameter
      else { throw fault(.round, "another distance or target than before") }
      passIndex = found
    } else {
      passIndex = trainings[training].passes.count
      trainings[training].passes.append(pass)
    }
    if trainings[training].passes[passIndex].ends.last?.number != number {
      trainings[training].passes[passIndex].ends.append(
        End(number: number, line: line, second: second))
    }
    let end = trainings[training].passes[passIndex].ends.count - 1
    trainings[training].passes[passIndex].ends[end].arrows.append(score)
  }

  /// The index of the training of a name to which an end belongs: the last one, or a new one.
  private mutating func index(
    ofTraining name: TrainingName, line: Int, round: Int, end: Int
  ) -> Int {
    var training = Training(name: name, line: line)
    if let found = lastTrainings[name] {
      guard trainings[found].isBegunAgain(round: round, end: end) else { return found }
      training.number = trainings[found].number + 1
    }
    lastTrainings[name] = trainings.count
    trainings.append(training)
    return trainings.count - 1
  }

  /// Throws unless each training has passes and ends in their order, with as many arrows each, and
  /// is a format within the limits of formats.
  private mutating func checkTrainings() throws(RuleViolation) {
    for index in trainings.indices {
      trainings[index].passes.sort { $0.number < $1.number }
      let training = trainings[index]
      for pass in training.passes { try Self.checkEnds(of: pass) }
      do throws(RuleViolation) {
        _ = try training.format.validated(prefix: "round")
      } catch {
        throw RuleViolation(
          field: Self.path(training.line),
          message: "begins a training whose \(error.field) \(error.message)")
      }
    }
  }

  private static func checkEnds(of pass: Pass) throws(RuleViolation) {
    if let (_, end) = zip(1..., pass.ends).first(where: { $0 != $1.number }) {
      throw RuleViolation(
        field: path(end.line),
        message: "has in round \(pass.number) ends that are not 1, 2, 3 and so on")
    }
    let most = PassDefinition.arrowsPerEndRange.upperBound
    let last = pass.ends.count - 1
    let wrong = pass.ends.enumerated().first { index, end in
      let count = end.arrows.count
      return count > min(most, pass.arrowsPerEnd) || index < last && count != pass.arrowsPerEnd
    }
    guard let (_, end) = wrong else { return }
    throw RuleViolation(
      field: path(end.line),
      message: end.arrows.count > most
        ? "begins an end of more than \(most) arrows in round \(pass.number)"
        : "has in round \(pass.number) ends of different lengths")
  }

  private static func day(_ text: String) -> Int32? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int32($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else {
      return nil
    }
    return CivilDate(year: year, month: month, day: day)?.dayNumber
  }

  private static func second(_ text: String) -> Int32? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int32($0) }
    guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
      (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second)
    else { return nil }
    return hour * 3_600 + minute * 60 + second
  }

  private static func distance(_ text: String) -> (Double, isYards: Bool)? {
    for (unit, isYards) in [("yd", true), ("m", false)] where text.hasSuffix(unit) {
      let number = String(text.dropLast(unit.count)).trimmingWhitespace
      return PlainDecimal.value(number).flatMap { $0 > 0 && $0 <= 1_000 ? ($0, isYards) : nil }
    }
    return nil
  }

  /// The faces that have one way of scoring; the file does not distinguish those of compounds.
  private static let faces: [String: TargetFace] = [
    "WA Full": .tenZone, "WA 6 Ring": .tenZone6Ring, "WA 5 Ring": .tenZone5Ring,
    "Worcester": .worcester,
  ]

  /// The face of a text like `WA Full (122cm)`.
  private static func target(_ text: String) -> (TargetFace, Double)? {
    guard let open = text.lastIndex(of: "("), text.hasSuffix(")") else { return nil }
    let name = String(text[..<open]).trimmingWhitespace
    let size = text[text.index(after: open)...].dropLast()
    let factor: Double
    let number: Substring
    if size.hasSuffix("cm") {
      (factor, number) = (1, size.dropLast(2))
    } else if size.hasSuffix("in") {
      (factor, number) = (2.54, size.dropLast(2))
    } else {
      return nil
    }
    guard let face = faces[name], let value = PlainDecimal.value(String(number).trimmingWhitespace),
      value > 0, value * factor <= 300
    else { return nil }
    return (face, value * factor)
  }
}

extension MyTargetsCSV.Training {
  /// Whether an arrow of an end is the first one of another training of the same name.
  fileprivate func isBegunAgain(round: Int, end: Int) -> Bool {
    guard end == 1, let pass = passes.first(where: { $0.number == round }) else { return false }
    return pass.ends.last?.number != 1 || lastRound != round
  }

  /// The round that was shot.
  package var format: RoundDefinition {
    RoundDefinition(
      name: [standardRound, title].first { !$0.isEmpty } ?? "MyTargets",
      location: isIndoor ? .indoor : .outdoor,
      passes: passes.map { pass in
        PassDefinition(
          arrowCount: pass.arrowCount, arrowsPerEnd: pass.arrowsPerEnd, distance: pass.distance,
          unit: pass.isYards ? .yard : .metre, face: pass.face,
          diameterCentimetres: pass.diameterCentimetres)
      })
  }
}
