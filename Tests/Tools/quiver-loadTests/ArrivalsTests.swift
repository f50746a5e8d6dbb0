import Testing

@testable import quiver_load

@Suite("Arrivals of an open loop", .timeLimit(.minutes(5)))
struct ArrivalsTests {
  @Test("Constant ones are the same time apart, from the start on")
  func constant() {
    var arrivals = Arrivals(.constant, rate: 1_000, seed: 1)
    for number in 0..<100 {
      #expect(arrivals.nextNanoseconds == Double(number) * 1_000_000)
      arrivals.advance()
    }
  }

  @Test(
    "Poisson ones come at the rate on average, scatter as they should, and repeat by their seed")
  func poisson() {
    var arrivals = Arrivals(.poisson, rate: 1_000, seed: 42)
    var again = Arrivals(.poisson, rate: 1_000, seed: 42)
    var gaps: [Double] = []
    var before = 0.0
    for _ in 0..<20_000 {
      #expect(arrivals.nextNanoseconds == again.nextNanoseconds)
      gaps.append(arrivals.nextNanoseconds - before)
      before = arrivals.nextNanoseconds
      arrivals.advance()
      again.advance()
    }
    let mean = gaps.reduce(0, +) / Double(gaps.count)
    let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)
    // Exponential: the deviation is the mean. Within 4 standard errors of 20,000.
    #expect(abs(mean - 1_000_000) < 1_000_000 * 4 / 141)
    #expect(abs(variance.squareRoot() / mean - 1) < 0.06)
  }
}
