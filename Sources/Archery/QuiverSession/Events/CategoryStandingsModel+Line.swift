import QuiverAPI
public import QuiverRules

extension CategoryStandingsModel {
  /// The targets of the session that is shown, the one that is furthest behind first: who holds up
  /// the line. Without a session in ``part`` those of the first round. Archers who do not shoot are
  /// left out.
  public var line: [LineProgress.Target] {
    LineProgress.targets(
      of: rows.compactMap { found in
        guard let entry = found.entry, let row = found.row, entry.target > 0,
          [.entered, .checkedIn, .active].contains(entry.state)
        else { return nil }
        return LineProgress.Archer(
          target: Int(entry.target), letter: entry.letter, endsCompleted: Int(row.endsCompleted))
      })
  }
}
