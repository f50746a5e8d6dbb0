import QuiverClient
import QuiverRPC
import QuiverWire
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A sign-in to a server, which also works without a connection.
///
/// Changes are committed to a local file first, and sent in order when there is a connection. A
/// change that the server refuses stays in the outbox until the user decides. Any thread may use a
/// session. Models such as ``EquipmentHubModel`` present its state.
public final class OfflineSession: Sendable {
  /// The configuration that the session was created with.
  public let configuration: Configuration
  let directory: SessionDirectory
  let transport: any SessionTransport
  let fingerprint: [UInt8]
  let signal = ChangeSignal()
  let queue = CallQueue()
  let wakeups = ChangeSignal()
  private let state: Mutex<State>
  private let syncTask = Mutex<Task<Void, Never>?>(nil)

  struct State {
    var store: LocalStore?
    var shownName = ""
    var connection = Connection.untried
    /// When the server last replied, in this process.
    var lastAnswerMilliseconds: Int64?
    var isClosed = false
    /// Whether calls with streams are used; false after one was UNIMPLEMENTED.
    var hasStreams = true
    /// The database that has what earlier ones had acknowledged (``sendAcknowledged(to:)``).
    var completed: StoreIdentity?
  }

  /// Signs in. After an earlier sign-in with the same token, it starts without a connection.
  ///
  /// Throws for an address that is not valid, and for a directory or a file that cannot be used.
  public convenience init(_ configuration: Configuration) async throws(SessionError) {
    var options = RPCClient.Configuration(
      servers: configuration.servers, token: configuration.token)
    options.allowsPlaintextToken = configuration.allowsPlaintextToken
    options.security = configuration.security
    let client: RPCClient
    do throws(RPCError) {
      client = try RPCClient(options)
    } catch {
      throw SessionError(error)
    }
    try await self.init(configuration, transport: ClientTransport(client: client))
  }

  /// A session over any transport.
  package init(
    _ configuration: Configuration, transport: any SessionTransport
  ) async throws(SessionError) {
    self.configuration = configuration
    self.transport = transport
    directory = try await SessionDirectory.open(path: configuration.directory)
    fingerprint = try await directory.fingerprint(
      server: configuration.server, token: configuration.token)
    var state = State()
    if let (identity, shownName) = try await directory.current(fingerprint) {
      let signal = signal
      state.store = try await LocalStore.open(
        identity, in: directory, limits: configuration.limits
      ) { signal.send($0) }
      state.shownName = shownName
    }
    self.state = Mutex(state)
    if configuration.syncsByItself { startSyncing() }
  }

  deinit {
    syncTask.withLock { $0 }?.cancel()
    let transport = transport
    Task { await transport.close() }
  }

  /// The identity of the data; nil until the first reply of the server.
  public var identity: StoreIdentity? { withState { $0.store?.identity } }

  /// The user's name on the server; empty until the first reply.
  public var shownName: String { withState { $0.shownName } }

  /// The state of the connection to the server.
  public var connection: Connection { withState { $0.connection } }

  /// Whether the server answered the last call.
  public var isOnline: Bool { withState { $0.connection == .online && $0.store != nil } }

  /// When the server last replied, if it does not any more; nil while it does, and if it never
  /// replied to this session.
  public var staleSince: Date? {
    withState { state in
      guard state.connection != .online else { return nil }
      return state.lastAnswerMilliseconds.map { WallClock.date($0) }
    }
  }

  /// The keys of changed data: this device's data, the outbox and the connection.
  public func changes() -> SessionChanges { signal.listen() }

  /// Runs a sync cycle now, regardless of the back-off.
  @discardableResult
  public func syncNow() async -> SyncReport {
    await queue.run { await self.syncCycle() }
  }

  /// Ends the session; pending changes stay on this device for the next one.
  ///
  /// A call in progress is cancelled: it may have had its effect, and is sent again.
  public func close() async {
    let isFirst = withState { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard isFirst else { return }
    wakeups.finish()
    let task = syncTask.withLock { $0 }
    task?.cancel()
    async let closing: Void = transport.close()
    await queue.cancelAll()
    await task?.value
    await closing
    await withState { $0.store }?.close()
    signal.finish()
  }

  /// Ends the session and deletes all its data on this device, including pending changes.
  public func discardLocalData() async throws(SessionError) {
    let identity = identity
    await close()
    if let identity { try await directory.removeStore(identity) }
  }

  func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }

  /// The open file; throws if nobody has signed in yet.
  func store() throws(SessionError) -> LocalStore {
    let (store, isClosed) = withState { ($0.store, $0.isClosed) }
    guard !isClosed else { throw SessionError(.closed, "this session has been closed") }
    guard let store else {
      throw SessionError(
        .notSignedIn, "signing in for the first time needs a connection to the server")
    }
    return store
  }

  private func startSyncing() {
    let limits = configuration.limits
    let wakeups = wakeups
    let stream = wakeups.listen()
    let sync: @Sendable () async -> SyncReport? = { [weak self] in await self?.syncNow() }
    let task = Task { await Self.syncLoop(limits, wakeups, stream, sync: sync) }
    syncTask.withLock { $0 = task }
  }
}
