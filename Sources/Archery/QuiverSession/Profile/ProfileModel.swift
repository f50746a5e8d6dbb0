public import Observation
public import QuiverAPI
public import QuiverRules

/// The user's profile and units, including changes that wait to be sent.
@MainActor
@Observable
public final class ProfileModel: StoredModel {
  /// The profile; nil before its first load, and after a failed load.
  public private(set) var profile: Profile?
  /// Whether the server has the profile that is shown.
  public private(set) var mark = SyncMark.synced
  /// The load state of the profile.
  public internal(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored let session: OfflineSession
  @ObservationIgnored var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession) {
    self.session = session
    startShowing { !$0.isDisjoint(with: [.profile, .connection]) }
  }

  /// The name that others see: the display name, or "Archer" with the user's number; empty before
  /// the first load.
  public var shownName: String {
    guard let profile else { return "" }
    return profile.displayName.isEmpty ? "Archer \(profile.principalID)" : profile.displayName
  }

  /// The unit in which weights are shown: kilograms for metric units, pounds otherwise.
  public var weightUnit: MassUnit { profile?.units == .metric ? .kilogram : .pound }

  /// Sends the pending changes, then loads the profile from the server.
  ///
  /// Without a connection this device's state stays. If there is none, and for errors that a retry
  /// does not solve, throws and sets ``state`` to failed.
  public func load() async throws(SessionError) {
    let session = session
    try await loadContent { (store) throws(SessionError) in
      try await session.fetchProfile(store)
    }
  }

  /// Changes the profile on this device, and on the server with the next sync cycle.
  public func update(to profile: Profile) async throws(SessionError) {
    try await change("change profile") { (session) async throws(SessionError) in
      try await session.updateProfile(to: profile)
    }
  }

  /// Changes the units on this device, and on the server with the next sync cycle.
  public func choose(_ units: Units) async throws(SessionError) {
    guard var profile else {
      throw SessionError(.notPossible, "the profile was never loaded").whileTrying(
        to: "change profile")
    }
    profile.units = units
    try await update(to: profile)
  }

  /// Shows this device's state again after a failed load.
  public func clearError() async { await clearFailure() }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async { await showContent() }

  /// The profile with its mark; no profile before the first load.
  struct Content: Sendable {
    var profile: Profile?
    var mark = SyncMark.synced
  }

  static let contentName = "profile"
  var hasContent: Bool { profile != nil }

  func read() async throws(SessionError) -> (content: Content, fetchedAt: Int64?) {
    let found = try await session.single(Profile.self)
    let fetchedAt = try await session.lastList(OfflineSession.kind(Profile.self))
    return (Content(profile: found?.message, mark: found?.mark ?? .synced), fetchedAt)
  }

  func show(_ content: Content?) {
    (profile, mark) = (content?.profile, content?.mark ?? .synced)
  }
}
