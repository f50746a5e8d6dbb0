import QuiverAPI
import Synchronization

/// The operations that the devices of a rehearsal sent, with their verdicts, and the counts of
/// calls and faults. Any task may use it.
final class RehearsalLog: Sendable {
  private let state = Mutex(State())

  private struct State {
    var counts = Counts()
    var scores: [[UInt8]: Sent<ScoringOperation, Verdict>] = [:]
    var matches: [[UInt8]: Sent<MatchOperation, MatchVerdict>] = [:]
    var cards: [[UInt8]: Sent<CardOperation, Verdict>] = [:]
    var rulings: [Int64: [UInt32: [RehearsalPlan.Arrow]]] = [:]
    var forfeits: [Int64: Set<UInt32>] = [:]
    var rejected: Set<[UInt8]> = []
    var calls: [Call] = []
    var deductions: [Int64: RehearsalPlan.Deduction] = [:]
    var typed: [Int64: PlainTally] = [:]
    var progress: (@Sendable (Int) -> Void)?
  }

  /// What happened.
  struct Counts: Sendable {
    var calls = 0
    /// Operations with repetitions.
    var sentOperations = 0
    var faults: [NetworkFault: Int] = [:]
    /// Operations that arrived before what they replace.
    var notYet = 0
    /// Operations that the server had before.
    var same = 0
  }

  /// An operation that was sent at least once.
  struct Sent<Operation: Sendable, Outcome: Sendable>: Sendable {
    let operation: Operation
    /// The latest verdict; nil: no reply was seen.
    var verdict: Outcome?
    /// Whether it has no effect: it was voided, rejected, or had to be refused.
    var isWithoutEffect = false
  }

  /// A call from the line.
  struct Call: Sendable, Equatable {
    let id: Int64
    let target: UInt32
    let kind: TargetCallKind
    /// 0: of nobody alone.
    let participant: Int64
    let owedArrows: UInt32
    /// In which arrows are owed; nil: none are.
    let end: UInt32?
    let text: String
    /// Empty: it is open.
    let decision: String
  }

  var counts: Counts { state.withLock { $0.counts } }
  /// The number of different operations.
  var operationCount: Int {
    state.withLock { $0.scores.count + $0.matches.count + $0.cards.count }
  }
  var scores: [Sent<ScoringOperation, Verdict>] { state.withLock { Array($0.scores.values) } }
  var matches: [Sent<MatchOperation, MatchVerdict>] { state.withLock { Array($0.matches.values) } }
  /// On second cards.
  var cardOperations: [Sent<CardOperation, Verdict>] { state.withLock { Array($0.cards.values) } }
  /// The arrows of ends on which a judge has ruled, by participant and end.
  var rulings: [Int64: [UInt32: [RehearsalPlan.Arrow]]] { state.withLock { $0.rulings } }
  /// The sides that forfeited, by match.
  var forfeits: [Int64: Set<UInt32>] { state.withLock { $0.forfeits } }

  /// Operations of devices that had lost their targets, which an official rejects.
  var rejected: Set<[UInt8]> { state.withLock { $0.rejected } }
  var calls: [Call] { state.withLock { $0.calls } }
  /// The points by which a paper lowered the totals of participants.
  var deductions: [Int64: RehearsalPlan.Deduction] { state.withLock { $0.deductions } }
  /// The sums of participants that an official typed from papers.
  var typed: [Int64: PlainTally] { state.withLock { $0.typed } }

  /// Calls a closure with the number of different operations after each batch.
  func onProgress(_ report: @escaping @Sendable (Int) -> Void) {
    state.withLock { $0.progress = report }
  }

  func noteCall() { state.withLock { $0.counts.calls += 1 } }

  func note(_ fault: NetworkFault) { state.withLock { $0.counts.faults[fault, default: 0] += 1 } }

  func sent(_ operations: [ScoringOperation]) {
    let (progress, count) = state.withLock { state in
      state.counts.sentOperations += operations.count
      for operation in operations where state.scores[operation.clientID] == nil {
        state.scores[operation.clientID] = Sent(operation: operation)
      }
      return (state.progress, state.scores.count)
    }
    progress?(count)
  }

  func sent(_ operations: [MatchOperation]) {
    state.withLock { state in
      state.counts.sentOperations += operations.count
      for operation in operations where state.matches[operation.clientID] == nil {
        state.matches[operation.clientID] = Sent(operation: operation)
      }
    }
  }

  func answered(_ verdicts: [OperationVerdict]) {
    state.withLock { state in
      for verdict in verdicts {
        state.scores[verdict.clientID]?.verdict = verdict.verdict
        if verdict.verdict == .notYet { state.counts.notYet += 1 }
        if verdict.verdict == .same { state.counts.same += 1 }
      }
    }
  }

