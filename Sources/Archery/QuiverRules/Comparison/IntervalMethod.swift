/// How intervals and p of a difference are made.
public enum IntervalMethod: Sendable, Hashable {
  /// Welch's t with Satterthwaite's degrees of freedom.
  case welch
  /// The bootstrap-t over rounds.
  case bootstrapT(seed: UInt64)

  func difference(_ a: [Double], _ b: [Double]) -> MeanDifference? {
    switch self {
    case .welch: WelchTest.difference(SampleSummary(a), SampleSummary(b))
    case .bootstrapT(let seed): BootstrapT.difference(a, b, seed: seed)
    }
  }
}
