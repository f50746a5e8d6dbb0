import QuiverRPC
import QuiverStore
import QuiverWire

/// Those who watch one window on one reactor: they are told of it in the same turns, some in each,
/// so that calls beside them are answered meanwhile.
// Sendable because all but its reactor is touched on that reactor alone.
final class LeaderboardAudience: @unchecked Sendable {
  let reactor: any Reactor
  /// By place; the places of those who went are taken by others.
  private var watchers: [LeaderboardWatcher?] = []
  private var free: [Int] = []
  /// Places of those who have not been told anything yet.
  private var newcomers: [Int] = []
  private var publication: LeaderboardPublication?
  /// Whose turn it is, and how many are left to be told.
  private var next = 0
  private var left = 0
  private var isTelling = false

  /// Watchers that one turn of the reactor tells.
  private static let watchersPerTurn = 256

  init(_ reactor: any Reactor) { self.reactor = reactor }

  func add(_ watcher: LeaderboardWatcher) {
    let place = free.popLast() ?? watchers.count
    if place == watchers.count {
      watchers.append(watcher)
    } else {
      watchers[place] = watcher
    }
    watcher.place = place
    newcomers.append(place)
  }

  func remove(_ watcher: LeaderboardWatcher) {
    guard let place = watcher.place else { return }
    watcher.place = nil
    watchers[place] = nil
    free.append(place)
  }

  /// Tells everybody what the window has come to; what some have not been told yet is told no more.
  func take(_ publication: LeaderboardPublication) {
    self.publication = publication
    newcomers.removeAll(keepingCapacity: true)
    left = watchers.count
    guard !isTelling else { return }
    isTelling = true
    tell()
  }

  /// Tells those who came since the last time how the window is.
  func welcome(_ publication: LeaderboardPublication) {
    let places = newcomers
    newcomers.removeAll(keepingCapacity: true)
    for place in places {
      if let watcher = watchers[place] { watcher.take(publication) }
    }
  }

  /// Ends the watches of principals that do not see the event any more.
  func end(_ principals: Set<Int64>, _ error: RPCError) {
    for watcher in watchers {
      if let watcher, let viewer = watcher.viewer, principals.contains(viewer) {
        watcher.end(error)
      }
    }
  }

  /// Ends every watch.
  func endAll(_ error: RPCError) {
    for watcher in watchers { watcher?.end(error) }
  }

  private func tell() {
    guard let publication else { return }
    for _ in 0..<min(left, Self.watchersPerTurn) {
      if next >= watchers.count { next = 0 }
      // One that ends with it leaves its place at once.
      if let watcher = watchers[next] { watcher.take(publication) }
      next += 1
      left -= 1
    }
    guard left > 0 else {
      isTelling = false
      return
    }
    reactor.run { [self] in tell() }
  }
}
