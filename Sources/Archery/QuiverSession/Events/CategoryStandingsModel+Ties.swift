public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Archers of a category whom its policy does not tell apart.
public struct CategoryTie: Sendable, Equatable, Identifiable {
  /// Their rows, in the order of their ranks.
  public let rows: [CategoryStandingsRow]

  /// The id of the first archer's participant.
  public var id: Int64 { rows.first?.row?.participantID ?? 0 }
  /// The ids of the archers' participants, in the order of their ranks.
  public var participants: [Int64] { rows.compactMap(\.row?.participantID) }
  /// The first of their ranks, from 1.
  public var rank: Int { Int(rows.first?.row?.rank ?? 0) }
  /// How the tie was decided; unspecified: it is open, and they share the rank.
  public var decision: TieDecision { rows.first?.tieDecision ?? .unspecified }
  /// The name of the official who decided it; empty: it is open.
  public var decidedBy: String { rows.first?.decidedBy ?? "" }
  /// When it was decided; nil: it is open.
  public var decidedAt: Date? {
    guard decision != .unspecified, let milliseconds = rows.first?.decidedAtMilliseconds else {
      return nil
    }
    return WallClock.date(milliseconds)
  }

  /// Whether the tie must be decided before so many archers advance: some of these do, and some do
  /// not.
  public func isOpen(acrossCutTo size: Int) -> Bool {
    decision == .unspecified && spansCut(from: rank, count: rows.count, to: size)
  }
}

/// Whether a cut to `size` ends between those who share a rank.
func spansCut(from rank: Int, count: Int, to size: Int) -> Bool {
  rank <= size && size < rank + count - 1
}

/// Ties of a category, which organisers and judges decide over the server.
extension CategoryStandingsModel {
  /// The ties of the category that is shown, best first, open ones and decided ones; empty for
  /// other parts, since a tie is decided among all archers of a category.
  ///
  /// The server refuses to decide a tie before its archers have shot all arrows.
  public var ties: [CategoryTie] {
    guard isWholeCategory else { return [] }
    var ties: [[CategoryStandingsRow]] = []
    for row in rows where (row.row?.rank ?? 0) > 0 {
      if let last = ties.last?.last, Self.areTied(last, row) {
        ties[ties.count - 1].append(row)
      } else {
        ties.append([row])
      }
    }
    return ties.filter { $0.count > 1 }.map { CategoryTie(rows: $0) }
  }

  /// Records how the tie of archers who share a rank was decided: all of them by the ids of their
  /// participants, best first.
  ///
  /// Has its effect once, also if its reply is lost and it is made again. A decision of the same
  /// archers replaces the earlier one.
  public func decide(_ order: [Int64], by decision: TieDecision) async throws(SessionError) {
    try await organise("decide a tie", Elimination.decideTie) { (request) throws(SessionError) in
      guard isWholeCategory else {
        throw SessionError(.invalid, "must be a whole category", field: "part")
      }
      (request.tournamentID, request.categoryID) = (event, part.category)
      (request.participantIDs, request.decision) = (order, decision)
    }
  }

  private var isWholeCategory: Bool {
    part.category != 0 && part.session == 0 && part.club.isEmpty
  }

  /// Whether two rows, one after the other, share a rank or were told apart by one decision.
  private static func areTied(
    _ left: CategoryStandingsRow, _ right: CategoryStandingsRow
  ) -> Bool {
    guard left.tieDecision == right.tieDecision else { return false }
    guard left.tieDecision != .unspecified else { return left.row?.rank == right.row?.rank }
    return left.row?.total == right.row?.total && left.row?.counts == right.row?.counts
      && left.decidedBy == right.decidedBy
      && left.decidedAtMilliseconds == right.decidedAtMilliseconds
  }
}
