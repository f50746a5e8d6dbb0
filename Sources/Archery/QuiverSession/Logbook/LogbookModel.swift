public import FoundationEssentials
public import Observation
public import QuiverAPI
public import QuiverRules

/// The weight log in months, computed on this device of what it keeps: entries that wait to be sent
/// are in it as they are.
@MainActor
@Observable
public final class LogbookModel {
  /// Newest first; empty after an error.
  public private(set) var sections: [LogbookSection] = []
  /// Why there are none; nil where there are, and after an error.
  public private(set) var emptiness: Emptiness?
  public private(set) var isLoading = false
  /// Why the entries could not be loaded or changed; nil: nothing is wrong.
  public private(set) var errorText: String?
  /// Of when the entries are, where the server cannot be reached; nil: they are current.
  public private(set) var staleSince: Date?
  /// Whether there is a plan whose milestones can be shown.
  public private(set) var hasPlan = false
  /// What is shown; what each row says does not change with it. It holds for this session only.
  public var filter = WeightFilter() {
    didSet { show() }
  }
  /// What the weights are shown in.
  public var unit = QuiverRules.WeightUnit.pound {
    didSet { show() }
  }

  @ObservationIgnored private let session: OfflineSession
  @ObservationIgnored private var hasLoaded = false
  @ObservationIgnored private var hasFailed = false

  /// Why there is nothing to show.
  public enum Emptiness: Sendable, Equatable {
    case noEntries
    case nothingMatches
  }

  /// Shows the last state of this device at once, and follows the session from then on.
  public init(_ session: OfflineSession) {
    self.session = session
    show()
    session.showChanges(in: self) { $0.show() }
  }

  /// Sends what waits and asks for the entries; off line the last state stays.
  public func load() async {
    clearError()
    isLoading = true
    let session = session
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchWeights(store)
    }
    isLoading = false
    hasLoaded = error == nil
    show()
    guard let error else { return }
    let hasEntries = !sections.isEmpty || emptiness == .nothingMatches
    let wasLoaded = (try? session.lastWeights()) != nil
    if !error.isTransient || !(wasLoaded || hasEntries) { fail(error) }
  }

  /// Keeps an entry here, to be sent in its turn; false, with the text, where it cannot be.
  @discardableResult
  public func add(_ entry: WeightEntry, timeZone: String = "") -> Bool {
    change("Failed to add weight entry") { () throws(SessionError) in
      try session.create(entry, timeZone: timeZone)
    }
  }

  /// Changes an entry here, to be sent in its turn; false, with the text, where it cannot be.
  @discardableResult
  public func update(_ id: LocalID, to entry: WeightEntry) -> Bool {
    change("Failed to change weight entry") { () throws(SessionError) in
      try session.update(id, to: entry)
    }
  }

  /// Deletes an entry here, and at the server in its turn; false, with the text, where that does
  /// not go.
  @discardableResult
  public func delete(_ id: LocalID) -> Bool {
    change("Failed to delete weight entry") { () throws(SessionError) in
      try session.delete(id)
    }
  }

  /// Clears the error; the last state is shown again.
  public func clearError() {
    errorText = nil
    hasFailed = false
    show()
  }

  private func change(
    _ failure: String, _ body: () throws(SessionError) -> Void
  ) -> Bool {
    do throws(SessionError) {
      try body()
      show()
      return true
    } catch {
      errorText = "\(failure): \(error)"
      return false
    }
  }

  private func show() {
    guard !hasFailed else { return }
    do throws(SessionError) {
      let weights = try session.weightEntries()
      let plan = try session.weightPlan()?.plan
      hasPlan = plan != nil
      sections = LogbookSection.all(of: weights, plan, in: unit, filter)
      emptiness = sections.isEmpty ? (weights.isEmpty ? .noEntries : .nothingMatches) : nil
      let isCurrent = hasLoaded && session.isOnline
      staleSince = isCurrent ? nil : try session.lastWeights()
    } catch {
      (sections, emptiness) = ([], nil)
      guard error.code != .notSignedIn && error.code != .closed else { return }
      fail(error)
    }
  }

  private func fail(_ error: SessionError) {
    hasFailed = true
    (sections, emptiness, staleSince) = ([], nil, nil)
    errorText = "Failed to load weight entries: \(error)"
  }
}

extension OfflineSession {
  /// When the entries were listed last; nil: never.
  func lastWeights() throws(SessionError) -> Date? {
    try CachedKind.numbered(CachedKind.weightEntryNumber).flatMap { (kind) throws(SessionError) in
      try lastList(kind)
    }
  }
}

extension WeightPlan {
  /// As the rules take it; nil for a unit that they do not know.
  fileprivate var plan: MilestonePlan? {
    QuiverRules.WeightUnit(rawValue: unit.rawValue).map { unit in
      MilestonePlan(
        unit: unit, startThousandths: startThousandths, goalThousandths: goalThousandths,
        stepThousandths: stepThousandths, startDay: startDay)
    }
  }
}
