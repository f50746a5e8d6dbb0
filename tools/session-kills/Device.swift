import Foundation
import QuiverAPI
import QuiverCommandLine
import QuiverRules
import QuiverSession
import ServerPrograms

/// One device: an offline session that edits objects whose names begin with the device's.
@MainActor
final class Device {
  let name: String
  let session: OfflineSession
  /// The objects of this device, and their ids in its store.
  var objects: [EditedObject: (id: LocalID, value: String)] = [:]
  /// The number of the last object or value.
  private var number: Int
  var sight: LocalID?
  /// The defect that this device has; nil: none.
  var defect: Defect?

  /// A defect that a comparison with the acknowledged edits must find.
  enum Defect: String {
    /// The device discards updates that it has acknowledged.
    case lost
    /// The device makes objects twice.
    case double
  }

  /// - Parameter first: the number of the first object or value, which no earlier one has reached.
  init(
    servers: [String], token: String, directory: String, name: String, first: Int
  ) async throws {
    self.name = name
    number = first
    var configuration = OfflineSession.Configuration(
      server: servers[0], token: token, directory: directory)
    configuration.servers = servers
    configuration.device = name
    configuration.limits.firstRetryDelay = .milliseconds(2)
    configuration.limits.longestRetryDelay = .milliseconds(100)
    configuration.limits.idleInterval = .milliseconds(50)
    configuration.limits.callTimeout = .seconds(5)
    configuration.limits.maxEvents = 100_000
    session = try await OfflineSession(configuration)
  }

  /// Prints what the store has, then edits until the process is killed. With seed 0 it sends
  /// everything first, and ends after it printed what the store has then.
  func run(seed: UInt64) async throws {
    if seed == 0 {
      try await sendEverything()
      try await loadEverything()
    }
    // The first sign-in needs the server.
    while session.identity == nil {
      await session.syncNow()
      try await Task.sleep(for: .milliseconds(5))
    }
    try await readObjects()
    for (object, known) in objects { Self.print(.has(object, known.value)) }
    for entry in try await session.outbox() where entry.mark != .waiting {
      Self.print(.attention("\(entry.change) \(entry.kind) \(entry.title): \(entry.verdict)"))
    }
    Self.print(.ready)
    guard seed != 0 else { return await session.close() }
    var random = SplitMix64(seed: seed)
    while !Task.isCancelled {
      try await edit(&random)
      if Int.random(in: 0..<8, using: &random) == 0 { try await spoil() }
      if Int.random(in: 0..<30, using: &random) == 0 { load(Int.random(in: 0..<7, using: &random)) }
      if Int.random(in: 0..<4, using: &random) == 0 {
        try await Task.sleep(for: .microseconds(Int.random(in: 0...8_000, using: &random)))
      }
    }
  }

  /// Writes a line to the output at once, so that a kill afterwards does not lose it.
  static func print(_ line: DeviceLine) {
    StandardOutput.printOrExit(line.text)
  }

  /// The name of a new object.
  func newName() -> String {
    number += 1
    return "\(name)\(number)"
  }

  /// Does what the planted defect does.
  private func spoil() async throws {
    switch defect {
    case .lost:
      let waiting = try await session.outbox().first { $0.change == .update && $0.mark == .waiting }
      // One that was sent cannot be discarded.
      if let waiting { try? await session.discard(waiting.id) }
    case .double:
      guard let known = objects.first(where: { $0.key.kind == .riser }),
        let riser = try await session.item(Riser.self, known.value.id)
      else { return }
      var double = Riser()
      (double.brand, double.model, double.notes) = (riser.brand, riser.model, riser.notes)
      try await session.create(double)
    case nil: return
    }
  }

  private func sendEverything() async throws {
    for _ in 0..<200 {
      let report = await session.syncNow()
      if report.error == nil, try await session.outbox().allSatisfy({ $0.mark != .waiting }) {
        return
      }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw Complaint("the device could not send everything")
  }

  private func loadEverything() async throws {
    try await RestorableModel(session).load()
    try await LiftSetListModel(session).load(name)
    try await ProfileModel(session).load()
    try await readObjects()
    if let sight { try await SightMarkListModel(session, owner: sight).load() }
    for event in try await session.scoringEvents() {
      let model = ScoringModel(session, event: event.id)
      model.stopFollowing()
      try await model.load()
    }
  }

  /// Loads a part from the server beside the edits, as a screen does; fails without a connection.
  private func load(_ part: Int) {
    let (session, name, sight) = (session, name, sight)
    Task { @MainActor in
      switch part {
      case 0: try? await EquipmentListModel(session).load(.riser)
      case 1: try? await BowSetupListModel(session).load()
      case 2: try? await LogbookModel(session).load()
      case 3: try? await LiftSetListModel(session).load(name)
      case 4: if let sight { try? await SightMarkListModel(session, owner: sight).load() }
      case 5: try? await ProfileModel(session).load()
      default:
        guard let event = try? await session.scoringEvents().first else { return }
        let model = ScoringModel(session, event: event.id)
        model.stopFollowing()
        try? await model.load()
      }
    }
  }
}
