import Foundation
import QuiverRules
import QuiverStore
import Synchronization

/// What single calls of the store cost against the size of what it holds: in this process, without
/// a server.
///
/// The cost is processor time of the whole process, so that other programs disturb it little.
struct Sweep: Codable {
  /// What grows along a curve.
  enum Axis: String, Codable, CaseIterable {
    case rows = "sets of one principal"
    case entries = "entries of an event"
    case principals = "principals"

    func sizes(isQuick: Bool) -> [Int] {
      switch self {
      case .rows:
        isQuick
          ? [1_000, 3_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
      case .entries: isQuick ? [1, 10, 100] : [1, 10, 100, 1_000, 5_000, 20_000]
      case .principals: isQuick ? [1, 10, 100, 1_000] : [1, 10, 100, 1_000, 10_000, 100_000]
      }
    }
  }

  struct Point: Codable {
    var size: Int
    var microseconds: Double
  }

  /// One call, along one axis.
  struct Curve: Codable {
    var axis: Axis
    var name: String
    var points: [Point] = []

    /// The slope of the line through the logarithms, by least squares: 0 is a cost that does not
    /// depend on the size, 1 is one that is proportional to it.
    var exponent: Double {
      let pairs = points.map { (x: log(Double($0.size)), y: log($0.microseconds)) }
      guard pairs.count > 1 else { return 0 }
      let count = Double(pairs.count)
      let (x, y) = (pairs.reduce(0) { $0 + $1.x } / count, pairs.reduce(0) { $0 + $1.y } / count)
      let squares = pairs.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
      return squares > 0 ? pairs.reduce(0) { $0 + ($1.x - x) * ($1.y - y) } / squares : 0
    }
  }

  var curves: [Curve] = []

  /// Measures every curve at the sizes up to `largest`.
  static func measured(isQuick: Bool, largest: Int) throws -> Sweep {
    var sweep = Sweep()
    for axis in Axis.allCases {
      for size in axis.sizes(isQuick: isQuick) where size <= largest {
        progress("\(size) \(axis.rawValue)")
        try sweep.measure(axis, size)
      }
    }
    return sweep
  }

  private mutating func measure(_ axis: Axis, _ size: Int) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quiver-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var configuration = StoreConfiguration.unlimited(folder.path)
    // The thread that compares pages works by the clock, and not for the calls.
    configuration.scrubIntervalMilliseconds = 3_600_000
    let store = try Store(configuration)
    defer { store.close() }
    switch axis {
    case .rows: try rows(size, store)
    case .entries: try entries(size, store)
    case .principals: try principals(size, store)
    }
  }

  private mutating func rows(_ size: Int, _ store: Store) throws {
    guard let squat = ExerciseName("Squat") else { return }
    let principal = try Self.principal(in: store)
    let options = CommandOptions(caller: CommandCaller(principal: principal))
    // The samples create sets, which an account with the most sets could not take.
    let count = min(
      size, Int(StoreLimits.liftSetsPerPrincipal) - Self.warmUpCalls - Self.sampledCalls)
    try LoggedData.lift(
      store, Int32(count), setsPerDay: max(10, Int32(size / 100_000)), options)
    let query = Snapshot.LiftQuery(unit: .pound, leavesOutLowConfidence: false)
    try add(.rows, "93 daily maxima", size) { _ in
      try store.read { (snapshot) throws(StoreError) in
        _ = try snapshot.liftSeries(of: "Squat", .last(93), query, principal: principal)
      }
    }
    try add(.rows, "page of 50 sets", size) { _ in
      try store.read { (snapshot) throws(StoreError) in
        _ = try snapshot.liftSets(of: "Squat", principal: principal, pageSize: 50, pageToken: "")
      }
    }
    try add(.rows, "CreateSet", size) { number in
      let set = LiftSet(
        day: LoggedData.lastDay - Int32(number % 90), exercise: squat, repetitions: 5, weight: 100,
        unit: .pound)
      _ = try store.perform(try CreateLiftSet(set), options)
    }
  }

