import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import Synchronization
import TestSupport
import Testing

@testable import torture

/// Rows 14 and 16 of the fault matrix, from the client's side.
@Suite(
  "quiverd with too many connections, and with many streams", .serialized, .timeLimit(.minutes(20)))
struct ConnectionMatrixTests {
  @Test(
    "row 14: without free descriptors new connections wait, open ones work, and accepting resumes")
  func descriptors() async throws {
    let served = try ServedProcess(
      try TemporaryDirectory(), "--handshake-timeout-milliseconds", "2000", descriptorCount: 256)
    let client = served.client
    #expect(try await client.call(Health.check, HealthCheckRequest()).status == .serving)
    // They connect and send nothing; the handshake timeout closes them.
    let storm = try Storm(400, to: served.address)
    let short = served.process.line(of: "accept-paused")
    #expect(short.contains("level=warning"))
    // libdispatch and SQLite open files at times; the process ends if they cannot.
    #expect(try served.process.descriptorCount() <= 256 - 48)
    for _ in 0..<100 {
      #expect(try await client.call(Health.check, HealthCheckRequest()).status == .serving)
    }
    // A client behind all of them is accepted, or its connection is dropped and it reconnects.
    let late = try served.client(token: served.token)
    try await late.waitForReady(timeout: .seconds(60))
    #expect(try await late.call(Equipment.listItems, ListItemsRequest()).items.isEmpty)
    let again = served.process.line(of: "accept-resumed")
    let rejectedCount = again.split(separator: "rejected=").last.flatMap { Int($0) } ?? 0
    #expect(rejectedCount > 0 && rejectedCount < 400, "\(again)")
    storm.end()
    served.process.send(SIGTERM)
    #expect(served.process.end().code == 0)
  }

  @Test(
    "row 14: a client leaves the last descriptors to its process, reports that, and connects later")
  func clientDescriptors() async throws {
    let served = try ServedProcess(try TemporaryDirectory())
    let others = try OpenFiles(leaving: 60)
    var client = try served.client(token: served.token)
    var error: RPCError?
    // A client that gets a descriptor that became free keeps it.
    var connected: [RPCClient] = []
    while error == nil, connected.count < 50 {
      others.fill()
      do throws(RPCError) {
        _ = try await client.call(Health.check, HealthCheckRequest())
        connected.append(client)
      } catch let failure {
        error = failure
      }
      if error == nil { client = try served.client(token: served.token) }
    }
    others.close()
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("Too many open files") == true)
    try await client.waitForReady(timeout: .seconds(60))
    #expect(try await client.call(Health.check, HealthCheckRequest()).status == .serving)
    for other in connected { await other.close() }
    served.process.send(SIGTERM)
    #expect(served.process.end().code == 0)
  }

  @Test("row 16: SIGTERM with 500 open streams loses no sent message; the streams resume")
  func drain() async throws {
    let server = try RestartableServer("--drain-milliseconds", "500")
    let writer = try RecordedClients(2, of: server)
    let clients = try (0..<5).map { _ in try server.client() }
    let milliseconds = Int.random(in: 0...300)
    let streams = try await withThrowingTaskGroup(of: Watched.self) { group in
      for number in 0..<500 {
        let client = clients[number % clients.count]
        group.addTask { try await Watched(from: nil).read(client) }
      }
      try await writer.waitForAcknowledged(50)
      try await Task.sleep(for: .milliseconds(milliseconds))
      server.process.send(SIGTERM)
      return try await group.reduce(into: [Watched]()) { $0.append($1) }
    }
    #expect(server.process.end().code == 0, "after \(milliseconds) ms")
    #expect(streams.count == 500)
    #expect(streams.allSatisfy { $0.end?.code == .unavailable }, "after \(milliseconds) ms")
    #expect(streams.contains { $0.position != nil })

    try server.start()
    try await writer.waitForAcknowledged(20)
    await writer.stop()
    let client = try server.client()
    let items = try await Watched.all(client)
    for stream in streams.filter({ $0.position != nil }).shuffled().prefix(20) {
      let rest = try await stream.read(client, until: items)
      #expect(rest.seen == items, "a stream from \(String(describing: stream.position))")
      #expect(rest.repeats == 0)
    }
    #expect(server.stop().code == 0)
    #expect(try writer.findings(in: server.data).isEmpty)
  }
}

/// Opens files in this process and lowers its limit, so that few further ones can be opened.
private final class OpenFiles {
  private var descriptors: [Int32] = []
  private let limit: rlimit
  private let highest: Int32
  private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

  init(leaving count: rlim_t) throws {
    var limit = rlimit()
    try #require(getrlimit(Self.resource, &limit) == 0)
    self.limit = limit
    for _ in 0..<300 { descriptors.append(open("/dev/null", O_RDONLY | O_CLOEXEC)) }
    highest = try #require(descriptors.max())
    limit.rlim_cur = rlim_t(highest) + count + 1
    try #require(setrlimit(Self.resource, &limit) == 0)
    fill()
  }

  /// Takes the free descriptors below the highest, so that only those above it remain.
  func fill() {
    while true {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0, descriptor < highest else {
        if descriptor >= 0 { Glibc.close(descriptor) }
        return
      }
      descriptors.append(descriptor)
    }
  }

  func close() {
    var limit = limit
    setrlimit(Self.resource, &limit)
    for descriptor in descriptors { Glibc.close(descriptor) }
  }
}

/// Connections that send nothing.
private struct Storm {
  private let descriptors: [Int32]

  init(_ count: Int, to address: String) throws {
    let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
    var peer = sockaddr_in()
    peer.sin_family = sa_family_t(AF_INET)
    peer.sin_port = port.bigEndian
    peer.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var made: [Int32] = []
    for _ in 0..<count {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      let isConnected = withUnsafePointer(to: &peer) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      try #require(isConnected)
      made.append(descriptor)
    }
    descriptors = made
  }

  func end() { for descriptor in descriptors { close(descriptor) } }
}

/// A watch of the items until its connection ended.
private struct Watched: Sendable {
  /// The last received model of each item.
  var seen: [Int64: String] = [:]
  /// The number of changes that were received twice.
  var repeats = 0
  var position: WatchPosition?
  var end: RPCError?

  init(from position: WatchPosition?) { self.position = position }

  /// Resumes reading until the stream ends or `wanted` was received.
  func read(_ client: RPCClient, until wanted: [Int64: String]? = nil) async throws -> Watched {
    var next = self
    next.end = nil
    var last = position?.sequence ?? 0
    let stream = try client.stream(
      Equipment.watchItems, WatchItemsRequest(), options: CallOptions(after: position))
    do throws(RPCError) {
      var messages = stream.makeAsyncIterator()
      while next.seen != wanted, let message = try await messages.next() {
        for item in message.changed { next.seen[item.id] = item.displayModel }
        guard let span = message.span, !span.isIncomplete else { continue }
        if !span.isSnapshot, span.after < last { next.repeats += 1 }
        last = span.upto
        next.position = WatchPosition(sequence: span.upto, storeEpoch: span.storeEpoch)
      }
    } catch {
      next.end = error
    }
    return next
  }

  /// All items, from the list.
  static func all(_ client: RPCClient) async throws -> [Int64: String] {
    var found: [Int64: String] = [:]
    var request = ListItemsRequest()
    repeat {
      let page = try await client.call(Equipment.listItems, request)
      for item in page.items { found[item.id] = item.displayModel }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return found
  }
}
