import Testing

@testable import QuiverRules

/// Reference values were computed with 30 digits by mpmath 1.3.
@Suite(.timeLimit(.minutes(5))) struct DistributionTests {
  static func isClose(_ value: Double, _ reference: Double, _ tolerance: Double = 1e-12) -> Bool {
    abs(value - reference) <= tolerance * max(1, abs(reference))
  }

  @Test(
    "the logarithm of gamma agrees with references",
    arguments: [
      (0.1, 2.252712651734206), (0.5, 0.57236494292470009), (1, 0), (1.5, -0.12078223763524522),
      (2, 0), (3.7, 1.4280723266653879), (10, 12.80182748008147), (25.5, 56.389167643719947),
      (171, 706.57306224578735), (1000.5, 5908.6741758486775),
    ])
  func logGamma(x: Double, reference: Double) {
    #expect(Self.isClose(LogGamma.value(x), reference, 1e-14))
  }

  @Test(
    "the incomplete beta function agrees with references, on both sides of its turning point",
    arguments: [
      (0.1, 0.5, 0.5, 0.20483276469913345), (0.4, 2, 3, 0.5248),
      (0.95, 10, 0.5, 0.31715157546554528), (0.01, 0.5, 20, 0.4713699354850154),
      (0.2, 2.5, 0.5, 0.0065662718275630062), (0.6, 50, 40, 0.80115341797448874),
      (0.999, 100, 0.5, 0.65504351632442973), (0.7, 4.27, 0.5, 0.08977447898166202),
      (0, 3, 4, 0), (1, 3, 4, 1),
    ])
  func incompleteBeta(x: Double, a: Double, b: Double, reference: Double) {
    let value = IncompleteBeta.regularized(x: x, complement: 1 - x, a: a, b: b)
    #expect(Self.isClose(value, reference))
    let mirrored = IncompleteBeta.regularized(x: 1 - x, complement: x, a: b, b: a)
    #expect(Self.isClose(1 - mirrored, reference))
  }

  @Test(
    "the normal quantile agrees with references",
    arguments: [
      (0.975, 1.9599639845400542), (0.5, 0), (0.001, -3.0902323061678135),
      (1e-10, -6.3613409024040562), (0.9, 1.2815515655446005), (0.3, -0.52440051270804078),
    ])
  func normal(p: Double, reference: Double) {
    let z = NormalDistribution.quantile(p)
    #expect(Self.isClose(z, reference))
    #expect(Self.isClose(NormalDistribution.cumulative(z), p))
  }

  @Test(
    "Student's t agrees with references, of whole and of broken degrees of freedom",
    arguments: [
      (0.5, 1, 0.64758361765043327), (2, 4, 0.9419417382415922),
      (-1.3, 7.35, 0.11644144414172153), (12.706, 1, 0.97499959882093341),
      (3.1, 38.6, 0.99819767500501228), (1.96, 1000, 0.97486340752212564), (0, 3, 0.5),
    ])
  func student(t: Double, degrees: Double, reference: Double) {
    #expect(Self.isClose(StudentT(degreesOfFreedom: degrees).cumulative(t), reference))
  }

  @Test(
    "quantiles of Student's t agree with references",
    arguments: [
      (0.975, 1, 12.7062047361747), (0.975, 2, 4.302652729749464), (0.975, 4, 2.776445105197794),
      (0.975, 7.35, 2.341988307752438), (0.975, 78, 1.990847068811691),
      (0.995, 3.3, 5.344306069721079), (0.6, 5, 0.2671808657041451),
      (0.025, 9, -2.262157162798206), (0.975, 1e4, 1.960201239890601), (0.5, 4, 0),
    ])
  func studentQuantile(p: Double, degrees: Double, reference: Double) {
    #expect(Self.isClose(StudentT(degreesOfFreedom: degrees).quantile(p), reference))
  }

  @Test("quantiles are infinite where no value has that probability")
  func ends() {
    #expect(StudentT(degreesOfFreedom: 3).quantile(0) == -.infinity)
    #expect(StudentT(degreesOfFreedom: 3).quantile(1) == .infinity)
    #expect(NormalDistribution.quantile(0) == -.infinity)
    #expect(NormalDistribution.quantile(1) == .infinity)
  }

  @Test(
    "tails of F agree with references",
    arguments: [
      (3.5, 2, 7, 0.088388347648318441), (0.8, 2, 27, 0.4596945648059592),
      (10, 2, 3, 0.047107507729214035), (4.1, 2, 77, 0.020322097030209232),
      (2.5, 5, 9.5, 0.10579416225965122), (0, 2, 3, 1),
    ])
  func fisher(f: Double, m: Double, n: Double, reference: Double) {
    #expect(Self.isClose(FDistribution.upperTail(f, m, n), reference))
  }

  @Test(
    "the noncentral t agrees with numerical integration",
    arguments: [
      (2.776, 4, 3, 0.38062227010785), (12.706, 1, 16, 0.20934605848466),
      (2.0, 78, 2.84, 0.20163300876533), (-1.5, 6.5, 0.7, 0.023114347186231),
      (1.2, 10, 0, 0.87110184963785), (2.306, 8, -1, 0.99783476138857),
      (0, 5, 1.2, 0.11506967022171), (4.303, 2, 7.5, 0.061232726950069),
    ])
  func noncentral(t: Double, degrees: Double, delta: Double, reference: Double) {
    let value = NoncentralT(degreesOfFreedom: degrees, noncentrality: delta).cumulative(t)
    #expect(Self.isClose(value, reference, 1e-11))
  }

  @Test(
    "the noncentrality of 80 % power agrees with references",
    arguments: [
      (1, 16.33400886994441), (2, 5.6534892661971865), (4, 3.7610595538250196),
      (7.35, 3.243141199055864), (8, 3.2009196486512854), (18, 2.962672436418104),
      (38.2, 2.8745209409930617), (78, 2.8366692583517255), (500, 2.8069771576649667),
    ])
  func power(degrees: Double, reference: Double) {
    #expect(
      Self.isClose(
        DetectableDifference.noncentrality(degreesOfFreedom: degrees), reference, 1e-8))
  }

  @Test("SplitMix64 gives its published numbers, and indices below their bound")
  func generator() {
    var generator = SplitMix64(seed: 1_234_567)
    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
    var seen: Set<Int> = []
    for _ in 0..<200 { seen.insert(generator.index(below: 7)) }
    #expect(seen == Set(0..<7))
  }
}
