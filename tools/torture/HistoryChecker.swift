import QuiverStore

/// Compares the store with the histories: every acknowledged operation is there once, the others
/// once or not at all, and none partially.
struct HistoryChecker {
  /// What the histories allow for an operation.
  private struct Expectation {
    var replies: Set<[UInt8]> = []
    var isAcknowledged = false
    /// Whether an attempt may have had its effect.
    var isOpen = false
  }

  private var expectations: [Int64: Expectation] = [:]
  /// For each run the numbers in submission order, without the refused ones.
  private var runs: [[Int64]] = []
  private var findings: [String] = []

  /// The number of acknowledged operations.
  var acknowledgedCount: Int { expectations.values.count { $0.isAcknowledged } }

  init(_ events: [History.Event]) {
    for event in events {
      switch event {
      case .run: runs.append([])
      case .begun(let number):
        expectations[number, default: Expectation()].isOpen = true
        if !runs.isEmpty { runs[runs.count - 1].append(number) }
      case .done(let number, let reply):
        expectations[number, default: Expectation()].isAcknowledged = true
        expectations[number]?.replies.insert(reply)
      case .refused(let number, let isCertain):
        if isCertain, !(expectations[number]?.isAcknowledged ?? false) {
          expectations[number]?.isOpen = false
        }
        if !runs.isEmpty { runs[runs.count - 1].removeAll { $0 == number } }
      case .reads: break
      }
    }
  }

  /// The numbers that may have had their effect without an acknowledgement.
  var openNumbers: [Int64] {
    expectations.filter { $0.value.isOpen && !$0.value.isAcknowledged }.keys.sorted()
  }

  /// The highest submitted number.
  static func highest(in events: [History.Event]) -> Int64? {
    events.compactMap { event -> Int64? in
      if case .begun(let number) = event { number } else { nil }
    }.max()
  }

  /// The violations as sentences; empty if the histories explain everything.
  ///
  /// - Parameter idOfReply: extracts the id from the stored reply of a key; a ``WriterRun`` stores
  /// the id only.
  mutating func check(
    _ store: Store, idOfReply: ([UInt8]) -> [UInt8] = { $0 }
  ) throws -> [String] {
    findings = try store.verify().map(\.description)
    let stored = try StoredOperations(store, idOfReply: idOfReply)
    for (number, effects) in stored.effects where expectations[number] == nil {
      findings.append("operation \(number) was never begun and is there \(effects.count) times")
    }
    for (number, expectation) in expectations {
      check(number, expectation, stored)
    }
    for run in runs { checkOrder(run, stored) }
    findings += stored.faults
    return findings.sorted()
  }

  private mutating func check(
    _ number: Int64, _ expectation: Expectation, _ stored: StoredOperations
  ) {
    let effects = stored.effects[number] ?? []
    if effects.count > 1 { findings.append("operation \(number) is there \(effects.count) times") }
    if effects.isEmpty, expectation.isAcknowledged {
      findings.append("operation \(number) was acknowledged and is lost")
    }
    if !effects.isEmpty, !expectation.isAcknowledged, !expectation.isOpen {
      findings.append("operation \(number) was refused and is there")
    }
    if expectation.replies.count > 1 {
      findings.append("operation \(number) was answered in two ways")
    }
    if let effect = effects.first, let reply = expectation.replies.first, effect != reply {
      findings.append("operation \(number) was answered with another id than it has")
    }
    if (stored.keys[number] != nil) != !effects.isEmpty {
      findings.append("operation \(number) has its effect or its key, not both")
    }
    if let effect = effects.first, let reply = stored.keys[number], effect != reply {
      findings.append("the key of operation \(number) keeps another id than it has")
    }
  }

  /// A writer applies operations in submission order: the stored ones are the start of a run.
  private mutating func checkOrder(_ run: [Int64], _ stored: StoredOperations) {
    let numbers = run.filter { Operation($0).kind != .failure }
    guard let gap = numbers.firstIndex(where: { stored.effects[$0] == nil }) else { return }
    if let later = numbers[gap...].first(where: { stored.effects[$0] != nil }) {
      findings.append("operation \(later) is there, and \(numbers[gap]) before it is not")
    }
  }
}
