import QuiverRPC
import QuiverStore
import QuiverWire
import Synchronization

/// Admits every watch of a server, whatever it shows, and ends them all when the server stops.
///
/// A watch is counted against the principal whose token or certificate it came with: the service
/// where a service acts for users, and all spectators of an event together, of whom those at one
/// address have a share. Any thread may use it.
final class WatchAdmission: Sendable {
  let feed: ChangeFeed
  let limits: WatchLimits
  let reads: SharedReads
  private let state = Mutex(State())

  private struct State {
    var watches: [Int: OpenWatch] = [:]
    var counts: [Int64: Int] = [:]
    var spectatorCounts: [SpectatorPlace: Int] = [:]
    var lastNumber = 0
    var isEnded = false
  }

  private struct OpenWatch: Sendable {
    let principal: Int64
    /// Where the spectator is; nil: another watches.
    let place: SpectatorPlace?
    let end: @Sendable (RPCError) -> Void
  }

  init(_ feed: ChangeFeed, _ limits: WatchLimits) {
    self.feed = feed
    self.limits = limits
    reads = SharedReads(WatchReads(feed.store))
  }

  /// How many watches are open.
  var count: Int { state.withLock { $0.watches.count } }

  /// How many watches of a principal are open.
  func count(of principal: Int64) -> Int { state.withLock { $0.counts[principal] ?? 0 } }

  /// Opens a watch of the journal for a call, on its reactor.
  ///
  /// Throws INVALID_ARGUMENT or OUT_OF_RANGE for a position at which it cannot resume,
  /// RESOURCE_EXHAUSTED with the name of the limit that is reached, and UNAVAILABLE when the server
  /// is stopping.
  func open<Response>(
    _ call: CallContext, _ replies: StreamResponder<Response>
  ) throws(RPCError) -> Subscription<Response> {
    guard call.resumes(in: feed.store.epoch) else { throw .otherEpoch }
    return try openInAnyEpoch(call, replies)
  }

  /// The same for a watch whose epoch the caller checks.
  func openInAnyEpoch<Response>(
    _ call: CallContext, _ replies: StreamResponder<Response>
  ) throws(RPCError) -> Subscription<Response> {
    guard call.afterSequence >= 0 else {
      throw RPCError(.invalidArgument, "after_sequence: must not be negative")
    }
    guard let caller = call.caller else { throw RPCError.needsToken }
    let subscription = Subscription(
      replies, principal: caller.actorID,
      after: call.afterSequence == 0 ? nil : call.afterSequence)
    let number = try add(
      OpenWatch(principal: caller.actorID, place: call.spectatorPlace) { error in
        replies.reactor.run { subscription.end(error) }
      })
    subscription.onEnd { [weak self] in self?.remove(number) }
    replies.onCancel { subscription.end(ServerStream.over) }
    return subscription
  }

  /// Ends every watch, and admits no more.
  func end() {
    let watches = state.withLock { state in
      state.isEnded = true
      return Array(state.watches.values)
    }
    for watch in watches { watch.end(.serverStops) }
  }

  private func add(_ watch: OpenWatch) throws(RPCError) -> Int {
    try state.withLock { state throws(RPCError) in
      guard !state.isEnded else {
        throw RPCError(
          .unavailable, "the server is stopping; watch at another server", isNotProcessed: true)
      }
      guard state.counts[watch.principal] ?? 0 < limits.watchesPerPrincipal else {
        throw .limitReached(
          .watchesPerPrincipal,
          "this caller has \(limits.watchesPerPrincipal) open watches; end one first")
      }
      if let place = watch.place {
        guard state.spectatorCounts[place] ?? 0 < limits.watchesPerSpectatorAddress else {
          throw .limitReached(
            .watchesPerSpectatorAddress,
            "spectators at this address have \(limits.watchesPerSpectatorAddress) open watches;"
              + " end one first")
        }
      }
      guard state.watches.count < limits.watches else {
        throw .limitReached(.watches, "the server has \(limits.watches) open watches")
      }
      state.lastNumber += 1
      state.watches[state.lastNumber] = watch
      state.counts[watch.principal, default: 0] += 1
      if let place = watch.place { state.spectatorCounts[place, default: 0] += 1 }
      return state.lastNumber
    }
  }

  private func remove(_ number: Int) {
    state.withLock { state in
      guard let watch = state.watches.removeValue(forKey: number),
        let count = state.counts[watch.principal]
      else { return }
      state.counts[watch.principal] = count > 1 ? count - 1 : nil
      guard let place = watch.place, let count = state.spectatorCounts[place] else { return }
      state.spectatorCounts[place] = count > 1 ? count - 1 : nil
    }
  }
}

extension CallContext {
  /// Whether the position at which a watch resumes, if it has one, belongs to an epoch.
  func resumes(in epoch: UInt64) -> Bool { afterSequence == 0 || storeEpoch == epoch }
}

extension RPCError {
  /// The position at which a watch resumes belongs to another store, or to another server.
  static let otherEpoch = RPCError(
    .outOfRange,
    "store_epoch: the store was replaced or restored, or another server counted the position; "
      + "watch from a snapshot")

  /// The server ends its watches before it drains.
  fileprivate static let serverStops = RPCError(
    .unavailable, "the server is stopping; resume from the last position at another server")

  /// The journal no longer reaches back to the position at which a watch resumes.
  static let historyGone = RPCError(
    .outOfRange, "after_sequence: the history was deleted; watch from a snapshot")

  /// The event shows names in another way since, and the caller has no part in it.
  static let namesHidden = RPCError(
    .outOfRange, "after_sequence: names are shown in another way; watch from a snapshot")

  /// The caller may not see the event, or may no longer see it.
  static let eventNotVisible = RPCError(.notFound, "tournament_id: there is no such event")

  /// A limit of watches is reached, which the text names.
  static func limitReached(_ limit: StoreLimit, _ message: String) -> RPCError {
    RPCError(.reached(limit, "\(limit.words): \(message)"))
  }
}
