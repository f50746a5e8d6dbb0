import Synchronization

/// The comparisons of a rehearsal, and what did not agree.
final class Findings: Sendable {
  private let state = Mutex(State())

  private struct State {
    var comparisons = 0
    var disagreements: [String] = []
  }

  var comparisonCount: Int { state.withLock { $0.comparisons } }
  var disagreements: [String] { state.withLock { $0.disagreements } }

  /// Compares what the server has with what was computed from the operations.
  func compare<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) {
    state.withLock { state in
      state.comparisons += 1
      guard found != expected else { return }
      state.disagreements.append("\(what): the server has \(found), expected \(expected)")
    }
  }

  /// Notes something that must not be.
  func note(_ sentence: String) {
    state.withLock { state in
      state.comparisons += 1
      state.disagreements.append(sentence)
    }
  }
}
