package import QuiverRules

/// One weight entry as it is stored.
package struct WeightEntryRecord: Sendable, Equatable {
  package let id: Int64

  /// The id that its client made; empty where it made none.
  package let clientID: [UInt8]

  /// From 1; each change of it is one more.
  package let revision: UInt64

  package let createdAtMilliseconds: Int64
  package let updatedAtMilliseconds: Int64

  /// When it was weighed, by its client or by the server.
  package let measuredAtMilliseconds: Int64

  /// Whether the client's time was too far ahead to be taken.
  package let isClockAhead: Bool

  package let content: WeightEntryContent

  /// 0 where it is not deleted.
  package let deletedAtMilliseconds: Int64

  /// About how many bytes it has in a message.
  var byteCount: Int { content.note.utf8.count + 128 }
}

/// The plan of a principal with its revision.
package struct WeightPlanRecord: Sendable, Equatable {
  /// From 1.
  package let revision: UInt64
  package let updatedAtMilliseconds: Int64
  package let plan: MilestonePlan
}
