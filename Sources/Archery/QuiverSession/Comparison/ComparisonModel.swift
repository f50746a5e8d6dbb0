public import FoundationEssentials
public import Observation
public import QuiverAPI

/// Two setups held against each other: which ones, over which range, and what comes of it.
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
  public private(set) var isLoading = false
  public private(set) var isComparing = false
  /// Why something could not be loaded or compared; nil: nothing is wrong.
  public private(set) var errorText: String?
  /// Of when what is shown is, where the server cannot be reached; nil: it is current.
  public private(set) var staleSince: Date?

  @ObservationIgnored private let session: OfflineSession
  /// Counts what was chosen, so that an answer to an earlier choice is not shown.
  @ObservationIgnored private var choice = 0

  /// What is compared over where nobody has chosen yet.
  public static let standardRange: RangeChoice = {
    var range = RangeChoice()
    range.range = .thirtyDays
    return range
  }()

  /// Restores the range as this device knows it; asks for nothing before ``load()``.
  public init(_ session: OfflineSession) {
    self.session = session
    restoreRange()
  }

  /// The setups that B may be: all but A.
  public var choicesForB: [ComparableSetup] { setups.filter { $0.id != setupA?.id } }

  /// Restores the range, then asks for the setups; off line the last ones stay.
  public func load() async {
    isLoading = true
    errorText = nil
    restoreRange()
    let session = session
    let before = choice
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchRange(store)
      try await session.fetchComparableSetups(store)
    }
    isLoading = false
    if choice == before || error == nil { restoreRange() }
    showSetups(isCurrent: error == nil)
    if let error, !(error.isTransient && !setups.isEmpty) {
      setups = []
      staleSince = nil
      errorText = "Failed to load setups: \(error)"
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

  /// Chooses a range, which is kept; compares again where both setups are chosen.
  public func choose(range: RangeChoice) async {
    do throws(SessionError) {
      try session.choose(range)
    } catch {
      errorText = "Failed to keep the range: \(error)"
      return
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
      session.forgetChosenRange()
      errorText = "Failed to keep the range: \(error)"
      restoreRange()
      return
    }
    await compare()
  }

  /// Compares A and B; without both it does nothing. Off line the last answer to the same question
  /// is shown.
  public func compare() async {
    guard let request else { return }
    let asked = choice
    isComparing = true
    errorText = nil
    let session = session
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchComparison(request, store)
    }
    // Something else may have been chosen meanwhile.
    guard asked == choice else { return }
    isComparing = false
    show(request, error)
  }

  /// Nothing is chosen and nothing shown any more; setups and range stay.
  public func reset() {
    setupA = nil
    setupB = nil
    errorText = nil
    clearResult()
  }

  public func clearError() { errorText = nil }

  private func clearResult() {
    choice += 1
    result = nil
    isComparing = false
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

  private func restoreRange() {
    // Without a sign-in there is none yet, which is no fault.
    guard let kept = try? session.comparisonRange() else { return }
    range = kept
  }

  private func showSetups(isCurrent: Bool) {
    guard let known = try? session.comparableSetups() else { return }
    setups = known.setups.sorted {
      ($0.displayName.lowercased(), $0.id) < ($1.displayName.lowercased(), $1.id)
    }
    staleSince = isCurrent ? nil : WallClock.date(known.fetchedAt)
    // A choice that is there no more is none.
    if let chosen = setupA, !setups.contains(where: { $0.id == chosen.id }) { chooseA(nil) }
    if let chosen = setupB, !setups.contains(where: { $0.id == chosen.id }) { chooseB(nil) }
  }

  private func show(_ request: CompareRequest, _ error: SessionError?) {
    let known = try? session.comparison(request)
    if let error, !(error.isTransient && known != nil) {
      result = nil
      staleSince = nil
      errorText = "Failed to compare setups: \(error)"
      return
    }
    result = known?.response
    staleSince = error == nil ? nil : known.map { WallClock.date($0.fetchedAt) }
  }
}
