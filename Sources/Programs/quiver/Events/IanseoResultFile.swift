import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// The results of a qualification in the formats of ianseo.
enum IanseoResultFile {
  /// An archer with the arrows of each distance.
  private struct Archer {
    let entry: EventEntry
    let category: EventCategory
    let row: LeaderboardRow
    var distances: [[ArrowScore?]] = []
    /// The sums of distances that are typed from a paper, by their index.
    var typed: [Int: TypedScore] = [:]
    var typedArrowCount = 0
  }

  /// The file that ianseo writes by Export Text File of the qualification. `count` is the number of
  /// distances; nil: that of the passes of each round.
  static func results(
    of tournament: Int64, distances count: Int?, _ access: Access
  ) async throws(Failure) -> String {
    let event = try await EventResultRows.read(tournament, access)
    let archers = try await archers(event, distances: count, access)
    let sessions = try await IanseoFile.sessions(of: tournament, access)
    let policy = QuiverRules.TiePolicy(rawValue: event.policy.rawValue) ?? .xFirst
    let text = IanseoResultText(
      .init(policy), distanceCount: archers.map(\.distances.count).max() ?? count ?? 1)
    var lines = text.header
    for archer in archers {
      let entry = archer.entry
      let (division, ageClass) = try IanseoFile.divided(archer.category)
      var row = IanseoResultText.Row()
      row.code = IanseoFile.code(of: entry)
      row.localBib = entry.bib
      row.name = entry.displayName
      row.isFemale = archer.category.gender == .female
      row.session = (sessions.firstIndex(of: entry.sessionID) ?? -1) + 1
      row.target = entry.target == 0 ? "" : "\(entry.target)\(entry.letter)"
      row.country = entry.country
      row.club = entry.club
      (row.division, row.ageClass) = (division, ageClass)
      row.total = Int(archer.row.total)
      row.rank = Int(archer.row.rank)
      if let pass = archer.category.format?.passes.first { row.topValue = topValue(pass) }
      row.distances = archer.distances
      (row.typed, row.typedArrowCount) = (archer.typed, archer.typedArrowCount)
      lines += text.line(row)
    }
    return lines
  }

  /// Lines for ianseo's page List load, with the arrows of each archer and distance.
  static func arrows(
    of tournament: Int64, distances count: Int?, _ access: Access
  ) async throws(Failure) -> String {
    let event = try await EventResultRows.read(tournament, access)
    let typed = event.rows.count { $0.row?.typed == true }
    if typed > 0 {
      Terminal.notice(
        "\(typed) archers have totals that are typed from papers, which have no arrows for ianseo")
    }
    var lines = ""
    var codes: [String: String] = [:]
    for archer in try await archers(event, distances: count, access) {
      let entry = archer.entry
      let code = IanseoFile.code(of: entry)
      guard archer.row.arrowCount > 0 else { continue }
      guard IanseoResultText.isCode(code) else {
        throw .input(
          "\(entry.displayName) has the code \(code), and ianseo takes arrows for codes of letters,"
            + " digits, _, . and - only: set another licence or bib")
      }
      if let other = codes.updateValue(entry.displayName, forKey: code) {
        throw .input(
          "\(other) and \(entry.displayName) have the code \(code), by which ianseo finds archers")
      }
      for (index, slots) in archer.distances.enumerated() where slots.contains(where: { $0 != nil })
      {
        lines += IanseoResultText.arrowLine(code: code, distance: index + 1, slots)
      }
    }
    return lines
  }

  /// The archers by session and target, with their arrows.
  private static func archers(
    _ event: EventResultRows, distances count: Int?, _ access: Access
  ) async throws(Failure) -> [Archer] {
    var divisions: [Int64: IanseoDistances] = [:]
    var archers: [Archer] = []
    for standing in event.rows {
      guard let row = standing.row, let entry = standing.entry,
        let category = event.category(of: entry)
      else { continue }
      let division: IanseoDistances
      if let known = divisions[category.id] {
        division = known
      } else {
        division = try Self.division(of: category, count)
        divisions[category.id] = division
      }
      var archer = Archer(entry: entry, category: category, row: row)
      let card =
        row.arrowCount == 0
        ? nil
        : try await access.attemptPlainly { () async throws(RPCError) in
          try await access.client.call(
            Rounds.getScorecard, .with { $0.participantID = entry.participantID })
        }
      archer.distances = division.divided(
        (card?.arrows ?? []).filter { !$0.retracted }.map { arrow in
          IanseoDistances.PlacedArrow(
            end: Int(arrow.endIndex), arrow: Int(arrow.arrowIndex),
            score: ArrowScore(value: Int(arrow.value), isX: arrow.isX))
        })
      if row.typed { try await addTyped(to: &archer, division, access) }
      archers.append(archer)
    }
    return archers.sorted { left, right in
      let (one, other) = (left.entry, right.entry)
      return (one.sessionID, one.target, one.letter, one.participantID)
        < (other.sessionID, other.target, other.letter, other.participantID)
    }
  }

  /// Replaces the arrows of typed parts by their sums. Throws for a part that is no distance of the
  /// file: how its sums are divided is not known.
  private static func addTyped(
    to archer: inout Archer, _ division: IanseoDistances, _ access: Access
  ) async throws(Failure) {
    let id = archer.entry.participantID
    let card = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Events.getComparedCard, .with { $0.participantID = id })
    }
    let lengths = (archer.category.format?.passes ?? []).map { Int($0.arrows) }
    for part in card.parts {
      guard let sums = part.typed else { continue }
      let number = Int(part.part)
      let first = number == 0 ? 0 : lengths.prefix(number - 1).reduce(0, +)
      let slots = first..<first + Int(part.arrowCount)
      guard let index = division.ranges.firstIndex(of: slots) else {
        throw .input(
          "\(archer.entry.displayName) has a typed total of "
            + (number == 0 ? "the whole round" : "distance \(number)")
            + ", which is no distance of the file: choose --distances so that it is one")
      }
      archer.typed[index] = TypedScore(
        total: Int(sums.total), hits: sums.hits.map { Int($0) }, golds: sums.golds.map { Int($0) },
        xCount: sums.xCount.map { Int($0) })
      archer.typedArrowCount += slots.count
      archer.distances[index] = []
    }
  }

  /// How the cards of a category are divided. `count` is the number of distances; nil: that of the
  /// passes.
  static func division(
    of category: EventCategory, _ count: Int?
  ) throws(Failure) -> IanseoDistances {
    do throws(RuleViolation) {
      return try IanseoDistances(passes(of: category), count: count)
    } catch {
      throw .input("category \(category.code): \(error.field) \(error.message)")
    }
  }

  /// How the cards of a category are divided that has some rows of a file.
  static func division(
    of category: EventCategory, for rows: [ResultList.Row]
  ) throws(Failure) -> IanseoDistances {
    do throws(RuleViolation) {
      return try IanseoDistances(of: rows, passes(of: category))
    } catch {
      throw .input("category \(category.code): \(error.field) \(error.message)")
    }
  }

  private static func passes(of category: EventCategory) -> [IanseoDistances.Pass] {
    (category.format?.passes ?? []).map { pass in
      IanseoDistances.Pass(
        arrowCount: Int(pass.arrows), arrowsPerEnd: Int(pass.arrowsPerEnd), topValue: topValue(pass)
      )
    }
  }

  /// The highest value of the face of a pass.
  private static func topValue(_ pass: QuiverAPI.RoundPass) -> Int {
    TargetFace(rawValue: pass.face.rawValue)?.specification.topValue ?? 10
  }
}
