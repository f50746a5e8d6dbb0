import Foundation
import QuiverDispatch
import QuiverProtobuf
import QuiverService
import QuiverStore
import QuiverWire
import Synchronization

@testable import QuiverRPC

/// A whole server over a store in a directory of its own, reached through a Unix socket.
final class TestServer: Sendable {
  let store: Store
  let assembly: ServerAssembly
  let server: Server
  let transport: DispatchTransport
  private let endpoint: Endpoint

  /// Runs `body` against a server, which is gone with its files afterwards.
  static func run(
    _ options: ServerAssembly.Options = .withDiagnostics,
    _ body: (TestServer) async throws -> Void
  ) async throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "quiver-service-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let server = try TestServer(directory.path, options)
    do {
      try await body(server)
    } catch {
      await server.end()
      throw error
    }
    await server.end()
  }

  private init(_ directory: String, _ options: ServerAssembly.Options) throws {
    store = try Store(StoreConfiguration(directory: directory))
    assembly = try ServerAssembly(store, options)
    guard let endpoint = Endpoint("unix:\(directory)/socket") else { throw Unreachable() }
    self.endpoint = endpoint
    server = try Server(
      Server.Configuration(
        router: assembly.router, authenticator: assembly.authenticator,
        identity: ServerIdentity(software: "quiver-tests", instanceID: [1])))
    transport = try DispatchTransport()
    try server.listen(on: endpoint)
  }

  private func end() async {
    await server.drain()
    store.close()
  }

  private struct Unreachable: Error {}

  /// Makes a principal with a token and connects as it.
  func client(_ kind: PrincipalRecord.Kind = .user, named name: String = "Robin") throws -> Client {
    let nobody = CommandOptions(caller: QuiverStore.Caller(principal: 0))
    let principal = try store.perform(CreatePrincipal(kind: kind, displayName: name), nobody)
    let token = try store.perform(try CreateToken(principal: principal.id, label: ""), nobody)
    return client(token: token.secret)
  }

  /// Connects without a token.
  func nobody() -> Client { client(token: "") }

  /// Connects with a token.
  func client(token: String) -> Client {
    let options = ConnectOptions(token: Array(token.utf8), software: "quiver-tests")
    return Client(end: transport.connect(to: endpoint, options))
  }

  /// The latest commit, to see that a refusal stored nothing.
  func lastSequence() throws -> Int64 {
    try store.read { (snapshot) throws(StoreError) in try snapshot.lastSequence() }
  }
}

extension ServerAssembly.Options {
  static var withDiagnostics: Self {
    var options = Self()
    options.diagnostics = true
    return options
  }
}

/// One connection to a ``TestServer``.
struct Client: Sendable {
  let end: ClientEnd

  func call<Request: Message, Response: Message>(
    _ method: Method<Request, Response>, _ request: Request, key: QuiverRPC.IdempotencyKey? = nil,
    metadata: Metadata = [:], timeoutMilliseconds: UInt64 = 20_000
  ) async throws -> Response {
    let deadline = end.reactor.nowNanoseconds + timeoutMilliseconds * 1_000_000
    let box = Running()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let call = PendingCall(
          method, request, deadlineNanoseconds: deadline, key: key, metadata: metadata,
          continuation)
        box.call.withLock { $0 = call }
        end.submit(call)
        // The task may have been cancelled before there was a call to give up.
        if Task.isCancelled { end.giveUp(call, Self.givenUp) }
      }
    } onCancel: {
      if let call = box.call.withLock({ $0 }) { end.giveUp(call, Self.givenUp) }
    }
  }

  private static let givenUp = RPCError(.cancelled, "cancelled by the test")

  /// How a call ended that is meant to fail.
  func refusal<Request: Message, Response: Message>(
    _ method: Method<Request, Response>, _ request: Request, key: QuiverRPC.IdempotencyKey? = nil,
    metadata: Metadata = [:]
  ) async throws -> RPCError? {
    do {
      _ = try await call(method, request, key: key, metadata: metadata)
      return nil
    } catch let error as RPCError {
      return error
    }
  }
}

/// The call that a task waits for.
private final class Running: Sendable {
  let call = Mutex<ClientCall?>(nil)
}

/// A call whose end resumes a task.
private final class PendingCall<Response: Message>: ClientCall, @unchecked Sendable {
  private let continuation: CheckedContinuation<Response, any Error>

  init<Request: Message>(
    _ method: Method<Request, Response>, _ request: Request, deadlineNanoseconds: UInt64,
    key: QuiverRPC.IdempotencyKey?, metadata: Metadata,
    _ continuation: CheckedContinuation<Response, any Error>
  ) {
    self.continuation = continuation
    super.init(
      method: method.info, message: request.serializedBytes(),
      deadlineNanoseconds: deadlineNanoseconds, idempotencyKey: key, attempt: 0,
      metadata: metadata)
  }

  override func succeeded(_ bytes: UnsafeRawBufferPointer, coder: MessageCoder) {
    continuation.resume(with: Result { try coder.decode(Response.self, from: bytes) })
  }

  override func failed(_ error: RPCError) {
    continuation.resume(throwing: error)
  }
}
