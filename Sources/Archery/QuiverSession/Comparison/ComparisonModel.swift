public import Observation
public import QuiverAPI

/// The model of a screen that compares two bow setups over a range of time.
@MainActor
@Observable
public final class ComparisonModel {
  /// The setups to choose from, by name; empty after a failed load.
  public private(set) var setups: [ComparableSetup] = []
  /// The first setup; nil: none is chosen.
  public private(set) var setupA: ComparableSetup?
  /// The second setup, never the same as ``setupA``; nil: none is chosen.
  public private(set) var setupB: ComparableSetup?
  /// The range of time, thirty days by default. The choice is stored for the user, on all devices.
  public private(set) var range = ComparisonModel.standardRange
  /// The comparison of the chosen setups over the range; nil: nothing was compared yet.
  public private(set) var result: CompareResponse?
  /// The load state of ``setups`` and ``range``.
  public fileprivate(set) var state = LoadState.idle(staleSince: nil)
  /// The load state of ``result``.
  public fileprivate(set) var resultState = LoadState.idle(staleSince: nil)

  @ObservationIgnored private let session: OfflineSession
  /// Counts the choices, so that a reply to an earlier choice is not shown.
  @ObservationIgnored private var choice = 0

  /// The range of a user who never chose one: thirty days.
  public static let standardRange: RangeChoice = {
    var range = RangeChoice()
    range.range = .thirtyDays
    return range
  }()

  /// Loads the range of this device; sends nothing to the server before ``load()``.
  public init(_ session: OfflineSession) {
    self.session = session
    Task { [weak self] in await self?.refresh() }
  }

  /// The setups that may be B: all but A.
  public var choicesForB: [ComparableSetup] { setups.filter { $0.id != setupA?.id } }

  /// Reads the range of this device; sends nothing to the server.
  public func refresh() async {
    // Before the first sign-in there is no range, which is not an error.
    let before = choice
    guard let known = try? await session.comparisonRange(), choice == before else { return }
    range = known
  }

  /// Loads the range and then the setups; without a connection the last setups stay.
  public func load() async throws(SessionError) {
    state = .loading(staleSince: state.staleSince)
    await refresh()
    let session = session
    let before = choice
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchRange(store)
      try await session.fetchComparableSetups(store)
    }
    state = .loaded(staleSince: nil)
    if choice == before || error == nil { await refresh() }
    await showSetups(isCurrent: error == nil)
    if let error, !(error.isTransient && !setups.isEmpty) {
      setups = []
      throw fail(error, to: "load setups", \.state)
    }
  }

  /// Chooses A. Clears the result, and B if it is the same setup.
  public func chooseA(_ setup: ComparableSetup?) {
    guard setup?.id != setupA?.id else { return }
    setupA = setup
    if setup != nil, setup?.id == setupB?.id { setupB = nil }
    clearResult()
  }

  /// Chooses B, which cannot be A. Clears the result.
  public func chooseB(_ setup: ComparableSetup?) {
    guard setup?.id != setupB?.id, setup == nil || setup?.id != setupA?.id else { return }
    setupB = setup
    clearResult()
  }

  /// Chooses and stores a range; compares again if both setups are chosen.
  public func choose(range: RangeChoice) async throws(SessionError) {
    do throws(SessionError) {
      try await session.choose(range)
    } catch {
      throw fail(error, to: "store the range", \.state)
    }
    self.range = range
    clearResult()
    let session = session
    let chosen = choice
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchRange(store)
    }
    guard chosen == choice else { return }
    if let error, !error.isTransient {
      await session.forgetChosenRange()
      await refresh()
      throw fail(error, to: "store the range", \.state)
    }
    try await compare()
  }

  /// Compares A and B; does nothing unless both are chosen. Without a connection it shows the last
  /// reply to the same request.
  public func compare() async throws(SessionError) {
    guard let request else { return }
    let asked = choice
    resultState = .loading(staleSince: nil)
    let session = session
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchComparison(request, store)
    }
    let known = try? await session.comparison(request)
    // The user may have chosen something else in the meantime.
    guard asked == choice else { return }
    if let error, !(error.isTransient && known != nil) {
      result = nil
      throw fail(error, to: "compare setups", \.resultState)
    }
    result = known?.response
    resultState = .loaded(
      staleSince: error == nil ? nil : known.map { WallClock.date($0.fetchedAt) })
  }

  /// Clears the chosen setups and the result; the list of setups and the range stay.
  public func reset() {
    setupA = nil
    setupB = nil
    clearError()
    clearResult()
  }

  /// Clears the error of ``state`` and of ``resultState``.
  public func clearError() {
    if state.error != nil { state = .idle(staleSince: nil) }
    if resultState.error != nil { resultState = .idle(staleSince: nil) }
  }

  private func clearResult() {
    choice += 1
    result = nil
    resultState = .idle(staleSince: nil)
  }

  private func fail(
    _ error: SessionError, to operation: String,
    _ place: ReferenceWritableKeyPath<ComparisonModel, LoadState>
  ) -> SessionError {
    let error = error.whileTrying(to: operation)
    self[keyPath: place] = .failed(error)
    return error
  }

  /// The request for the chosen pair; nil unless both are chosen.
  private var request: CompareRequest? {
    guard let setupA, let setupB else { return nil }
    var request = CompareRequest()
    request.range = range
    request.includeShots = true
    request.setups = [setupA, setupB].map { setup in
      var compared = ComparedSetup()
      compared.id = setup.id
      return compared
    }
    return request
  }

  private func showSetups(isCurrent: Bool) async {
    guard let known = try? await session.comparableSetups() else { return }
    setups = known.setups.sorted {
      ($0.displayName.lowercased(), $0.id) < ($1.displayName.lowercased(), $1.id)
    }
    state = .loaded(staleSince: isCurrent ? nil : WallClock.date(known.fetchedAt))
    // A chosen setup that no longer exists is removed from the choice.
    if let chosen = setupA, !setups.contains(where: { $0.id == chosen.id }) { chooseA(nil) }
    if let chosen = setupB, !setups.contains(where: { $0.id == chosen.id }) { chooseB(nil) }
  }
}
