import QuiverWire

/// A model that a watch keeps current while there is a connection.
@MainActor
protocol FollowingModel: AnyObject, Sendable {
  var session: OfflineSession { get }
  var state: LoadState { get set }
  /// The task that reads the watch; nil: none. The model cancels it when it is released.
  var following: Task<Void, Never>? { get set }

  /// Shows nothing, and sets the state to failed.
  func fail(_ error: SessionError) -> SessionError
}

extension FollowingModel {
  /// Runs `watch`, which calls its second parameter after each message, unless a watch is running.
  ///
  /// The state is failed when `watch` returns the error with which the server permanently ended it.
  /// A server without the method, or a transport without streams, leaves the state as it is.
  func startFollowing(
    _ watch:
      @escaping @Sendable (
        OfflineSession, @escaping @Sendable () async -> Void
      ) async -> SessionError?
  ) {
    guard following == nil else { return }
    let session = session
    following = Task { [weak self] in
      let error = await watch(session) { [weak self] in await self?.noteUpdate() }
      guard let self, !Task.isCancelled else { return }
      self.following = nil
      if let error, error.code != .call(.unimplemented) { _ = self.fail(error) }
    }
  }

  /// Ends what ``startFollowing(_:)`` began.
  func endFollowing() {
    following?.cancel()
    following = nil
  }

  private func noteUpdate() {
    if state.error == nil { state = .loaded(staleSince: nil) }
  }
}
