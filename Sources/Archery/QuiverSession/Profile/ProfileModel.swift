public import Observation
public import QuiverAPI
public import QuiverRules

/// The user's profile and units, including changes that wait to be sent.
@MainActor
@Observable
public final class ProfileModel {
  /// The profile; nil before its first load, and after a failed load.
  public private(set) var profile: Profile?
  /// Whether the server has the profile that is shown.
  public private(set) var mark = SyncMark.synced
  /// The load state of the profile.
  public private(set) var state = LoadState.idle(staleSince: nil)

  @ObservationIgnored private let session: OfflineSession
  @ObservationIgnored private var reads = ReadOrder()

  /// Shows this device's state once it is read, and each later change.
  public init(_ session: OfflineSession) {
    self.session = session
    session.observe(for: self) { model, keys in
      guard !keys.isDisjoint(with: [.profile, .connection]) else { return }
      await model.refresh()
    }
    Task { [weak self] in await self?.refresh() }
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
    state = .loading(staleSince: state.staleSince)
    let session = session
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchProfile(store)
    }
    state = .loaded(staleSince: nil)
    await refresh()
    if let error, !(error.isTransient && profile != nil) { throw fail(error) }
  }

  /// Changes the profile on this device, and on the server with the next sync cycle.
  public func update(to profile: Profile) async throws(SessionError) {
    do throws(SessionError) {
      try await session.updateProfile(to: profile)
    } catch {
      throw error.whileTrying(to: "change profile")
    }
    await refresh()
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
  public func clearError() async {
    guard state.error != nil else { return }
    state = .idle(staleSince: nil)
    await refresh()
  }

  /// Reads this device's state; sends nothing to the server. Does nothing after a failed load.
  public func refresh() async {
    let read = reads.start()
    do throws(SessionError) {
      let found = try await session.single(Profile.self)
      let fetched = try await session.lastList(OfflineSession.kind(Profile.self))
      guard reads.finish(read), state.error == nil else { return }
      (profile, mark) = (found?.message, found?.mark ?? .synced)
      state.setStaleSince(
        session.staleDate(fetched.map { WallClock.milliseconds($0) }, state))
    } catch {
      guard reads.finish(read), !error.isBeforeSignInOrAfterClose else { return }
      _ = fail(error)
    }
  }

  private func fail(_ error: SessionError) -> SessionError {
    (profile, mark) = (nil, .synced)
    let error = error.whileTrying(to: "load profile")
    state = .failed(error)
    return error
  }
}
