public import Observation
public import QuiverAPI

/// An archer's personal bests and running handicaps.
///
/// The server computes both from all completed rounds; without a connection the last answers stay.
@MainActor
@Observable
public final class ArcherRecordsModel {
  /// The best score in each format and bowstyle, by the name of the format; empty after an error.
  public private(set) var bests: [PersonalBest] = []
  /// The running handicap of ``location`` and the profile's bowstyle; nil: nothing was loaded.
  public private(set) var handicap: GetRunningHandicapResponse?
  /// Where the rounds of the running handicap were shot.
  public private(set) var location: RoundLocation
  /// The load state of both.
  public private(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored private let session: OfflineSession

  /// Shows nothing before the first load.
  public init(_ session: OfflineSession, location: RoundLocation = .outdoor) {
    self.session = session
    self.location = location
  }

  /// Loads the bests and the running handicap; without a connection the last ones stay.
  public func load() async throws(SessionError) {
    state = .loading(staleSince: state.staleSince)
    let (session, asked) = (session, location)
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchRecords(store, location: asked)
    }
    let known = try? await session.records(location: asked)
    // The user may have chosen another location in the meantime.
    guard asked == location else { return }
    if let error, !(error.isTransient && known != nil) {
      (bests, handicap) = ([], nil)
      let error = error.whileTrying(to: "load records")
      state = .failed(error)
      throw error
    }
    (bests, handicap) = (known?.bests ?? [], known?.handicap)
    state = .loaded(staleSince: error == nil ? nil : known.map { WallClock.date($0.fetchedAt) })
  }

  /// Shows the running handicap of another location, and loads it.
  public func choose(_ location: RoundLocation) async throws(SessionError) {
    guard location != self.location else { return }
    self.location = location
    handicap = nil
    try await load()
  }

  /// Clears the error.
  public func clearError() {
    if state.error != nil { state = .idle(staleSince: nil) }
  }
}
