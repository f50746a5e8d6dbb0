import Glibc
import QuiverJSON
import QuiverRules
import Synchronization

/// The functions of `${…}`, beside the names of captured values.
enum TemplateFunction: Sendable, Equatable {
  /// The actor's number within its role, from 0.
  case actor
  /// The number of the actor's passes, from 0.
  case iteration
  /// Starts at 0 and increases with each use; one counter per name.
  case counter(String)
  /// An integer in a closed range.
  case random(Int64, Int64)
  case pick([String])
  /// The run's name, which is unique.
  case run
  /// A unique text.
  case unique
  /// A UUIDv7 in base64, for a `client_id`.
  case uuid
  /// Milliseconds, and civil days of UTC, since 1970-01-01.
  case now
  case today

  static let usage =
    "actor, iteration, counter, counter:NAME, random:LOW:HIGH, pick:A|B, run, unique, uuid,"
    + " now_ms, today"

  /// Nil if it is not a function, and so a name.
  init?(_ text: String, at path: String) throws(Template.Wrong) {
    let words = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    switch (words[0], words.count) {
    case ("actor", 1): self = .actor
    case ("iteration", 1): self = .iteration
    case ("counter", 1): self = .counter("")
    case ("counter", 2): self = .counter(words[1])
    case ("random", 3):
      guard let low = Int64(words[1]), let high = Int64(words[2]), low <= high,
        high.subtractingReportingOverflow(low).overflow == false
      else {
        throw Template.Wrong(
          description: "\(path): ${\(text)} wants two whole numbers, the lower one first, as in"
            + " ${random:1:10}")
      }
      self = .random(low, high)
    case ("pick", 2...):
      self = .pick(words.dropFirst().joined(separator: ":").split(separator: "|").map(String.init))
    case ("run", 1): self = .run
    case ("unique", 1): self = .unique
    case ("uuid", 1): self = .uuid
    case ("now_ms", 1): self = .now
    case ("today", 1): self = .today
    default: return nil
    }
  }
}

/// The values for templates: those of the actor, and those that all actors share.
struct TemplateScope {
  var variables: [String: JSONValue]
  let actor: Int
  var iteration = 0
  var random: SplitMix64
  let shared: TemplateCounters

  init(variables: [String: JSONValue], actor: Int, seed: UInt64, shared: TemplateCounters) {
    self.variables = variables
    self.actor = actor
    random = SplitMix64(seed: seed)
    self.shared = shared
  }

  /// The text of a part, or a captured boolean.
  mutating func value(of part: Template.Part) -> JSONValue {
    switch part {
    case .literal(let text): return .string(text)
    case .variable(let name): return variables[name] ?? .string("")
    case .function(let function): return .string(text(of: function))
    }
  }

  private mutating func text(of function: TemplateFunction) -> String {
    switch function {
    case .actor: "\(actor)"
    case .iteration: "\(iteration)"
    case .counter(let name): "\(shared.next(name))"
    case .random(let low, let high): "\(Int64.random(in: low...high, using: &random))"
    case .pick(let words): words.randomElement(using: &random) ?? ""
    case .run: shared.runName
    case .unique: "\(shared.runName) \(shared.next("unique text"))"
    case .uuid: Base64Text.of(ClientID.make(&random))
    case .now: "\(WallClock.milliseconds())"
    case .today: "\(WallClock.milliseconds() / 86_400_000)"
    }
  }
}

/// The counters of a run, by name.
final class TemplateCounters: Sendable {
  /// The start of every unique text of the run.
  let runName: String
  private let counters = Mutex<[String: UInt64]>([:])

  init(runName: String) { self.runName = runName }

  /// Starts at 0; the names are those in the scenario.
  func next(_ name: String) -> UInt64 {
    counters.withLock { counters in
      defer { counters[name, default: 0] += 1 }
      return counters[name, default: 0]
    }
  }
}

/// The time of day.
enum WallClock {
  static func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// UUIDs of version 7 for client_ids. Source: RFC 9562, section 5.7.
enum ClientID {
  static func make(_ random: inout some RandomNumberGenerator) -> [UInt8] {
    let milliseconds = UInt64(bitPattern: WallClock.milliseconds())
    var bytes = (0..<6).map { UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * UInt64($0))) }
    // Runs with the same seed must have different ids.
    var system = SystemRandomNumberGenerator()
    withUnsafeBytes(of: random.next() ^ system.next()) { bytes += $0 }
    withUnsafeBytes(of: system.next()) { bytes += $0.prefix(2) }
    bytes[6] = bytes[6] & 0x0F | 0x70
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes
  }
}

/// Encodes base64 of RFC 4648.
enum Base64Text {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func of(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for index in 0..<4 {
        text.append(
          index <= group.count ? letters[Int(bits >> UInt32(18 - 6 * index) & 63)] : 0x3D)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
