import ProtobufFixtures
import QuiverAPI
import QuiverClient
import QuiverRPC
import TestSupport
import Testing

@testable import QuiverSession

@Suite("Random edits on two devices", .timeLimit(.minutes(5)))
struct RandomEditsTests {
  @Test(
    "Random edits end on the server as in a model, whatever is lost",
    arguments: TestSeed.seeds(4))
  func random(_ seed: UInt64) async throws {
    try await SessionServer.run { server in
      let token = try server.token()
      var generator = SeededGenerator(seed: seed)
      var devices: [Device] = []
      for name in ["phone", "tablet"] {
        let device = Device(name, server, token)
        try await device.open()
        devices.append(device)
      }
      for _ in 0..<120 {
        let device = devices[Int.random(in: 0..<2, using: &generator)]
        try await device.step(using: &generator)
      }
      for device in devices {
        device.transport?.reconnect()
        device.transport?.loseAnswers(0)
        let report = try #require(await device.session?.syncNow())
        #expect(report.error == nil, "seed \(seed)")
      }
      let client = try server.client(token)
      var found: [String: Expected] = [:]
      for item in try await client.everything() {
        let riser = try await client.riser(item.id)
        #expect(found[riser.model] == nil, "seed \(seed): \(riser.model) is there twice")
        found[riser.model] = Expected(notes: riser.notes, isArchived: riser.archived)
      }
      let wanted = devices[0].items.merging(devices[1].items) { one, _ in one }
      #expect(found == wanted, "seed \(seed)")
      let hub = try await client.call(Equipment.getHub, GetHubRequest())
      for device in devices {
        try await device.session?.loadRisers()
        await device.session?.close()
        try await device.reopen()
        _ = await device.session?.load { (store) throws(SessionError) in
          try await device.session?.fetchHub(store)
        }
        #expect(try await device.session?.hub() == hub, "seed \(seed)")
        #expect(try await device.session?.outbox().isEmpty == true, "seed \(seed)")
        await device.session?.close()
      }
    }
  }
}

/// What a riser is meant to be at the server in the end.
private struct Expected: Equatable {
  var notes = ""
  var isArchived = false
}

/// A device with what its owner has done to the risers that it made; only those, so that no two
/// devices are in conflict.
private final class Device: @unchecked Sendable {
  // Sendable because one test drives it step by step.
  let name: String
  let server: SessionServer
  let token: String
  var session: OfflineSession?
  var transport: FaultyTransport?
  var items: [String: Expected] = [:]
  private var ids: [String: LocalID] = [:]
  private var counter = 0

  init(_ name: String, _ server: SessionServer, _ token: String) {
    self.name = name
    self.server = server
    self.token = token
  }

  /// Opens the device and signs in for the first time.
  func open() async throws {
    try await reopen()
    #expect(await session?.syncNow().error == nil)
  }

  func reopen() async throws {
    let transport = FaultyTransport(try server.client(token))
    self.transport = transport
    session = try await server.session(token, on: name, transport: transport)
  }

  func step(using generator: inout SeededGenerator) async throws {
    guard let session, let transport else { return }
    let known = ids.keys.sorted().randomElement(using: &generator)
    switch Int.random(in: 0..<14, using: &generator) {
    case 0...3:
      counter += 1
      let model = "\(name)-\(counter)"
      ids[model] = try await session.create(Riser("Hoyt", model))
      items[model] = Expected()
    case 4...6:
      guard let known, let id = ids[known] else { return }
      let notes = "n\(Int.random(in: 0..<3, using: &generator))"
      try await session.change(id) { $0.notes = notes }
      items[known]?.notes = notes
    case 7:
      guard let known, let id = ids[known] else { return }
      let isArchived = Bool.random(using: &generator)
      try await session.setArchived(isArchived, id)
      items[known]?.isArchived = isArchived
    case 8:
      guard let known, let id = ids.removeValue(forKey: known) else { return }
      try await session.delete(id)
      items[known] = nil
    case 9: transport.setConnected(Bool.random(using: &generator))
    case 10: transport.loseAnswers(Int.random(in: 0..<3, using: &generator))
    case 11:
      // Killed and started again: what was on the disk goes on.
      await session.close()
      try await reopen()
    default: await session.syncNow()
    }
  }
}
