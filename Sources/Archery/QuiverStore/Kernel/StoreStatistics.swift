/// What the writer has done since the store was opened.
package struct StoreStatistics: Sendable, Equatable {
  /// Groups that were committed, each with one fsync.
  package internal(set) var committedGroups: UInt64 = 0

  /// Commands that had their effect.
  package internal(set) var committedCommands: UInt64 = 0

  /// Commands that were answered from a stored reply.
  package internal(set) var replayedCommands: UInt64 = 0

  /// Commands that were refused, by themselves or with their group.
  package internal(set) var refusedCommands: UInt64 = 0

  /// The most commands that one group held.
  package internal(set) var largestGroup = 0

  package internal(set) var checkpoints: UInt64 = 0

  /// The write-ahead log after the latest commit, in bytes that hold frames in use.
  package internal(set) var walByteCount = 0

  /// Old rows that were swept.
  package internal(set) var sweptRows: UInt64 = 0
}