  func answered(_ verdicts: [MatchOperationVerdict]) {
    state.withLock { state in
      for verdict in verdicts {
        state.matches[verdict.clientID]?.verdict = verdict.verdict
        if verdict.verdict == .same { state.counts.same += 1 }
      }
    }
  }

  func sent(_ operations: [CardOperation]) {
    state.withLock { state in
      state.counts.sentOperations += operations.count
      for operation in operations where state.cards[operation.clientID] == nil {
        state.cards[operation.clientID] = Sent(operation: operation)
      }
    }
  }

  func answered(_ verdicts: [CardOperationVerdict]) {
    state.withLock { state in
      for verdict in verdicts {
        state.cards[verdict.clientID]?.verdict = verdict.verdict
        if verdict.verdict == .notYet { state.counts.notYet += 1 }
        if verdict.verdict == .same { state.counts.same += 1 }
      }
    }
  }

  /// Notes that a judge ruled on an end: its arrows count, whatever was sent.
  func ruled(_ participant: Int64, _ end: UInt32, _ arrows: [RehearsalPlan.Arrow]) {
    state.withLock { $0.rulings[participant, default: [:]][end] = arrows }
  }

  /// Notes that an operation on an arrow, or on a second card, must have no effect.
  func exclude(_ clientID: [UInt8]) {
    state.withLock { state in
      state.scores[clientID]?.isWithoutEffect = true
      state.cards[clientID]?.isWithoutEffect = true
    }
  }

  /// Notes that an operation on a match must have no effect.
  func exclude(match clientID: [UInt8]) {
    state.withLock { $0.matches[clientID]?.isWithoutEffect = true }
  }

  /// Notes that an official has to reject an operation of a device that had lost its target.
  func reject(_ clientID: [UInt8]) {
    exclude(clientID)
    state.withLock { _ = $0.rejected.insert(clientID) }
  }

  func called(_ call: Call) { state.withLock { $0.calls.append(call) } }

  func deducted(_ lower: RehearsalPlan.Deduction, from participant: Int64) {
    state.withLock { $0.deductions[participant] = lower }
  }

  func typed(_ tally: PlainTally, of participant: Int64) {
    state.withLock { $0.typed[participant] = tally }
  }

  /// The latest verdict on an operation on an arrow; nil: no reply was seen.
  func verdict(ofScore clientID: [UInt8]) -> Verdict? {
    state.withLock { $0.scores[clientID]?.verdict }
  }

  /// Notes that a match was emptied: what was sent for it until now counts no more.
  func void(match: Int64) {
    state.withLock { state in
      for (id, sent) in state.matches where sent.operation.matchID == match {
        state.matches[id]?.isWithoutEffect = true
      }
      state.forfeits[match] = nil
    }
  }

  func forfeit(match: Int64, side: UInt32) {
    state.withLock { _ = $0.forfeits[match, default: []].insert(side) }
  }

  /// The client_id of the operation that holds a place of a card: the last of its chain.
  func head(ofMatch match: Int64, side: UInt32, shootOff: Bool, index: UInt32) -> [UInt8]? {
    let sent = state.withLock { state in
      state.matches.values.filter { sent in
        let operation = sent.operation
        return !sent.isWithoutEffect && operation.matchID == match && operation.side == side
          && operation.entry?.shootOff == shootOff && operation.entry?.index == index
      }
    }
    let replaced = Set(sent.map(\.operation.replacesClientID))
    return sent.first { !replaced.contains($0.operation.clientID) }?.operation.clientID
  }

  /// The client_id of the operation that holds a slot: the last of its chain.
  func head(of participant: Int64, end: Int, arrow: Int) -> [UInt8]? {
    let sent = state.withLock { state in
      state.scores.values.filter { sent in
        let operation = sent.operation
        return !sent.isWithoutEffect && operation.participantID == participant
          && operation.endIndex == UInt32(end) && operation.arrowIndex == UInt32(arrow)
      }
    }
    let replaced = Set(sent.map(\.operation.replacesClientID))
    return sent.first { !replaced.contains($0.operation.clientID) }?.operation.clientID
  }
}

extension RehearsalLog.Call {
  /// A call as the server has it.
  init(_ call: TargetCall) {
    self.init(
      id: call.id, target: call.target, kind: call.kind, participant: call.participantID,
      owedArrows: call.owedArrows, end: call.endIndex, text: call.text, decision: call.decision)
  }
}

/// What happens to a call of a device.
enum NetworkFault: String, Sendable, Hashable, CaseIterable {
  /// The request is lost.
  case lostRequest = "requests lost"
  /// The server answers, and the reply is lost.
  case lostReply = "replies lost"
  /// The request arrives twice.
  case repeated = "requests repeated"
  /// The connection is closed during the call.
  case brokenConnection = "connections closed"
}
