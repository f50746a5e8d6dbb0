/// What became of a message that was given to a stream.
@usableFromInline
package enum SendResult: Sendable {
  /// It is framed or queued, and the stream's queue has room for more.
  case room
  /// It is queued, and the sender should wait until there is room.
  case full
  /// The call is over: it was dropped.
  case over
}
