import ChildProcesses
import Foundation
import QuiverAPI
import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverWire
import TestSupport
import Testing

@Suite("quiverd with clients", .timeLimit(.minutes(20)))
struct ServedTests {
  @Test("Acknowledged changes are there after a restart", arguments: [SIGTERM, SIGKILL])
  func restart(signal: Int32) async throws {
    let directory = try TemporaryDirectory()
    let first = try ServedProcess(directory)
    var request = CreateItemRequest<Riser>()
    request.item = Riser()
    request.item?.brand = "Hoyt"
    request.item?.model = "Formula Xi"
    let made = try await first.client.call(Equipment.risers.create, request)
    first.process.send(signal)
    #expect(first.process.end().code == (signal == SIGTERM ? 0 : -1))

    let second = try ServedProcess(directory)
    var read = GetItemRequest<Riser>()
    read.id = made.id
    #expect(try await second.client.call(Equipment.risers.get, read) == made)
    let list = try await second.client.call(Equipment.listItems, ListItemsRequest())
    #expect(list.items.map(\.id) == [made.id])
    second.process.send(SIGTERM)
    #expect(second.process.end().code == 0)
  }

  @Test("A drain finishes an open call")
  func drain() async throws {
    let served = try ServedProcess(try TemporaryDirectory(), "--diagnostics")
    _ = try await served.client.call(Diagnostics.echo, EchoMessage())
    var request = DelayRequest()
    request.delayMilliseconds = 300
    let waiting = try await Self.handled(request, by: served.client)
    served.process.send(SIGTERM)
    #expect(try await waiting.value.timeLeftMilliseconds != nil)
    #expect(served.process.end().code == 0)
  }

  @Test("A second signal ends the process at once")
  func secondSignal() async throws {
    let served = try ServedProcess(try TemporaryDirectory(), "--diagnostics")
    var request = DelayRequest()
    request.delayMilliseconds = 600_000
    let waiting = try await Self.handled(request, by: served.client)
    served.process.send(SIGTERM)
    _ = served.process.line(of: "draining")
    served.process.send(SIGINT)
    #expect(served.process.end().code == 1)
    await #expect(throws: RPCError.self) { try await waiting.value }
  }

  @Test(
    "L06: a call to a server that is killed or stopped fails as perhaps processed",
    arguments: [SIGKILL, SIGSTOP])
  func silence(signal: Int32) async throws {
    let served = try ServedProcess(try TemporaryDirectory(), "--diagnostics")
    defer { served.process.send(SIGKILL) }
    var limits = Limits()
    limits.clientKeepaliveMilliseconds = 1_000
    limits.keepaliveTimeoutMilliseconds = 2_000
    var configuration = RPCClient.Configuration(token: served.token)
    configuration.limits.maxAttempts = 1
    configuration.defaultTimeout = nil
    let client = RPCClient(
      configuration, transport: try DispatchTransport(limits: limits),
      endpoint: try #require(Endpoint(served.address)))
    var request = DelayRequest()
    request.delayMilliseconds = 600_000
    let waiting = try await Self.handled(request, by: client)
    served.process.send(signal)
    let error = await #expect(throws: RPCError.self) { try await waiting.value }
    #expect(error?.code == .unavailable && error?.origin == .connection)
    #expect(error?.isNotProcessed == false)
  }

  @Test("Revoking a token ends its connections and their calls")
  func revocation() async throws {
    let served = try ServedProcess(try TemporaryDirectory(), "--diagnostics")
    var creation = CreatePrincipalRequest()
    creation.kind = .user
    creation.displayName = "Robin"
    let robin = try await served.client.call(Admin.createPrincipal, creation)
    var wish = CreateTokenRequest()
    wish.principalID = robin.id
    let made = try await served.client.call(Admin.createToken, wish)
    let user = try served.client(token: made.secret)
    var request = DelayRequest()
    request.delayMilliseconds = 600_000
    let waiting = try await Self.handled(request, by: user)
    var revocation = RevokeTokenRequest()
    revocation.id = try #require(made.token).id
    _ = try await served.client.call(Admin.revokeToken, revocation)
    let error = await #expect(throws: RPCError.self) { try await waiting.value }
    #expect(error?.code == .unauthenticated)
    _ = try await served.client.call(Admin.listTokens, ListTokensRequest())
    served.process.send(SIGTERM)
    #expect(served.process.end().code == 0)
  }

  @Test("A store that cannot sync acknowledges nothing, and the process exits with its code")
  func failedSync() async throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"),
      "strace is missing; tools/test installs it")
    let directory = try TemporaryDirectory()
    let served = try ServedProcess(directory)
    _ = try await served.client.call(Equipment.listItems, ListItemsRequest())
    let tracer = ChildProcess()
    tracer.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
    tracer.arguments = [
      "-f", "-o", directory.path + "/trace", "-p", "\(served.process.id)",
      "-e", "trace=fdatasync", "-e", "inject=fdatasync:error=EIO",
    ]
    let said = Pipe()
    tracer.standardError = said
    try tracer.run()
    let attached = String(decoding: said.fileHandleForReading.availableData, as: UTF8.self)
    try #require(attached.contains("attached"))
    var request = CreateItemRequest<Riser>()
    request.item = Riser()
    request.item?.brand = "Hoyt"
    request.item?.model = "Formula Xi"
    let lost = request
    await #expect(throws: RPCError.self) {
      try await served.client.call(Equipment.risers.create, lost)
    }
    let ending = served.process.end()
    tracer.waitUntilExit()
    #expect(ending.code == 74)
    #expect(ending.log.contains("event=store-failed"))

    let next = try ServedProcess(directory)
    _ = try await next.client.call(Equipment.risers.create, request)
    next.process.send(SIGTERM)
    #expect(next.process.end().code == 0)
  }

  /// Starts a delay and returns when its handler has started.
  private static func handled(
    _ request: DelayRequest, by client: RPCClient
  ) async throws -> Task<DelayResponse, any Error> {
    // It runs up to its call's submission before this returns, and calls start in order.
    let task = Task.immediate { try await client.call(Diagnostics.delay, request) }
    _ = try await client.call(Diagnostics.echo, EchoMessage())
    return task
  }
}

/// A served data directory with a client of its administrator.
struct ServedProcess {
  let process: ServerProcess
  let client: RPCClient
  let address: String
  let token: String
  private let directory: TemporaryDirectory

  init(_ directory: TemporaryDirectory, _ flags: String..., descriptorCount: Int? = nil) throws {
    try self.init(directory, flags: flags, descriptorCount: descriptorCount)
  }

  init(_ directory: TemporaryDirectory, flags: [String], descriptorCount: Int? = nil) throws {
    self.directory = directory
    process = try ServerProcess(
      ["--data", directory.path, "--listen", "127.0.0.1:0"] + flags,
      descriptorCount: descriptorCount)
    let line = process.line(of: "listening")
    address = line.split(separator: "address=").last.map(String.init) ?? ""
    token = try String(contentsOfFile: directory.path + "/admin.token", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    client = try Self.client(address, token)
  }

  func client(token: String) throws -> RPCClient { try Self.client(address, token) }

  private static func client(_ address: String, _ token: String) throws -> RPCClient {
    try RPCClient(RPCClient.Configuration(server: address, token: token))
  }
}
