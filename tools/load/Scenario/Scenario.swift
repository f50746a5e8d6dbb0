import Glibc
import QuiverJSON
import QuiverRules

/// A scenario from a file, validated against ``ScenarioSchema``.
struct Scenario: Sendable {
  let name: String
  let seed: UInt64
  let warmUpSeconds: Double
  /// A call of an open loop that is sent this much after its time counts as late.
  let lateSeconds: Double
  var verifies: Bool
  let objectives: Objectives?
  /// Whether a call or stream that fails, of any role but attackers, fails the run.
  let allSucceed: Bool
  let event: Event?
  let setup: [Step]
  let teardown: [Step]
  let roles: [Role]
  let stages: [Stage]

  /// The event that the scenario's scorers score.
  struct Event: Sendable {
    let name: String
    let entryCount: Int
    /// A codename of the library.
    let format: String
    /// 0 for all arrows of the format.
    let arrowLimit: Int
    let isPublic: Bool
    let isFinalised: Bool
    /// The number of archers in the bracket; 0: there is none.
    let finalistCount: Int
  }

  /// One step of a sequence.
  enum Step: Sendable {
    case call(Call)
    case think(ThinkTime)
  }

  /// A call with its settings in the file.
  struct Call: Sendable {
    /// Its path in the file.
    let path: String
    let method: String
    let body: Template
    /// The names of values, and their paths in the reply.
    let captures: [(name: String, path: CapturePath)]
    let repeats: Int
    /// The number of messages of a request stream.
    let messages: Int
    /// The number of messages of a reply stream after which it is cancelled; nil reads all.
    let reads: Int?
    /// Nil for the role's timeout.
    let timeoutSeconds: Double?
    let weight: Double
  }

  /// One kind of actor.
  struct Role: Sendable {
    let path: String
    let name: String
    let work: Work
    let actors: Int
    let connections: Int
    let stages: [Stage]?
    let timeoutSeconds: Double
    /// Calls per second of an open loop; nil if each actor continues when its call is done.
    let rate: Double?
    let arrivals: Arrivals.Shape
    let maxInFlight: Int
    let think: ThinkTime
    /// Whether its calls carry no token.
    let isAnonymous: Bool
  }

  /// What the actors of a role do.
  enum Work: Sendable {
    case mix([Call])
    case sequence([Step])
    /// With accounts, each scorer is appointed for its entries, and follows `next` in the replies.
    case scorers(wholeEnds: Bool, hasAccounts: Bool)
    /// Score the matches of the event's bracket.
    case matches
    /// Spectators request a token of their own with the event's join code, through a gateway.
    case subscribers(Call, areSpectators: Bool)
    case slowReaders(Call, intervalSeconds: Double)
    case idle
    case reconnectStorm(Call)
    case misbehaving([Misdeed])
    case attackers(AttackSettings)
    case gatewayAttackers(GatewayAttackSettings)

    /// Whether its failures are refusals of an attack.
    var attacks: Bool {
      switch self {
      case .attackers, .gatewayAttackers: true
      default: false
      }
    }

    /// Whether an attacker needs an account.
    var needsAccount: Bool {
      switch self {
      case .attackers(let settings): settings.attack.needsAccount
      case .gatewayAttackers(let settings): settings.attack.needsAccount
      default: false
      }
    }
  }

  /// The violations of misbehaving peers.
  enum Misdeed: String, Sendable, CaseIterable {
    case garbage
    case halfFrame = "half-frame"
    case oversizePrefix = "oversize-prefix"
    case resetMidFrame = "reset-mid-frame"
    case openAndCancel = "open-and-cancel"
  }

  /// The length in seconds: that of the longest role's stages together.
  var seconds: Double {
    (roles.compactMap(\.stages) + [stages]).map { $0.reduce(0) { $0 + $1.seconds } }.max() ?? 0
  }

  /// Roles differ by name, and so do their random numbers.
  func seed(of role: Role) -> UInt64 {
    role.name.utf8.reduce(seed &* 0x9E37_79B9_7F4A_7C15) { seed, byte in
      (seed ^ UInt64(byte)) &* 0x100_0000_01B3
    }
  }

  /// The send times of a role's calls; nil if it has no rate.
  func arrivals(of role: Role) -> CurvedArrivals? {
    role.rate.map { rate in
      // Other random numbers than those of its bodies.
      CurvedArrivals(
        LevelCurve(role.stages ?? stages), rate: rate, role.arrivals, seed: ~seed(of: role))
    }
  }

  /// The roles whose actors have accounts with which they attack.
  var attackersWithAccounts: [Role] {
    roles.filter(\.work.needsAccount)
  }

  var needsEvent: Bool {
    roles.contains { if case .scorers = $0.work { true } else { false } }
  }
}

/// An actor's pause between two steps.
enum ThinkTime: Sendable, Equatable {
  /// In seconds.
  case constant(Double)
  case uniform(Double, Double)
  /// With this mean, at most ten times as long.
  case exponential(Double)

  static let none = ThinkTime.constant(0)

  func seconds(_ random: inout SplitMix64) -> Double {
    switch self {
    case .constant(let seconds): seconds
    case .uniform(let low, let high): low + random.unit() * (high - low)
    case .exponential(let mean): min(-log(1 - random.unit()) * mean, 10 * mean)
    }
  }

  /// Waits; returns early if the task is cancelled.
  func wait(_ random: inout SplitMix64) async {
    let seconds = seconds(&random)
    guard seconds > 0 else { return }
    try? await Task.sleep(for: .nanoseconds(Int64(seconds * 1e9)))
  }
}
