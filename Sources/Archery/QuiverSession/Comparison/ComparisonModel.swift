public import Observation
public import QuiverAPI

/// A comparison of two setups: which ones, over which range, and the result.
@MainActor
@Observable
public final class ComparisonModel {
  /// The setups to choose from, by name; empty after an error of loading.
  public private(set) var setups: [ComparableSetup] = []
  public private(set) var setupA: ComparableSetup?
  public private(set) var setupB: ComparableSetup?
  /// Thirty days until another was chosen, here or elsewhere.
  public private(set) var range = ComparisonModel.standardRange
  /// Of the chosen pair over the chosen range; nil where nothing is compared yet.
  public private(set) var result: CompareResponse?
  /// Of ``setups`` and ``range``.
  public fileprivate(set) var state = LoadState.idle(staleSince: nil)
  /// Of ``result``.
  public fileprivate(set) var resultState = LoadState.idle(staleSince: nil)

  @ObservationIgnored private let session: OfflineSession
  /// Counts what was chosen, so that an answer to an earlier choice is not shown.
  @ObservationIgnored private var choice = 0

  /// What is compared over where nobody has chosen yet.
  public static let standardRange: RangeChoice = {
    var range = RangeChoice()
    range.range = .thirtyDays
    return range
  }()

  /// Restores the range from this device as soon as it is read; asks no server before ``load()``.
  public init(_ session: OfflineSession) {
    self.session = session
    Task { [weak self] in await self?.refresh() }
  }

  /// The setups that B may be: all but A.
  public var choicesForB: [ComparableSetup] { setups.filter { $0.id != setupA?.id } }

  /// Reads the range of this device; asks no server.
  public func refresh() async {
    // Before the first sign-in there is none, which is no error.
    let before = choice
    guard let known = try? await session.comparisonRange(), choice == before else { return }
    range = known
  }

  /// Restores the range, then loads the setups; without a connection the last ones stay.
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

  /// Chooses A; a B that is the same is cleared, and so is the result.
  public func chooseA(_ setup: ComparableSetup?) {
    guard setup?.id != setupA?.id else { return }
    setupA = setup
    if setup != nil, setup?.id == setupB?.id { setupB = nil }
    clearResult()
  }

  /// Chooses B, which cannot be A; the result is cleared.
  public func chooseB(_ setup: ComparableSetup?) {
    guard setup?.id != setupB?.id, setup == nil || setup?.id != setupA?.id else { return }
    setupB = setup
    clearResult()
  }

  /// Chooses a range and stores it; compares again where both setups are chosen.
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

  /// Compares A and B; without both it does nothing. Without a connection the last answer to the
  /// same question is shown.
  public func compare() async throws(SessionError) {
    guard let request else { return }
    let asked = choice
    resultState = .loading(staleSince: nil)
    let session = session
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchComparison(request, store)
    }
    let known = try? await session.comparison(request)
    // Something else may have been chosen meanwhile.
    guard asked == choice else { return }
    if let error, !(error.isTransient && known != nil) {
      result = nil
      throw fail(error, to: "compare setups", \.resultState)
    }
    result = known?.response
    resultState = .loaded(
      staleSince: error == nil ? nil : known.map { WallClock.date($0.fetchedAt) })
  }

  /// Clears the choice of setups and the result; setups and range stay.
  public func reset() {
    setupA = nil
    setupB = nil
    clearError()
    clearResult()
  }

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

  /// What the chosen pair is asked by; nil without both.
  private var request: CompareRequest? {
    guard let setupA, let setupB else { return nil }
    var request = CompareRequest()
    request.range = range
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
    // A chosen setup that no longer exists is chosen no longer.
    if let chosen = setupA, !setups.contains(where: { $0.id == chosen.id }) { chooseA(nil) }
    if let chosen = setupB, !setups.contains(where: { $0.id == chosen.id }) { chooseB(nil) }
  }
}
