import ChildProcesses
import Foundation
import Glibc
import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import TestSupport
import Testing

@Suite("Memory of quiverd with replies that nobody reads", .timeLimit(.minutes(10)))
struct UnreadStreamTests {
  private static let processBytes = 64 << 20
  private static let slack = 64 << 20
  private static let caches = 48 << 20

  /// What the attacker requests 400 times and does not read.
  enum Request: String, CaseIterable {
    case watches, exports, source

    var frame: (_ stream: UInt32) -> [UInt8] {
      switch self {
      case .watches:
        { RawCaller.request($0, Logbook.watchWeights.id, WatchWeightsRequest()) }
      case .exports:
        { RawCaller.request($0, Account.exportMyData.id, ExportMyDataRequest()) }
      case .source:
        { RawCaller.request($0, Diagnostics.source.id, SourceRequest.of(size: 1 << 20)) }
      }
    }
  }

  @Test(
    "row 29: 400 unread calls and 3 MB of notes stay within process-bytes and 64 MiB",
    arguments: Request.allCases)
  func unread(_ request: Request) async throws {
    let served = try ServedProcess(
      try TemporaryDirectory(), "--diagnostics", "--process-bytes", "\(Self.processBytes)")
    // The first half is there when the streams begin, the second comes while they are open.
    try await addNotes(from: 0, served.client)
    let other = try await otherCaller(served)
    let before = try residentBytes(served)
    var callers: [RawCaller] = []
    for _ in 0..<4 {
      let caller = try RawCaller(served.address, token: served.token)
      for number in 0..<100 as Range<UInt32> { try caller.write(request.frame(number * 2 + 1)) }
      callers.append(caller)
    }
    // Unread replies take the share of their principal, whose other calls may then be refused.
    if request != .source {
      do throws(RPCError) {
        try await addNotes(from: 400, served.client)
      } catch {
        #expect(error.code == .resourceExhausted)
      }
    }
    // Those of another are not.
    try await addNotes(from: 400, other, count: 40)
    await other.close()
    var peak = 0
    for _ in 0..<40 {
      peak = max(peak, try residentBytes(served))
      _ = try await served.client.call(Health.check, HealthCheckRequest())
      try await Task.sleep(for: .milliseconds(50))
    }
    print("\(request): \(before >> 20) MiB before, \(peak >> 20) MiB at most")
    #expect(peak < Self.processBytes + Self.slack)
    for caller in callers { caller.close() }
    // SQLite's page caches fill meanwhile and stay: 32 MiB of the writer, 8 MiB of each reader. The
    // limit of the suite ends the test if other memory does not come back.
    while try residentBytes(served) > before + Self.caches {
      try await Task.sleep(for: .milliseconds(100))
    }
    print("\(request): \(try residentBytes(served) >> 20) MiB afterwards")
    served.process.send(SIGTERM)
    #expect(served.process.end().code == 0)
  }

  /// Stores weight entries with notes of 4,000 characters: 1.6 MB in 400 of them.
  private func addNotes(
    from first: Int, _ client: RPCClient, count: Int = 400
  ) async throws(RPCError) {
    let note = String(repeating: "n", count: 4_000)
    let failure = await withTaskGroup { group -> RPCError? in
      for number in first..<first + count {
        group.addTask { () async -> RPCError? in
          do throws(RPCError) {
            try await Self.addNote(note, number, client)
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.reduce(nil) { $0 ?? $1 }
    }
    if let failure { throw failure }
  }

  private static func addNote(
    _ note: String, _ number: Int, _ client: RPCClient
  ) async throws(RPCError) {
    _ = try await client.call(
      Logbook.createWeightEntry,
      .with {
        $0.timeZone = "Europe/Berlin"
        $0.weightEntry = .with {
          $0.thousandths = 80_000
          $0.unit = .kilogram
          $0.measuredAtMilliseconds = 1_700_000_000_000 + Int64(number) * 60_000
          $0.note = note
        }
      }, options: CallOptions(timeout: .seconds(60)))
  }

  /// A client of another principal.
  private func otherCaller(_ served: ServedProcess) async throws -> RPCClient {
    var creation = CreatePrincipalRequest()
    creation.kind = .user
    creation.displayName = "Robin"
    let robin = try await served.client.call(Admin.createPrincipal, creation)
    var wish = CreateTokenRequest()
    wish.principalID = robin.id
    let made = try await served.client.call(Admin.createToken, wish)
    return try served.client(token: made.secret)
  }

  private func residentBytes(_ served: ServedProcess) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(served.process.id)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    let words = line.split(separator: " ")
    return try #require(words.dropFirst().first.flatMap { Int($0.trimmed) }) * 1_024
  }
}

extension Substring {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

extension SourceRequest {
  fileprivate static func of(size: UInt32) -> Self {
    .with {
      $0.size = size
      $0.count = 1_000_000
    }
  }
}

/// A client with a window of 4,096 bytes that reads nothing.
private final class RawCaller {
  private let descriptor: Int32

  init(_ address: String, token: String) throws {
    let parts = address.split(separator: ":")
    let port = try #require(parts.last.flatMap { UInt16($0) })
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
    var hello = Hello()
    hello.versionMin = 1
    hello.versionMax = 1
    hello.authToken = Array(token.utf8)
    hello.initialStreamCredit = 4_096
    try write(Preface.bytes + Self.frame(.hello, [], 0, hello.serializedBytes()))
  }

  func write(_ bytes: [UInt8]) throws {
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, 0x4000)
      }
      try #require(count > 0)
      offset += count
    }
  }

  func close() { _ = Glibc.close(descriptor) }

  static func request(_ stream: UInt32, _ method: UInt32, _ message: some Message) -> [UInt8] {
    var head = RequestHeadMessage()
    head.methodID = method
    let bytes = head.serializedBytes()
    return frame(
      .request, .end, stream, [UInt8(bytes.count)] + bytes + message.serializedBytes())
  }

  private static func frame(
    _ type: FrameType, _ flags: FrameFlags, _ stream: UInt32, _ payload: [UInt8]
  ) -> [UInt8] {
    let bits =
      UInt64(payload.count) << 40 | UInt64(type.rawValue) << 36 | UInt64(flags.rawValue) << 32
      | UInt64(stream)
    return withUnsafeBytes(of: bits.bigEndian) { Array($0) } + payload
  }
}
