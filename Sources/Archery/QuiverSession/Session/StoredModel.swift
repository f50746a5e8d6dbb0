#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A model that shows what this device has, and loads it from the server.
///
/// All models keep the order of their reads, their load state and the texts of their errors in the
/// same way: by the methods of the extension.
@MainActor
protocol StoredModel: AnyObject, Sendable {
  /// What the model reads from this device.
  associatedtype Content: Sendable
  /// The name of the content in the text of an error, for example "equipment counts".
  static var contentName: String { get }
  var session: OfflineSession { get }
  var state: LoadState { get set }
  var reads: ReadOrder { get set }
  /// What the user selected, for example an exercise. The content of another selection is not
  /// shown.
  var selection: String { get }
  /// Whether there is content to show without a connection, even if the server never confirmed it.
  var hasContent: Bool { get }

  /// Reads the content, and when the server last confirmed it; nil if it never did.
  func read() async throws(SessionError) -> (content: Content, fetchedAt: Int64?)

  /// Shows the content; nil after a failed load.
  func show(_ content: Content?)
}

extension StoredModel {
  var selection: String { "" }

  /// Shows this device's content once it is read, and after each change of keys for which `isShown`
  /// returns true.
  func startShowing(_ isShown: @escaping @MainActor (Set<ChangeKey>) -> Bool) {
    startObserving { _, keys in isShown(keys) }
    Task { [weak self] in await self?.showContent() }
  }

  /// Shows this device's content once it is read, and after each change of a key or of the
  /// connection.
  func startShowing(changesOf key: ChangeKey) {
    startShowing { !$0.isDisjoint(with: [key, .connection]) }
  }

  /// Shows this device's content after each change of keys for which `isShown` returns true.
  func startObserving(_ isShown: @escaping @MainActor (Self, Set<ChangeKey>) -> Bool) {
    session.observe(for: self) { model, keys in
      if isShown(model, keys) { await model.showContent() }
    }
  }

  /// Sends the pending changes, runs `fetch`, and shows the content.
  ///
  /// Without a connection this device's content stays. If there is none, and for errors that a
  /// retry does not solve, throws and sets the state to failed. Does nothing more once the
  /// selection has changed.
  func loadContent(
    _ fetch: @escaping @Sendable (LocalStore) async throws(SessionError) -> Void
  ) async throws(SessionError) {
    let selected = selection
    state = .loading(staleSince: state.staleSince)
    let error = await session.load(fetch)
    guard selected == selection else { return }
    state = .loaded(staleSince: nil)
    await showContent()
    guard let error, selected == selection else { return }
    let isKnown = (try? await read())?.fetchedAt != nil || hasContent
    if !error.isTransient || !isKnown { throw fail(error) }
  }

  /// Reads this device's content and shows it, unless a later read was shown, or a load failed.
  func showContent() async {
    let selected = selection
    let number = reads.start()
    do throws(SessionError) {
      let (content, fetchedAt) = try await read()
      guard selected == selection, reads.finish(number), state.error == nil else { return }
      show(content)
      state.setStaleSince(session.staleDate(fetchedAt, state))
    } catch {
      guard selected == selection, reads.finish(number), !error.isBeforeSignInOrAfterClose
      else { return }
      _ = fail(error)
    }
  }

  /// Shows this device's content again after a failed load.
  func clearFailure() async {
    guard state.error != nil else { return }
    state = .idle(staleSince: nil)
    await showContent()
  }

  /// Runs a change of this device's content, and shows it.
  func change<Result>(
    _ operation: String, _ body: (OfflineSession) async throws(SessionError) -> Result
  ) async throws(SessionError) -> Result {
    let result: Result
    do throws(SessionError) {
      result = try await body(session)
    } catch {
      throw error.whileTrying(to: operation)
    }
    await showContent()
    return result
  }

  /// Shows nothing, and sets the state to failed.
  func fail(_ error: SessionError) -> SessionError {
    show(nil)
    let error = error.whileTrying(to: "load \(Self.contentName)")
    state = .failed(error)
    return error
  }
}

extension OfflineSession {
  /// When the server last sent the list of a kind, in milliseconds; nil if it never did.
  func lastList(_ kind: CachedKind) async throws(SessionError) -> Int64? {
    try await store().read { (transaction) throws(SessionError) in
      try transaction.answer(kind.listName)?.fetchedAt
    }
  }

  /// The date to show for content last confirmed at `fetchedAt`; nil if the content is current.
  func staleDate(_ fetchedAt: Int64?, _ state: LoadState) -> Date? {
    if case .loaded = state, isOnline { return nil }
    return fetchedAt.map { WallClock.date($0) }
  }
}

extension SessionError {
  /// Whether the local file cannot be read only because nobody has signed in or the session is
  /// closed.
  var isBeforeSignInOrAfterClose: Bool { code == .notSignedIn || code == .closed }
}
