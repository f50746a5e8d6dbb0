public import FoundationEssentials
public import Observation
import QuiverAPI

/// The bow setups by name, with what waits to be sent and what was refused marked.
@MainActor
@Observable
public final class BowSetupListModel {
  /// Empty after an error.
  public private(set) var items: [SetupListItem] = []
  public private(set) var isLoading = false
  /// Why the setups could not be loaded or changed; nil: nothing is wrong.
  public private(set) var errorText: String?
  /// Of when the list is, where the server cannot be reached; nil: it is current.
  public private(set) var staleSince: Date?
  /// Whether inactive setups are shown too.
  public var includesInactive = false {
    didSet { show() }
  }

  @ObservationIgnored private let session: OfflineSession
  @ObservationIgnored private var hasLoaded = false
  @ObservationIgnored private var hasFailed = false

  /// Shows the last state of this device at once, and follows the session from then on.
  public init(_ session: OfflineSession) {
    self.session = session
    show()
    session.showChanges(in: self) { $0.show() }
  }

  /// Sends what waits and asks for the setups; off line the last state stays.
  public func load() async {
    clearError()
    isLoading = true
    let session = session
    let error = await session.load { (store) throws(SessionError) in
      try await session.fetchSetups(store)
    }
    isLoading = false
    hasLoaded = error == nil
    show()
    guard let error else { return }
    if !error.isTransient || (staleSince == nil && items.isEmpty) { fail(error) }
  }

  /// Deletes a setup; its items stay. False, with the text, where that does not go.
  @discardableResult
  public func delete(_ id: LocalID) -> Bool {
    changed { () throws(SessionError) in try session.delete(id) }
  }

  /// Makes another setup like one.
  @discardableResult
  public func copy(_ id: LocalID, named name: String = "") -> Bool {
    changed { () throws(SessionError) in try session.copySetup(id, named: name) }
  }

  /// Makes a setup the default in place of the one that was.
  @discardableResult
  public func makeDefault(_ id: LocalID) -> Bool {
    changed { () throws(SessionError) in try session.makeDefault(id) }
  }

  /// Clears the error; the last state is shown again.
  public func clearError() {
    errorText = nil
    hasFailed = false
    show()
  }

  private func changed(_ change: () throws(SessionError) -> Void) -> Bool {
    do throws(SessionError) {
      try change()
      show()
      return true
    } catch {
      errorText = "Failed to change bow setups: \(error)"
      return false
    }
  }

  private func show() {
    guard !hasFailed else { return }
    do throws(SessionError) {
      items = try session.setups(includesInactive: includesInactive)
      let isCurrent = hasLoaded && session.isOnline
      let kind = try OfflineSession.kind(BowSetup.self)
      staleSince = isCurrent ? nil : try session.lastList(kind)
    } catch {
      items = []
      guard error.code != .notSignedIn && error.code != .closed else { return }
      fail(error)
    }
  }

  private func fail(_ error: SessionError) {
    hasFailed = true
    items = []
    staleSince = nil
    errorText = "Failed to load bow setups: \(error)"
  }
}
