import QuiverPlatform

/// The noncentral t distribution.
public struct NoncentralT: Sendable {
  /// The degrees of freedom.
  public let degreesOfFreedom: Double
  /// δ, of either sign; up to about 37 in size, beyond which e^(−δ²/2) is no double.
  public let noncentrality: Double

  /// Creates a value; each parameter is the property of its name.
  public init(degreesOfFreedom: Double, noncentrality: Double) {
    self.degreesOfFreedom = degreesOfFreedom
    self.noncentrality = noncentrality
  }

  /// P(T ≤ t), to about 1e-12.
  public func cumulative(_ t: Double) -> Double {
    let series = Series(abs(t), degreesOfFreedom: degreesOfFreedom)
    return t < 0 ? 1 - series.cumulative(-noncentrality) : series.cumulative(noncentrality)
  }

  /// The series of Lenth, "Cumulative distribution function of the non-central t distribution",
  /// Applied Statistics 38 (1989), 185–189:
  /// Φ(−δ) + ½·Σ (p_j·I_x(j + ½, ν/2) + q_j·I_x(j + 1, ν/2)), x = t²/(t² + ν),
  /// with each I_x from the one before by DLMF 8.17.20.
  ///
  /// The first two I_x take most of the time and depend on t and ν alone: one value serves any
  /// number of δ.
  struct Series {
    private let t: Double
    private let x: Double
    private let half: Double
    private let betaHalf: Double
    private let betaOne: Double
    private let stepHalf: Double
    private let stepOne: Double

    /// For t of at least 0.
    init(_ t: Double, degreesOfFreedom degrees: Double) {
      self.t = t
      let sum = t * t + degrees
      x = t * t / sum
      let y = degrees / sum
      half = degrees / 2
      betaHalf = IncompleteBeta.regularized(x: x, complement: y, a: 0.5, b: half)
      betaOne = IncompleteBeta.regularized(x: x, complement: y, a: 1, b: half)
      stepHalf = IncompleteBeta.factor(x: x, complement: y, a: 0.5, b: half)
      stepOne = IncompleteBeta.factor(x: x, complement: y, a: 1, b: half)
    }

    /// P(T ≤ t) of noncentrality δ.
    func cumulative(_ delta: Double) -> Double {
      let below = NormalDistribution.cumulative(-delta)
      guard t > 0 else { return below }
      let lambda = delta * delta / 2
      var p = exp(-lambda)
      var q = delta * exp(-lambda) * (2 / Double.pi).squareRoot()  // Γ(3/2) = √π/2.
      var (betaHalf, betaOne) = (betaHalf, betaOne)
      var (stepHalf, stepOne) = (stepHalf, stepOne)
      var total = 0.0
      var weight = 1.0
      var j = 0.0
      while j < 10_000 {
        total += p * betaHalf + q * betaOne
        weight -= p
        // What is left is at most twice the weight times the beta that shrinks slower.
        if 2 * weight * betaHalf < 1e-13, j > lambda || weight < 1e-15 { break }
        betaHalf = max(0, betaHalf - stepHalf)
        betaOne = max(0, betaOne - stepOne)
        stepHalf *= x * (j + 0.5 + half) / (j + 1.5)
        stepOne *= x * (j + 1 + half) / (j + 2)
        j += 1
        p *= lambda / j
        q *= lambda / (j + 0.5)
      }
      return min(1, max(0, below + total / 2))
    }
  }
}
