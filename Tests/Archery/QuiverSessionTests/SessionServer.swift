import Foundation
import QuiverAPI
import QuiverClient
import QuiverDispatch
import QuiverProtobuf
import QuiverRPC
import QuiverSQLite
import QuiverService
import QuiverStore
import QuiverTLS
import QuiverWire
import Synchronization
import TestServers
import TestSupport

@testable import QuiverSession

/// A whole server at a port of its own that can go away and come back, and a place for devices.
final class SessionServer: Sendable {
  let directory: String
  private let security: TLSServer?
  private let state: Mutex<State>

  private struct State {
    var address: String
    var server: ArcheryServer?
    /// Servers are kept: their queues may outlive a test's last look at them.
    var former: [ArcheryServer] = []
  }

  /// Runs `body` with a server that is there; everything is gone with its files afterwards.
  static func run(
    security: TLSServer? = nil, _ body: (SessionServer) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    let server = SessionServer(directory.path, security)
    do {
      try await server.start()
      try await body(server)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private init(_ directory: String, _ security: TLSServer?) {
    self.directory = directory
    self.security = security
    state = Mutex(State(address: (security == nil ? "" : "tls://") + "127.0.0.1:0"))
  }

  var address: String { state.withLock { $0.address } }
  var store: Store { state.withLock { $0.server }!.store }

  /// Where the server keeps its files.
  var files: String { "\(directory)/server" }

  /// Serves, again at the same address where it did before.
  func start() async throws {
    var choices = ArcheryServer.Choices(directory: files)
    choices.options.diagnostics = false
    choices.address = address
    choices.configure = { configuration in
      configuration.shardCount = 1
      configuration.security = self.security
    }
    let server = try ArcheryServer(choices)
    state.withLock { state in
      state.address = server.address
      state.server = server
    }
  }

  /// Ends every connection and the server.
  func stop() async {
    let server = state.withLock { state in
      defer {
        if let server = state.server { state.former.append(server) }
        state.server = nil
      }
      return state.server
    }
    await server?.end()
  }

  /// The token of a new principal.
  func token() throws -> String { try state.withLock { $0.server }!.token() }

  func client(_ token: String) throws -> RPCClient {
    try RPCClient(RPCClient.Configuration(server: address, token: token))
  }

  /// A session on a device, which sends when it is told to.
  func session(
    _ token: String, on device: String = "phone", transport: FaultyTransport? = nil,
    _ change: (inout OfflineSession.Configuration) -> Void = { _ in }
  ) async throws -> OfflineSession {
    var configuration = OfflineSession.Configuration(
      server: address, token: token, directory: "\(directory)/\(device)")
    configuration.syncsByItself = false
    change(&configuration)
    let transport = try transport ?? FaultyTransport(client(token))
    return try await OfflineSession(configuration, transport: transport)
  }
}

/// The way to the server, which can be cut, and which can lose an answer after the server has
/// committed.
final class FaultyTransport: SessionTransport {
  private let inner: ClientTransport
  private let state = Mutex(State())

  private struct State {
    var isCut = false
    var lostAnswers = 0
    var failure: RPCError?
    var refusal: RPCError?
    var sent: [String] = []
    var keys: Set<[UInt8]> = []
    var streams: [any SessionStream] = []
    var hasStreams = true
    var positions: [WatchPosition?] = []
    var received: Set<String> = []
    var cancelled: [String] = []
    var gate: (name: String, gate: Gate)?
  }

  static let lost = RPCError(
    .unavailable, "the transport to the server is cut", origin: .connection)

  init(_ client: RPCClient) { inner = ClientTransport(client: client) }

  /// The mutating methods that reached the server, in order.
  var sent: [String] { state.withLock { $0.sent } }

  /// Where each call with streams was to go on; nil: from the start.
  var positions: [WatchPosition?] { state.withLock { $0.positions } }

  /// The methods whose calls with streams have had a message.
  var received: Set<String> { state.withLock { $0.received } }

  /// The methods of the calls with streams that the session has given up, in order.
  var cancelled: [String] { state.withLock { $0.cancelled } }

  /// The idempotency keys under which they did.
  var keys: Set<[UInt8]> { state.withLock { $0.keys } }

  /// Refuses every call, and ends the calls that are open.
  func disconnect() { setConnected(false) }

  /// Lets calls through again.
  func reconnect() { setConnected(true) }

  /// Lets calls through, or refuses them and ends those that are open.
  func setConnected(_ isConnected: Bool) {
    state.withLock { $0.isCut = !isConnected }
    if !isConnected { breakStreams() }
  }

  /// Breaks all calls off that are open with streams, and lets new ones through.
  func breakStreams() {
    let streams = state.withLock { state in
      defer { state.streams = [] }
      return state.streams
    }
    for stream in streams { stream.cancel(Self.lost) }
  }

  /// Answers calls with streams UNIMPLEMENTED, as a way that carries none does.
  func carriesNoStreams() { state.withLock { $0.hasStreams = false } }

  /// Every call ends with this.
  func fail(with error: RPCError) { state.withLock { $0.failure = error } }

  /// The next change ends with this, and never reaches the server.
  func refuseNext(_ error: RPCError) { state.withLock { $0.refusal = error } }

  /// The next so many changes have their effect, and their answers never come.
  func loseAnswers(_ count: Int) { state.withLock { $0.lostAnswers = count } }

  /// The next call of that method waits at the gate until that is opened.
  func hold(_ name: String) -> Gate {
    let gate = Gate()
    state.withLock { $0.gate = (name, gate) }
    return gate
  }

  func call(
    _ method: MethodInfo, _ request: [UInt8], key: IdempotencyKey?, storeEpoch: UInt64,
    timeout: Duration
  ) async throws(RPCError) -> [UInt8] {
    let gate = state.withLock { state in
      state.gate?.name == method.schema.name ? state.gate.take()?.gate : nil
    }
    await gate?.pass()
    try check()
    if method.isMutating, let refusal = state.withLock({ $0.refusal.take() }) { throw refusal }
    if method.isMutating {
      state.withLock { state in
        state.sent.append(method.schema.name)
        state.keys.insert(key?.bytes ?? [])
      }
    }
    let answer = try await inner.call(
      method, request, key: key, storeEpoch: storeEpoch, timeout: timeout)
    guard !method.isMutating || !losesAnswer() else { throw Self.lost }
    return answer
  }

  func stream(
    _ method: MethodInfo, _ request: [UInt8], after position: WatchPosition?
  ) throws(RPCError) -> any SessionStream {
    try check()
    guard state.withLock({ $0.hasStreams }) else {
      throw RPCError(.unimplemented, "no streams here", origin: .server)
    }
    let stream = try inner.stream(method, request, after: position)
    state.withLock { state in
      state.streams.append(stream)
      state.positions.append(position)
    }
    return FaultyStream(transport: self, name: method.schema.name, stream: stream)
  }

  fileprivate func willSend(_ name: String) throws(RPCError) {
    try check()
    if let refusal = state.withLock({ $0.refusal.take() }) { throw refusal }
    state.withLock { $0.sent.append(name) }
  }

  fileprivate func didReceive(_ name: String) {
    state.withLock { _ = $0.received.insert(name) }
  }

  fileprivate func didCancel(_ name: String) { state.withLock { $0.cancelled.append(name) } }

  fileprivate func losesAnswer() -> Bool {
    state.withLock { state in
      guard state.lostAnswers > 0 else { return false }
      state.lostAnswers -= 1
      return true
    }
  }

  private func check() throws(RPCError) {
    guard !state.withLock({ $0.isCut }) else {
      var error = Self.lost
      error.isNotProcessed = true
      throw error
    }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  func close() async { await inner.close() }
}

/// Where one call waits on its way.
final class Gate: Sendable {
  private let arrivals = AsyncStream<Void>.makeStream()
  private let openings = AsyncStream<Void>.makeStream()

  /// Returns once the call is there.
  func arrival() async { for await _ in arrivals.stream { return } }

  /// Lets the call go on.
  func open() { openings.continuation.finish() }

  fileprivate func pass() async {
    arrivals.continuation.yield()
    for await _ in openings.stream { return }
  }
}

/// A call with streams over such a way; what is sent over one counts as changes.
private struct FaultyStream: SessionStream {
  let transport: FaultyTransport
  let name: String
  let stream: any SessionStream

  func send(_ message: [UInt8]) async throws(RPCError) {
    try transport.willSend(name)
    try await stream.send(message)
  }

  func next() async throws(RPCError) -> [UInt8]? {
    let message = try await stream.next()
    transport.didReceive(name)
    if name == "SyncOperations", transport.losesAnswer() { throw FaultyTransport.lost }
    return message
  }

  func finishRequest() { stream.finishRequest() }

  func cancel(_ error: RPCError) {
    transport.didCancel(name)
    stream.cancel(error)
  }
}

extension Riser {
  init(_ brand: String, _ model: String) {
    self.init()
    self.brand = brand
    self.model = model
  }
}

extension RPCClient {
  /// Every item that the server has of the caller's, archived ones included.
  func everything() async throws -> [EquipmentItem] {
    var request = ListItemsRequest()
    request.pageSize = 500
    request.includeArchived = true
    var items: [EquipmentItem] = []
    repeat {
      let page = try await call(Equipment.listItems, request)
      items += page.items
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return items
  }

  func riser(_ id: Int64) async throws -> Riser {
    var request = GetItemRequest<Riser>()
    request.id = id
    return try await call(Equipment.risers.get, request)
  }

  /// Changes the notes of a riser, as another device would.
  @discardableResult
  func note(_ id: Int64, _ notes: String) async throws -> Riser {
    var request = UpdateItemRequest<Riser>()
    request.item = try await riser(id)
    request.item?.notes = notes
    request.updateMask = ["notes"]
    return try await call(Equipment.risers.update, request)
  }
}

extension OfflineSession {
  /// Changes a riser as it is here.
  func change(_ id: LocalID, _ body: (inout Riser) -> Void) async throws {
    guard var riser = try await item(Riser.self, id) else {
      throw SessionError(.notFound, "no riser here")
    }
    body(&riser)
    try await update(id, to: riser)
  }

  /// The hub as it is here.
  func hub() async throws -> GetHubResponse? {
    try await store().read { (transaction) throws(SessionError) in try transaction.hub() }?.hub
  }

  func serverID(_ id: LocalID) async throws -> Int64 {
    try await items(of: .riser, includesArchived: true).first { $0.id == id }?.serverID ?? 0
  }

  /// Loads the risers as a list would.
  func loadRisers() async throws {
    let kind = try OfflineSession.kind(Riser.self)
    let error = await load { (store) throws(SessionError) in
      try await self.fetchList(kind, store)
    }
    if let error { throw error }
  }
}

extension SessionServer {
  /// Gives the stopped server another epoch, as restoring a backup does.
  func changeEpoch() throws {
    try onFiles("UPDATE meta SET value = value + 1 WHERE name = 'store_epoch'")
  }

  /// Begins a new epoch as `quiverd epoch new` does, dated by another clock than the device's.
  func beginEpoch(secondsAgo: Int64) async throws {
    await stop()
    _ = try StoreEpochs.beginNew(dataDirectory: files, database: nil)
    let began = WallClock.nowMilliseconds() - 1_000 * secondsAgo
    try onFiles("UPDATE meta SET value = \(began) WHERE name = 'epoch_began'")
    try await start()
  }

  /// Makes the server forget every idempotency key, as a day does.
  func forgetKeys() async throws {
    await stop()
    try onFiles("DELETE FROM idempotency_key")
    try await start()
  }

  /// Copies a device's directory as the disk holds it now.
  func copyDevice(_ from: String, to copy: String) throws {
    try FileManager.default.copyItem(
      atPath: "\(directory)/\(from)", toPath: "\(directory)/\(copy)")
  }

  private func onFiles(_ sql: String) throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: files)
    guard let name = files.first(where: { $0.hasSuffix(".db") }) else { return }
    let connection = try Connection(path: "\(self.files)/\(name)", mode: .readWrite)
    try connection.execute(sql)
    _ = try connection.checkpoint(.truncate)
  }
}

/// The description of the error that `body` throws; nil where it throws none.
@MainActor
func failure(_ body: @MainActor () async throws -> Void) async -> String? {
  do {
    try await body()
    return nil
  } catch {
    return "\(error)"
  }
}

/// Whether `body` throws an error whose description contains `text`.
@MainActor
func fails(saying text: String, _ body: @MainActor () async throws -> Void) async -> Bool {
  await failure(body)?.contains(text) ?? false
}
