import QuiverLoopback
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import TestSupport

/// One planned call: its kind, size and time.
struct PlannedCall: Sendable {
  enum Kind: CaseIterable, Sendable { case atOnce, later, task, source, sink, talk }

  var number: UInt32
  var kind: Kind
  var ask: Ask
  /// Since the start of the run.
  var startNanoseconds: UInt64
  /// Since the start of the call; nil for none.
  var timeoutNanoseconds: UInt64?
  var cancelNanoseconds: UInt64?
  /// The number of request messages of a sink or a talk.
  var messageCount: UInt32
  var sendPauseMicroseconds: UInt32
  var readPauseMicroseconds: UInt32
}

/// The plan of one seed: limits, a transport, calls, mishaps and drains.
struct Program: Sendable {
  var clientLimits = Limits()
  var serverLimits = Limits()
  var habits = WireHabits()
  var calls: [PlannedCall] = []
  var mishaps: [(at: UInt64, kind: Mishap, atServer: Bool, span: UInt64)] = []
  var drains: [UInt64] = []
  var pings: [UInt64] = []
  /// Whether the client's HELLO lists zstd.
  var clientPacks = false
  var serverPacks = false
  var wireSeed: UInt64

  /// - Parameters:
  /// - packs: false disables compression for every seed.
  /// - isSecure: whether a secure channel protects the bytes, which may then be corrupted.
  init(seed: UInt64, packs: Bool = true, isSecure: Bool = false) {
    var random = SeededGenerator(seed: seed)
    wireSeed = random.next()
    let hasTinyChunks = random.chance(of: 4)
    chooseLimits(&random)
    habits.chunkBytes = hasTinyChunks ? 1...9 : 1...random.one(of: [700, 1_500, 70_000])
    habits.delayNanoseconds = 0...random.one(of: [0, 50_000, 3_000_000, 40_000_000])
    habits.capacityBytes = random.one(of: [900, 30_000, 1_000_000])
    let count = UInt32.random(in: 1...14, using: &random)
    for number in 1...count { calls.append(Self.call(number, hasTinyChunks, &random)) }
    chooseMishaps(&random)
    if random.chance(of: 4) { drains.append(.random(in: 0...60_000_000, using: &random)) }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      pings.append(.random(in: 0...60_000_000, using: &random))
    }
    // Drawn separately, so that older seeds keep their meaning.
    if packs { choosePacking(seed: seed ^ 0x7A73_7464) }
    if isSecure { chooseCorruptions(seed: seed ^ 0x746C_7331) }
  }

  private mutating func chooseCorruptions(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    guard random.chance(of: 4) else { return }
    for _ in 0..<Int.random(in: 1...2, using: &random) {
      mishaps.append(
        (
          at: .random(in: 0...60_000_000, using: &random), kind: .corruption,
          atServer: random.chance(of: 2), span: 0
        ))
    }
  }

  /// Most seeds use zstd at both ends; messages have one byte value, few or all.
  private mutating func choosePacking(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    clientPacks = !random.chance(of: 4)
    serverPacks = !random.chance(of: 4)
    guard clientPacks, serverPacks else { return }
    clientLimits.compressFromBytes = random.one(of: [64, 1_024])
    serverLimits.compressFromBytes = random.one(of: [64, 1_024])
    for place in calls.indices {
      calls[place].ask.noise = random.one(of: [0, 1, 1, 2])
      calls[place].ask.padding = Padding.bytes(
        calls[place].ask.padding.count, of: 5, noise: calls[place].ask.noise)
    }
  }

  private mutating func chooseLimits(_ random: inout SeededGenerator) {
    for limits in [\Program.clientLimits, \Program.serverLimits] {
      self[keyPath: limits].maxFrameBytes = random.one(of: [4_096, 9_999, 16_384, 70_000])
      self[keyPath: limits].initialStreamCredit = random.one(of: [4_096, 5_000, 20_000, 65_536])
      self[keyPath: limits].initialConnectionCredit =
        self[keyPath: limits].initialStreamCredit * random.one(of: [1, 2, 16])
      self[keyPath: limits].outputHighWater = random.one(of: [4_096, 65_536])
      self[keyPath: limits].streamOutputBytes = random.one(of: [4_096, 16_384, 65_536])
      self[keyPath: limits].drainMilliseconds = 300
    }
    serverLimits.maxConcurrentStreams = random.one(of: [1, 3, 100])
    // A server's HELLO may only raise what clients assume.
    serverLimits.initialConnectionCredit = max(serverLimits.initialConnectionCredit, 4_096)
  }

  private mutating func chooseMishaps(_ random: inout SeededGenerator) {
    guard random.chance(of: 3) else { return }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      mishaps.append(
        (
          at: .random(in: 0...60_000_000, using: &random),
          kind: random.one(of: Mishap.ofPlainWires),
          atServer: random.chance(of: 2),
          span: random.one(of: [5_000_000, 300_000_000, 25_000_000_000])
        ))
    }
  }

  private static func call(
    _ number: UInt32, _ hasTinyChunks: Bool, _ random: inout SeededGenerator
  ) -> PlannedCall {
    let largest = random.one(of: hasTinyChunks ? [0, 40, 1_500] : [0, 40, 3_000, 20_000, 60_000])
    var ask = Ask()
    ask.number = number
    ask.replyBytes = .random(in: 0...UInt32(largest), using: &random)
    ask.padding = [UInt8](
      repeating: 5, count: Int.random(in: 0...random.one(of: [0, 100, largest]), using: &random))
    ask.delayMicroseconds = random.one(of: [0, 0, 200, 3_000])
    ask.count = .random(in: 0...6, using: &random)
    if random.chance(of: 8) { ask.code = .random(in: 1...16, using: &random) }
    if random.chance(of: 6) { ask.enough = .random(in: 1...4, using: &random) }
    return PlannedCall(
      number: number, kind: random.one(of: PlannedCall.Kind.allCases), ask: ask,
      startNanoseconds: .random(in: 0...40_000_000, using: &random),
      timeoutNanoseconds: random.chance(of: 4)
        ? .random(in: 1...60_000_000, using: &random) : nil,
      cancelNanoseconds: random.chance(of: 6)
        ? .random(in: 0...20_000_000, using: &random) : nil,
      messageCount: .random(in: 0...6, using: &random),
      sendPauseMicroseconds: random.one(of: [0, 0, 500, 4_000]),
      readPauseMicroseconds: random.one(of: [0, 0, 500, 4_000]))
  }
}

extension SeededGenerator {
  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }

  /// True with a probability of one in `number`.
  mutating func chance(of number: Int) -> Bool { Int.random(in: 0..<number, using: &self) == 0 }
}
