import Glibc
import QuiverRules

/// One stage of a run: its level, its shape and its length.
struct Stage: Sendable {
  enum Shape: String, Sendable, CaseIterable {
    case hold, ramp, step, spike, soak
  }

  let name: String
  let shape: Shape
  let seconds: Double
  /// As a share of the role's rate or number of actors.
  let level: Double
  let steps: Int
}

/// The level of a role over the time of a run.
struct LevelCurve: Sendable {
  private let segments: [Segment]

  private struct Segment {
    let start: Double
    let end: Double
    let from: Double
    let to: Double
    /// 0 for a linear change.
    let steps: Int
  }

  /// The level starts at 0.
  init(_ stages: [Stage]) {
    var segments: [Segment] = []
    var (time, level) = (0.0, 0.0)
    for stage in stages {
      let end = time + stage.seconds
      switch stage.shape {
      case .hold, .soak:
        segments.append(
          Segment(start: time, end: end, from: stage.level, to: stage.level, steps: 0))
        level = stage.level
      case .spike:
        segments.append(
          Segment(start: time, end: end, from: stage.level, to: stage.level, steps: 0))
      case .ramp:
        segments.append(Segment(start: time, end: end, from: level, to: stage.level, steps: 0))
        level = stage.level
      case .step:
        segments.append(
          Segment(start: time, end: end, from: level, to: stage.level, steps: stage.steps))
        level = stage.level
      }
      time = end
    }
    self.segments = segments
  }

  /// The length of all stages together.
  var seconds: Double { segments.last?.end ?? 0 }

  /// The highest level.
  var highest: Double { segments.map { max($0.from, $0.to) }.max() ?? 0 }

  /// The level at a time; 0 after the end.
  func level(at seconds: Double) -> Double {
    guard let segment = segments.first(where: { seconds < $0.end }) else { return 0 }
    let share = max(0, (seconds - segment.start) / (segment.end - segment.start))
    guard segment.steps > 0 else { return segment.from + (segment.to - segment.from) * share }
    let step = (share * Double(segment.steps)).rounded(.down) + 1
    return segment.from + (segment.to - segment.from) * min(step / Double(segment.steps), 1)
  }
}

/// The send times of an open loop whose rate changes.
struct CurvedArrivals: Sendable {
  private let curve: LevelCurve
  private let rate: Double
  private let shape: Arrivals.Shape
  private var random: SplitMix64
  /// The time of the next call in seconds since the start.
  private(set) var next = 0.0

  /// The rate is treated as constant for this long, in seconds.
  private static let grain = 0.01

  /// - Parameter rate: calls per second at level 1.
  init(_ curve: LevelCurve, rate: Double, _ shape: Arrivals.Shape, seed: UInt64) {
    self.curve = curve
    self.rate = rate
    self.shape = shape
    random = SplitMix64(seed: seed)
    advance()
  }

  /// Continues with the next call; after the end of the stages there is none.
  mutating func advance() {
    var rest = shape == .constant ? 1 : -log(1 - random.unit())
    let end = curve.seconds
    while next < end {
      let now = rate * curve.level(at: next)
      if now * Self.grain >= rest {
        next += rest / now
        return
      }
      rest -= now * Self.grain
      next += Self.grain
    }
    next = .infinity
  }
}
