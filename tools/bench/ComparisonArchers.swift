import Foundation
import QuiverRules
import QuiverStore

/// A data directory with two archers who shot the same in the last 90 days; one of them shot ten
/// times as much before.
enum ComparisonArchers {
  enum Archer: Int, CaseIterable {
    case much = 1_000_000
    case little = 100_000

    var name: String { self == .much ? "1,000,000 arrows" : "100,000 arrows" }
  }

  /// The time of the comparison.
  static let asOf: Int64 = 1_790_000_000_000
  private static let day: Int64 = 86_400_000
  /// Rounds of each setup within 90 days, of 72 arrows in two passes.
  private static let recentRounds = 20

  static func tokenPath(of archer: Archer, in folder: URL) -> String {
    folder.appendingPathComponent("\(archer.rawValue).token").path
  }

  /// The setups of an archer, in `folder`.
  static func setups(of archer: Archer, in folder: URL) throws -> [Int64] {
    let text = try String(
      contentsOf: folder.appendingPathComponent("\(archer.rawValue).setups"), encoding: .utf8)
    return text.split(separator: " ").compactMap { Int64($0) }
  }

  /// Creates the data directory in `folder`, before a server starts.
  static func fill(_ folder: URL) throws {
    let data = folder.appendingPathComponent("data")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    let store = try Store(.unlimited(data.path))
    defer { store.close() }
    let nobody = CommandOptions(caller: CommandCaller(principal: 0))
    guard let format = RoundLibrary.format("wa720_70") else { return }
    let formatID = try store.perform(MakeFormat(format: format), nobody)
    for archer in Archer.allCases {
      let principal = try store.perform(
        CreatePrincipal(kind: .user, displayName: archer.name), nobody)
      let token = try store.perform(CreateToken(principal: principal.id, label: ""), nobody)
      try Data(token.secret.utf8).write(
        to: URL(fileURLWithPath: tokenPath(of: archer, in: folder)))
      let options = CommandOptions(caller: CommandCaller(principal: principal.id))
      let ids = try makeSetups(store, options)
      try Data(ids.map { "\($0)" }.joined(separator: " ").utf8).write(
        to: folder.appendingPathComponent("\(archer.rawValue).setups"))
      try shoot(store, options, formatID, format, ids, arrows: archer.rawValue)
    }
  }

  /// Creates an archer with two setups and the rounds of the last 90 days; returns its id and those
  /// of the setups.
  static func fillRecent(_ store: Store) throws -> (principal: Int64, setups: [Int64]) {
    let nobody = CommandOptions(caller: CommandCaller(principal: 0))
    guard let format = RoundLibrary.format("wa720_70") else {
      throw Unmeasured("no such round")
    }
    let formatID = try store.perform(MakeFormat(format: format), nobody)
    let principal = try store.perform(
      CreatePrincipal(kind: .user, displayName: "Robin"), nobody
    ).id
    let options = CommandOptions(caller: CommandCaller(principal: principal))
    let setups = try makeSetups(store, options)
    try shoot(store, options, formatID, format, setups, arrows: 0)
    return (principal, setups)
  }

  private static func makeSetups(
    _ store: Store, _ options: CommandOptions
  ) throws -> [Int64] {
    try ["Old", "New"].map { name in
      var draft = BowSetupDraft()
      draft.name = name
      return try store.perform(CreateBowSetup(draft), options).id
    }
  }

  private static func shoot(
    _ store: Store, _ options: CommandOptions, _ formatID: Int64, _ format: RoundFormat,
    _ setups: [Int64], arrows: Int
  ) throws {
    let recent = recentRounds * setups.count
    let old = arrows / format.arrowCount - recent
    var starts: [Int64] = []
    // Old rounds end a day before the range; a day has several.
    for index in 0..<max(0, old) { starts.append(asOf - 91 * day - Int64(index) * 7_200_000) }
    for index in 0..<recent { starts.append(asOf - Int64(index + 1) * 2 * day) }
    for (batch, begin) in stride(from: 0, to: starts.count, by: 500).enumerated() {
      let slice = Array(starts[begin..<min(begin + 500, starts.count)])
      try store.perform(
        MakeRounds(
          formatID: formatID, format: format, setups: setups, starts: slice,
          seed: UInt64(batch)), options)
    }
  }

  private struct MakeFormat: Command {
    let format: RoundFormat
    private static let make = Query(
      """
      INSERT INTO round_format (principal_id, is_listed, codename, arrow_limit, name, location,
        body, created_at_ms) VALUES (0, 0, ?1, 0, ?2, ?3, '', 0)
      """)
    private static let pass = Query(
      "INSERT INTO format_pass VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")

    func apply(in transaction: borrowing Transaction) throws(StoreError) -> Int64 {
      let id = try transaction.insert(
        Self.make, .text(format.codename), .text(format.name),
        .integer(Int64(format.location.rawValue)))
      for (index, pass) in format.passes.enumerated() {
        try transaction.run(
          Self.pass, .integer(id), .integer(Int64(index)), .integer(Int64(pass.arrowCount)),
          .integer(Int64(pass.arrowsPerEnd)), .real(pass.distance),
          .integer(Int64(pass.unit.rawValue)), .integer(Int64(pass.face.rawValue)),
          .real(pass.diameterCentimetres))
      }
      return id
    }
  }

  /// Creates one completed round for each start, alternating between the setups.
  private struct MakeRounds: Command {
    let formatID: Int64
    let format: RoundFormat
    let setups: [Int64]
    let starts: [Int64]
    let seed: UInt64
    private static let round = Query(
      """
      INSERT INTO round (participant_id, session_id, principal_id, format_id, setup_id,
        setup_version, status, revision)
      VALUES (-(SELECT ifnull(max(id), 0) + 1 FROM round), 0, ?1, ?2, ?3, 1, 4, 1)
      """)
    private static let arrow = Query(
      """
      INSERT INTO scored_arrow (round_id, end_index, arrow_index, pass_index, operation_id,
        is_retracted, value, is_x, x, y, input, is_flagged, scored_at_ms, received_at_ms)
      VALUES (?1, ?2, ?3, ?4, 0, 0, ?5, 0, ?6, ?7, 2, 0, ?8, ?8)
      """)

    func apply(in transaction: borrowing Transaction) throws(StoreError) {
      var generator = SplitMix64(seed: seed)
      for (index, start) in starts.enumerated() {
        let setup = setups[index % setups.count]
        let id = try transaction.insert(
          Self.round, .integer(transaction.caller.principal), .integer(formatID),
          .integer(setup))
        for shot in 0..<format.arrowCount {
          guard let slot = format.slot(ofArrow: shot), let end = format.end(slot.endIndex) else {
            continue
          }
          let (x, y) = (Double.random(in: -0.4...0.4, using: &generator), 0.1)
          try transaction.run(
            Self.arrow, .integer(id), .integer(Int64(slot.endIndex)),
            .integer(Int64(slot.arrowIndex)), .integer(Int64(end.passIndex)),
            .integer(Int64.random(in: 6...10, using: &generator)), .real(x), .real(y),
            .integer(start + Int64(shot) * 30_000))
        }
        try transaction.foldRollups(
          of: RolledRound(id: id, setupID: setup, setupVersion: 1), format: format)
      }
    }
  }
}
