/// Makes another user the organiser of an event whose organiser was disabled or deleted; for
/// administrators.
package struct TransferTournament: Command {
  package static var storesContent: Bool { false }

  private let id: Int64
  private let organiser: Int64

  private static let giveEntries = Query(
    """
    UPDATE participant SET principal_id = ?2
    WHERE session_id = ?1 AND kind = \(ParticipantRecord.Kind.entry.rawValue)
    """)

  /// The event with its organisers before and after.
  package struct Reply: Sendable {
    package let id: Int64
    package let previous: Int64
    package let organiser: Int64
  }

  package init(id: Int64, organiser: Int64) {
    self.id = id
    self.organiser = organiser
  }

  package func apply(in transaction: borrowing Transaction) throws(StoreError) -> Reply {
    guard let head = try transaction.snapshot.tournamentHead(id: id) else {
      throw StoreError(.notFound, "there is no event \(id)", field: "tournament_id")
    }
    let reply = Reply(id: id, previous: head.organiser, organiser: organiser)
    guard head.organiser != organiser else { return reply }
    guard try !transaction.snapshot.principal(id: head.organiser).isActive else {
      throw StoreError(
        .failedPrecondition,
        "the event has the organiser \(head.organiser), whose account is active",
        field: "tournament_id")
    }
    let next = try transaction.snapshot.principal(id: organiser)
    guard next.kind == .user, next.isActive else {
      throw StoreError(
        .failedPrecondition, "must be a user whose account is neither disabled nor deleted",
        field: "organiser_id")
    }
    try transaction.give(event: id, from: head.organiser, to: organiser)
    try transaction.run(Self.giveEntries, .integer(id), .integer(organiser))
    return reply
  }
}
