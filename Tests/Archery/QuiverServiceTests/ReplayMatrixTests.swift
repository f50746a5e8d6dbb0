import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverStore
import QuiverWire
import Synchronization
import TestSupport
import Testing

/// Rows 15 and 18 of the fault matrix, over RPC.
@Suite("Calls with jumping clocks and in any order", .timeLimit(.minutes(5)))
struct ReplayMatrixTests {
  @Test("row 15: a clock that jumps changes no deadline, loses no key and stores no earlier time")
  func jumpingClock() async throws {
    let box = Box(1_800_000_000_000)
    let clock = StoreClock(
      monotonicNanoseconds: StoreClock.system.monotonicNanoseconds,
      wallMilliseconds: { box.value })
    try await TestServer.run(opening: .init(clock: clock)) { server in
      let robin = try server.client(named: "Robin")
      let key = IdempotencyKey.random()
      let first = try await robin.call(Equipment.risers.create, .of(.hoyt), key: key)
      var last = first
      let day: Int64 = 86_400_000
      for jump in [1, -1, 4_000 * day, -3_999 * day, 2 * day, -30 * 365 * day] {
        var request = DelayRequest()
        request.delayMilliseconds = 30
        let wanted = request
        // Its deadline is 20 s away; the clock jumps while it waits.
        let waiting = Task.immediate { try await robin.call(Diagnostics.delay, wanted) }
        box.add(jump)
        #expect(try await waiting.value.timeLeftMilliseconds != nil)
        for _ in 0..<150 {
          let made = try await robin.call(Equipment.risers.create, .of(.hoyt))
          #expect(made.createdAtMilliseconds >= last.createdAtMilliseconds)
          last = made
        }
        #expect(try await robin.call(Equipment.risers.create, .of(.hoyt), key: key) == first)
      }
      #expect(try server.store.verify().isEmpty)
    }
  }

  @Test(
    "row 18: the same operations in any order, each sent at least once, give the same state",
    arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func permutedReplays(seed: UInt64) async throws {
    let plain = try await Self.play(Outbox.all, seed: 0)
    let permuted = try await Self.play(Outbox.all, seed: seed)
    #expect(plain == permuted, "seed \(seed)")
    #expect(plain.count == Outbox.itemCount)
  }

  /// Sends what the devices did while they were off line; answers the state that it came to.
  ///
  /// The order of one device stays, as its outbox keeps it; whose turn it is, how often a call is
  /// sent and over which connection, is the seed's.
  private static func play(_ outboxes: [[Replayed]], seed: UInt64) async throws -> [String] {
    let state = Mutex<[String]>([])
    try await TestServer.run { server in
      var random = SeededGenerator(seed: seed)
      let robin = try server.principal(named: "Robin")
      let clients = try (0..<3).map { _ in try server.client(of: robin.id, [.read, .write]) }
      var left = outboxes.map { $0[...] }
      var sent: [Replayed] = []
      while let turn = left.indices.filter({ !left[$0].isEmpty }).randomElement(using: &random) {
        guard let operation = left[turn].popFirst() else { break }
        let client = clients[Int.random(in: 0..<3, using: &random)]
        guard try await operation.send(by: client) else {
          // What it changes is not there yet: later.
          left[turn].insert(operation, at: left[turn].startIndex)
          continue
        }
        sent.append(operation)
        guard seed > 0 else { continue }
        // The answer was lost, again and again; and old ones come late.
        for _ in 0..<Int.random(in: 0..<3, using: &random) {
          let late = sent[Int.random(in: 0..<sent.count, using: &random)]
          let isAnswered = try await late.send(by: clients[Int.random(in: 0..<3, using: &random)])
          #expect(isAnswered)
        }
      }
      let owner = try server.client(of: robin.id, [.read, .write])
      var request = ListItemsRequest()
      request.pageSize = 500
      request.includeArchived = true
      let items = try await owner.call(Equipment.listItems, request).items
      let hub = try await owner.call(Equipment.getHub, GetHubRequest())
      #expect(Int(hub.total) + Int(hub.archivedTotal) == items.count)
      #expect(try server.store.verify().isEmpty)
      let lines = items.map { item in
        "\(item.clientID) \(item.displayModel) \(item.archived) \(item.revision)"
      }
      state.withLock { $0 = lines.sorted() }
    }
    return state.withLock { $0 }
  }
}

/// One change of a device, under the key that it keeps.
private struct Replayed: Sendable {
  enum Change: Sendable {
    case create
    case rename
    case archive
  }

  let item: UInt8
  let change: Change
  let key: IdempotencyKey

  private var clientID: [UInt8] {
    [1, 2, 3, 4, 5, item, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, item]
  }

  /// Whether it had its effect, now or before; false where its item is not as it needs it yet.
  func send(by client: Client) async throws -> Bool {
    var riser = Riser()
    riser.clientID = clientID
    riser.brand = "Hoyt"
    riser.model = change == .create ? "first \(item)" : "second \(item)"
    do throws(RPCError) {
      switch change {
      case .create:
        var request = CreateItemRequest<Riser>()
        request.item = riser
        _ = try await client.call(Equipment.risers.create, request, key: key)
      case .rename:
        riser.revision = 1
        var request = UpdateItemRequest<Riser>()
        request.item = riser
        request.updateMask = ["model"]
        _ = try await client.call(Equipment.risers.update, request, key: key)
      case .archive:
        var request = ArchiveItemRequest<Riser>()
        request.clientID = clientID
        request.revision = 2
        _ = try await client.call(Equipment.risers.archive, request, key: key)
      }
      return true
    } catch {
      guard error.code == .notFound || error.code == .aborted else { throw error }
      return false
    }
  }
}

/// What three devices did off line: each made items, and changed those of the one before.
private enum Outbox {
  static let itemCount = 24

  static let all: [[Replayed]] = {
    let items = (0..<UInt8(itemCount)).map { $0 }
    func of(_ items: [UInt8], _ change: Replayed.Change) -> [Replayed] {
      items.map { Replayed(item: $0, change: change, key: .random()) }
    }
    return [
      of(items, .create), of(items.filter { $0 % 2 == 0 }, .rename),
      of(items.filter { $0 % 4 == 0 }, .archive),
    ]
  }()
}

private final class Box: Sendable {
  private let stored: Mutex<Int64>

  init(_ value: Int64) { stored = Mutex(value) }

  var value: Int64 { stored.withLock { $0 } }

  func add(_ value: Int64) { stored.withLock { $0 += value } }
}
