import QuiverRPC
import QuiverStore
import QuiverWire

/// The positions of a store that several servers share.
final class DatabasePositions: PositionSource {
  private let positions: StorePositions
  private let epoch: UInt64
  let isStatedByReads: Bool

  /// Nil for a store that no other server changes: its server is never behind.
  init?(of store: Store) {
    guard let positions = store.positions else { return nil }
    self.positions = positions
    epoch = store.epoch
    isStatedByReads = store.readsReplica
  }

  var stated: StorePosition { StorePosition(epoch: epoch, sequence: positions.latest) }

  func admission(
    of position: StorePosition, _ connection: ConnectionInfo, timeLeftMilliseconds: UInt32?
  ) -> PositionAdmission {
    guard position.epoch == epoch, position.sequence > positions.latest else { return .admitted }
    let principal = connection.caller?.principalID ?? 0
    // With the rest of its time the caller can do something about the answer.
    let milliseconds = timeLeftMilliseconds.map { UInt64($0) / 2 } ?? .max
    return .waits { completion in
      self.positions.wait(for: position.sequence, of: principal, milliseconds: milliseconds) {
        answer in completion(self.refusal(answer))
      }
    }
  }

  /// The end of a call that has waited; nil: it may start.
  private func refusal(_ answer: StorePositions.Answer) -> RPCError? {
    let key = StorePosition.key
    return switch answer {
    case .reached: nil
    case .notReached:
      RPCError(
        .unavailable, "\(key): the store has not come to the position that the call states",
        metadata: [key: String(decoding: stated.bytes, as: UTF8.self)], isNotProcessed: true)
    case .unanswered:
      // Without a position, which would set back that of the caller.
      RPCError(
        .unavailable, "\(key): the database does not answer now", isNotProcessed: true)
    case .tooMany(let limit):
      RPCError(
        .reached(
          limit, "\(key): too many calls wait for their position; try again later",
          retryAfterMilliseconds: StoreLimits.queueRetryMilliseconds))
    case .closed:
      RPCError(.unavailable, "\(key): the store is closed", isNotProcessed: true)
    }
  }
}
