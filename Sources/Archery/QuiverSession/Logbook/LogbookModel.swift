import FoundationEssentials
public import Observation
public import QuiverAPI
public import QuiverRules

/// The weight log by month, computed from the entries on this device, including pending ones.
@MainActor
@Observable
public final class LogbookModel {
  /// The months with rows, newest first; empty after a failed load.
  public private(set) var sections: [LogbookSection] = []
  /// The reason why there are no sections; nil if there are some, and after a failed load.
  public private(set) var emptiness: Emptiness?
  /// The load state of the log.
  public private(set) var state = LoadState.idle(staleSince: nil)
  /// Whether there is a plan with milestones to show.
  public var hasPlan: Bool { plan != nil }
  /// Selects the rows to show. It does not change the rows' values, and is not stored.
  public var filter = WeightFilter() {
    didSet { arrange() }
  }
  /// The display unit of weights.
  public var unit = MassUnit.pound {
    didSet { arrange() }
  }

  private var weights: [LocalWeight] = []
  private var plan: MilestonePlan?
  @ObservationIgnored private let session: OfflineSession
  @ObservationIgnored private var reads = ReadOrder()

  /// The reason why there is nothing to show.
  public enum Emptiness: Sendable, Equatable {
    /// There are no entries.
    case noEntries
    /// There are entries, but none matches the filter.
    case nothingMatches
  }

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession) {
    self.session = session
    session.observe(for: self) { model, keys in
      guard !keys.isDisjoint(with: [.weightEntries, .weightPlan, .connection]) else { return }
      await model.refresh()
    }
    Task { [weak self] in await self?.refresh() }
  }

  /// Sends the pending changes, then loads the entries from the server.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, throws and sets ``state`` to failed.
  public func load() async throws(SessionError) {
    state = .loading(staleSince: state.staleSince)
    let session = session
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchWeights(store)
    }
    state = .loaded(staleSince: nil)
    await refresh()
    guard let error else { return }
    let wasLoaded = (try? await session.lastWeights()) != nil
    if !error.isTransient || !(wasLoaded || !weights.isEmpty) { throw fail(error) }
  }

  /// Adds an entry on this device, and on the server with the next sync cycle.
  @discardableResult
  public func add(
    _ entry: WeightEntry, timeZone: String = ""
  ) async throws(SessionError) -> LocalID {
    try await change("add weight entry") { (session) async throws(SessionError) in
      try await session.create(entry, timeZone: timeZone)
    }
  }

  /// Changes an entry on this device, and on the server with the next sync cycle.
  public func update(_ id: LocalID, to entry: WeightEntry) async throws(SessionError) {
    try await change("change weight entry") { (session) async throws(SessionError) in
      try await session.update(id, to: entry)
    }
  }

  /// Deletes an entry on this device, and on the server with the next sync cycle.
  public func delete(_ id: LocalID) async throws(SessionError) {
    try await change("delete weight entry") { (session) async throws(SessionError) in
      try await session.delete(id)
    }
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async {
    guard state.error != nil else { return }
    state = .idle(staleSince: nil)
    await refresh()
  }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async {
    let read = reads.start()
    do throws(SessionError) {
      let found = try await session.weightEntries()
      let foundPlan = try await session.weightPlan()?.milestonePlan
      let listed = try await session.lastWeights()
      guard reads.finish(read), state.error == nil else { return }
      (weights, plan) = (found, foundPlan)
      state.setStaleSince(session.staleDate(listed.map { WallClock.milliseconds($0) }, state))
      arrange()
    } catch {
      guard reads.finish(read), !error.isBeforeSignInOrAfterClose else { return }
      _ = fail(error)
    }
  }

  private func arrange() {
    guard state.error == nil else { return }
    sections = LogbookSection.all(of: weights, plan, in: unit, filter)
    emptiness = sections.isEmpty ? (weights.isEmpty ? .noEntries : .nothingMatches) : nil
  }

  private func change<Result>(
    _ operation: String, _ body: (OfflineSession) async throws(SessionError) -> Result
  ) async throws(SessionError) -> Result {
    let result: Result
    do throws(SessionError) {
      result = try await body(session)
    } catch {
      throw error.whileTrying(to: operation)
    }
    await refresh()
    return result
  }

  private func fail(_ error: SessionError) -> SessionError {
    (weights, sections, emptiness) = ([], [], nil)
    let error = error.whileTrying(to: "load weight entries")
    state = .failed(error)
    return error
  }
}

extension OfflineSession {
  /// When the server last sent the entries; nil if it never did.
  func lastWeights() async throws(SessionError) -> Date? {
    guard let kind = CachedKind.numbered(CachedKind.weightEntryNumber) else { return nil }
    return try await lastList(kind)
  }
}
