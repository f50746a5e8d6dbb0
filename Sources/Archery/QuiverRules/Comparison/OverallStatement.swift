/// The result of all tests of one pair together, corrected for their number.
public struct OverallStatement: Sendable, Equatable {
  /// One test of the pair.
  public struct Test: Sendable, Equatable {
    /// As it is shown in a sentence, for example "average score".
    public let name: String
    /// Before the correction over the tests; with several pairs already corrected over those.
    public let p: Double
  }

  /// The tests that were made, in the order in which they are shown.
  public let tests: [Test]
  /// The p of each test after Holm's correction over all of them.
  public let adjustedP: [Double]

  init(_ tests: [Test]) {
    self.tests = tests
    adjustedP = HolmCorrection.adjusted(tests.map(\.p)).map { $0 ?? 1 }
  }

  /// The names of the tests that still show a difference.
  public var significant: [String] {
    zip(tests, adjustedP).filter { $0.1 < SetupVerdict.significance }.map(\.0.name)
  }

  /// In words; empty if no test was made.
  public var words: String {
    guard let first = tests.first else { return "" }
    guard tests.count > 1 else {
      let shows = significant.isEmpty ? "shows no difference" : "shows a difference"
      return "One test was made on this pair: \(first.name) \(shows)."
    }
    let start = "\(tests.count) tests were made on this pair"
    guard !significant.isEmpty else {
      return start + "; none shows a difference after Holm's correction over them."
    }
    let names = significant.joined(separator: ", ")
    let verb = significant.count == 1 ? "shows" : "show"
    return start + "; after Holm's correction over them \(names) \(verb) a difference."
  }
}
