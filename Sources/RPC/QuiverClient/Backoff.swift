/// How long to wait after failures: ``first`` times ``multiplier`` to the power of the failures
/// before, at most ``longest``, then longer or shorter by a random share of up to ``jitter``.
///
/// This is gRPC's connection back-off, and the back-off of its retries (proposal A6).
public struct Backoff: Sendable, Equatable {
  /// The delay after the first failure, before jitter.
  public var first: Duration
  /// What each further failure multiplies the delay by; 1 to 100.
  public var multiplier: Double
  /// The longest delay, before jitter; at least ``first``.
  public var longest: Duration
  /// The largest share of a delay, 0 to 1, by which it is made longer or shorter at random, so
  /// that clients that failed together do not return together.
  public var jitter: Double

  /// Creates a back-off.
  ///
  /// - Parameters:
  ///   - first: the delay after the first failure, before jitter.
  ///   - multiplier: what each further failure multiplies the delay by.
  ///   - longest: the longest delay, before jitter.
  ///   - jitter: the largest share of a delay by which it is made longer or shorter at random.
  public init(
    first: Duration, multiplier: Double = 2, longest: Duration, jitter: Double = 0.2
  ) {
    self.first = first
    self.multiplier = multiplier
    self.longest = longest
    self.jitter = jitter
  }

  /// The delay before the next attempt.
  ///
  /// - Parameters:
  ///   - failures: how many attempts have failed before the latest one, from 0.
  ///   - pushBack: the delay that the server asks for, which replaces a shorter one; nil: none.
  public func delay(after failures: Int, pushBack: Duration? = nil) -> Duration {
    let own = Duration.nanoseconds(Int64(clamping: nanoseconds(step: failures)))
    return max(own, pushBack ?? .zero)
  }

  /// The delay of a step, from 0, in nanoseconds.
  func nanoseconds(
    step: Int, random: (ClosedRange<Double>) -> Double = { Double.random(in: $0) }
  ) -> UInt64 {
    var delay = Double(first.clampedNanoseconds)
    let most = Double(longest.clampedNanoseconds)
    for _ in 0..<min(max(step, 0), 1_000) where delay < most { delay *= multiplier }
    delay = min(delay, most) * random(1 - jitter...1 + jitter)
    return UInt64(delay)
  }

  /// The first property that is out of range, as a sentence that begins with `name`; nil: none is.
  func fault(_ name: String, shortest: Duration) -> String? {
    if first < shortest || longest < first {
      return "\(name).first must be at least \(shortest), \(name).longest at least \(name).first"
    }
    if !(1...100 ~= multiplier) { return "\(name).multiplier must be 1 to 100" }
    if !(0...1 ~= jitter) { return "\(name).jitter must be 0 to 1" }
    return nil
  }
}

extension Duration {
  /// The duration in nanoseconds, at least 0 and at most a hundred years.
  package var clampedNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    let longest: Int64 = 100 * 366 * 86_400
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < longest else { return UInt64(longest) * 1_000_000_000 }
    return UInt64(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
