import Dispatch
import QuiverAPI
import QuiverRPC
import QuiverStore
import QuiverWire
import Synchronization

/// The leaderboards that are watched, an event each; one for a server. Any thread may use it.
final class LeaderboardWatches: Sendable {
  private let feed: ChangeFeed
  private let queue = DispatchQueue(label: "quiver.leaderboards")
  private let channels = Mutex<[Int64: (channel: LeaderboardChannel, listener: Int)]>([:])

  /// Channels that are kept, watched or not.
  private static let maximumChannels = 1_024

  /// Between two messages to one watcher: four a second.
  static let standardIntervalMilliseconds = 250

  private let intervalMilliseconds: Int

  init(_ feed: ChangeFeed, intervalMilliseconds: Int) {
    self.feed = feed
    self.intervalMilliseconds = intervalMilliseconds
  }

  /// Begins a watch for a call, on its reactor; `viewer` is nil of a spectator.
  func start(
    _ key: LeaderboardWindowKey, of tournament: Int64, _ call: CallContext, viewer: Int64?,
    _ replies: StreamResponder<WatchLeaderboardResponse>
  ) {
    guard call.afterSequence >= 0 else {
      return replies.fail(RPCError(.invalidArgument, "after_sequence: must not be negative"))
    }
    guard call.afterSequence == 0 || call.storeEpoch == feed.store.epoch else {
      return replies.fail(
        RPCError(
          .outOfRange, "store_epoch: the store is another one since; watch from a snapshot"))
    }
    guard let channel = channel(tournament) else {
      return replies.fail(
        RPCError(
          .unavailable, "the server is stopping, or too much is watched; watch again later",
          isNotProcessed: true))
    }
    let watcher = LeaderboardWatcher(
      replies, after: call.afterSequence == 0 ? nil : call.afterSequence,
      viewer: viewer)
    channel.add(watcher, to: key)
    replies.onRoom { watcher.hasRoom() }
    replies.onCancel {
      watcher.end(RPCError(.cancelled, "the watch was given up"))
    }
  }

  private func channel(_ tournament: Int64) -> LeaderboardChannel? {
    channels.withLock { channels in
      if let found = channels[tournament] { return found.channel }
      if channels.count >= Self.maximumChannels {
        for (id, kept) in channels where kept.channel.isIdle {
          feed.stop(kept.listener)
          channels[id] = nil
        }
        guard channels.count < Self.maximumChannels else { return nil }
      }
      let channel = LeaderboardChannel(
        feed.store, tournament: tournament, queue: queue,
        intervalMilliseconds: intervalMilliseconds)
      let listener = feed.listen(to: .topic(tournament)) { _ in
        channel.askForTurn()
      } ended: {
        channel.end(
          RPCError(
            .unavailable, "the server is stopping; go on from the last position elsewhere"))
      }
      guard let listener else { return nil }
      channels[tournament] = (channel, listener)
      return channel
    }
  }
}