  private mutating func entries(_ size: Int, _ store: Store) throws {
    let organiser = try Self.principal(in: store)
    let options = CommandOptions(caller: CommandCaller(principal: organiser))
    let event = try TournamentEvents.event(of: size, store, options)
    try TournamentEvents.shoot(0, event, store, options)
    try add(.entries, "one arrow", size) { number in
      let arrow = number / size
      var content = OperationDraft.Content(.id(event.firstParticipant + Int64(number % size)))
      content.endIndex = UInt32(1 + arrow / TournamentEvents.arrowsPerEnd)
      content.arrowIndex = UInt32(arrow % TournamentEvents.arrowsPerEnd)
      content.value = UInt32(1 + number % 10)
      _ = try store.perform(
        RecordArrows(try OperationDraft(content, path: "operation.")), options)
    }
    try add(.entries, "page of 50 standings", size) { _ in
      _ = try store.standings(
        event.id, under: nil, principal: organiser, pageSize: 50, pageToken: "")
    }
  }

  private mutating func principals(_ size: Int, _ store: Store) throws {
    let nobody = CommandOptions(caller: CommandCaller(principal: 0))
    let ids = Mutex<[Int64]>([])
    try Self.submit(size, to: store) { _ in
      CreatePrincipal(kind: .user, displayName: "Archer")
    } options: { _ in
      nobody
    } encode: { record in
      ids.withLock { $0.append(record.id) }
    }
    let all = ids.withLock { $0 }
    let riser = EquipmentContent(type: .riser, values: [.text("Hoyt"), .text("Formula Xi")])
    func options(_ number: Int) -> CommandOptions {
      CommandOptions(caller: CommandCaller(principal: all[number * 7_919 % all.count]))
    }
    try Self.submit(size, to: store) { _ in
      try CreateEquipment(riser)
    } options: {
      CommandOptions(caller: CommandCaller(principal: all[$0]))
    } encode: { _ in
    }
    try add(.principals, "CreateRiser", size) { number in
      _ = try store.perform(try CreateEquipment(riser), options(number))
    }
    try add(.principals, "counts of the hub", size) { number in
      let principal = options(number).caller.principal
      try store.read { (snapshot) throws(StoreError) in
        _ = try snapshot.equipmentCounts(principal: principal)
      }
    }
  }

  private static func principal(in store: Store) throws -> Int64 {
    try store.perform(
      CreatePrincipal(kind: .user, displayName: "Robin"),
      CommandOptions(caller: CommandCaller(principal: 0))
    ).id
  }

  /// Submits commands in groups, so that they share commits.
  private static func submit<C: Command>(
    _ count: Int, to store: Store, _ command: (Int) throws -> C,
    options: (Int) -> CommandOptions, encode: @escaping @Sendable (C.Reply) -> Void
  ) throws {
    let answered = Answered()
    for start in stride(from: 0, to: count, by: 256) {
      let group = start..<min(start + 256, count)
      for number in group {
        store.submit(
          try command(number), options(number), target: answered,
          encode: { reply in
            encode(reply)
            return []
          },
          completion: { result in
            if case .failure(let error) = result { progress("a command failed: \(error)") }
          })
      }
      for _ in group { answered.wait() }
    }
  }

  private static let callsPerSample = 20
  private static let samples = 5
  private static let warmUpCalls = 3
  private static var sampledCalls: Int { samples * callsPerSample }

  /// Adds the median of the samples of a call to its curve; the first calls are not counted.
  private mutating func add(
    _ axis: Axis, _ name: String, _ size: Int, _ call: (Int) throws -> Void
  ) throws {
    var number = 0
    func calls(_ count: Int) throws {
      for _ in 0..<count {
        try call(number)
        number += 1
      }
    }
    try calls(Self.warmUpCalls)
    var costs: [Double] = []
    for _ in 0..<Self.samples {
      let before = Self.processorNanoseconds()
      try calls(Self.callsPerSample)
      costs.append((Self.processorNanoseconds() - before) / Double(Self.callsPerSample) / 1_000)
    }
    let point = Point(size: size, microseconds: costs.sorted()[costs.count / 2])
    if let place = curves.firstIndex(where: { $0.axis == axis && $0.name == name }) {
      curves[place].points.append(point)
    } else {
      curves.append(Curve(axis: axis, name: name, points: [point]))
    }
  }

  /// The processor time of this process.
  private static func processorNanoseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
