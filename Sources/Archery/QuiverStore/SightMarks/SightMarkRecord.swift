package import QuiverRules

/// A stored sight mark.
package struct SightMarkRecord: Sendable, Equatable {
  package let id: Int64

  /// The id that its client chose; empty if it chose none.
  package let clientID: [UInt8]

  /// Starts at 1; each change adds 1.
  package let revision: UInt64

  package let createdAtMilliseconds: Int64
  package let updatedAtMilliseconds: Int64
  package let owner: Owner
  package let ownerID: Int64

  /// Empty if the owner has none.
  package let ownerClientID: [UInt8]

  package let content: SightMarkContent

  /// The owner of a mark, with which it is deleted.
  package enum Owner: Sendable, Equatable {
    case sight
    case setup
  }
}
