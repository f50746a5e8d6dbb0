import GatewayCalls
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import QuiverWire

/// Scorers of archers: each scores the ends of its participants with random arrows until all are
/// shot; one participant after the other, end by end, or with its own account as `next` in the
/// replies says.
final class ScorerWork: RoleWork {
  let tallies: [Tally]
  private let tally: Tally
  private let role: Scenario.Role
  private let context: RunContext
  private let scores: ScoreBook
  private let clients: [any LoadCaller]
  private let wholeEnds: Bool
  private let hasAccounts: Bool
  private let options: CallOptions

  /// The number of attempts of a call before its end is skipped.
  private static let attempts = 20
  /// The delay after a failed attempt, in seconds.
  private static let pause = 0.1

  init(
    _ role: Scenario.Role, _ context: RunContext, _ scores: ScoreBook, _ clients: [any LoadCaller],
    timeoutSeconds: Double, wholeEnds: Bool, hasAccounts: Bool, tally: Tally
  ) {
    self.hasAccounts = hasAccounts
    self.role = role
    self.context = context
    self.scores = scores
    self.clients = clients
    self.wholeEnds = wholeEnds
    self.tally = tally
    tallies = [tally]
    options = CallOptions(timeout: .nanoseconds(Int64(timeoutSeconds * 1e9)))
  }

  func live(_ life: ActorLife) async {
    var random = context.scope(role, actor: life.number).random
    var turns = ScorerTurns(scores, scores.places(of: life.number, among: role.actors))
    var turn = turns.next()
    while let (place, end) = turn {
      guard !life.shallStop, !Task.isCancelled else { return }
      guard let next = await score(end, of: place, life, &random) else { return }
      await life.wait(seconds: role.think.seconds(&random))
      turn = hasAccounts ? follow(next, &turns) : turns.next()
    }
    tally.note("scorers who are done")
    while !life.shallStop, !Task.isCancelled { await life.wait(seconds: 1) }
  }

  /// Follows the server's `next`; returns nil if the scorer is done.
  private func follow(_ next: NextStep, _ turns: inout ScorerTurns) -> ScorerTurns.Turn? {
    let own = turns.next()
    if next.kind == .done, own == nil { return nil }
    if let place = scores.place(of: next.participantID), turns.places.contains(place),
      let end = scores.openEnd(place), end == Int(next.endIndex)
    {
      return (place, end)
    }
    tally.note(Self.strayNext)
    return own
  }

  /// The name in the results for a reply whose `next` is not an open end of its scorer.
  static let strayNext = "answers whose next is no open end"

  /// Scores an end in one call, or in one for each arrow; returns nil if that failed.
  private func score(
    _ end: Int, of place: Int, _ life: ActorLife, _ random: inout SplitMix64
  ) async -> NextStep? {
    let first = scores.slot(end: end, arrow: 0)
    let marks = scores.card(place).arrows
    let open = (0..<scores.ends[end]).filter { arrow in
      marks.isEmpty || marks[first + arrow].state != .acknowledged
    }
    guard !wholeEnds else { return await send(end, open, of: place, life, &random) }
    var next: NextStep?
    for arrow in open {
      guard !life.shallStop else { return nil }
      next = await send(end, [arrow], of: place, life, &random)
      guard next != nil else { return nil }
    }
    return next
  }

  /// Sends the arrows of one end until they are acknowledged, unchanged.
  private func send(
    _ end: Int, _ arrows: [Int], of place: Int, _ life: ActorLife, _ random: inout SplitMix64
  ) async -> NextStep? {
    guard let firstArrow = arrows.first else { return NextStep() }
    let slot = scores.slot(end: end, arrow: firstArrow)
    let marks = arrows.map { _ in mark(&random) }
    var operations: [ScoringOperation] = []
    for (arrow, mark) in zip(arrows, marks) {
      var operation = ScoringOperation()
      operation.clientID = ClientID.make(&random)
      operation.participantID = scores.participants[place]
      operation.endIndex = UInt32(end)
      operation.arrowIndex = UInt32(arrow)
      operation.value = UInt32(mark.value)
      operation.isX = mark.isX
      operation.input = .buttons
      operations.append(operation)
    }
    let client = clients[life.number % clients.count]
    for _ in 0..<Self.attempts {
      let sent = Clock.nanoseconds()
      let attempt = scores.sent(place, from: slot, marks, at: sent)
      tally.began(intended: sent, sent: sent)
      do throws(RPCError) {
        let answer = try await call(operations, over: client)
        let now = Clock.nanoseconds()
        scores.acknowledged(
          place, attempt, from: slot, count: marks.count,
          operation: answer.arrows.first?.operationID ?? 0, at: now)
        tally.ended(intended: sent, sent: sent, now: now, nil)
        return answer.next ?? NextStep()
      } catch {
        guard error.code != .cancelled || error.origin != .client else {
          tally.left(intended: sent, sent: sent)
          return nil
        }
        if error.isNotProcessed { scores.withdrawn(place, attempt) }
        tally.ended(
          intended: sent, sent: sent, now: Clock.nanoseconds(),
          (error.code, "\(error.code.name): \(error.message)"))
        await life.wait(seconds: Self.pause)
        guard !life.shallStop else { return nil }
      }
    }
    return nil
  }

  private func call(
    _ operations: [ScoringOperation], over client: any LoadCaller
  ) async throws(RPCError) -> ScoreResponse {
    guard !wholeEnds else {
      var request = RecordEndRequest()
      request.operations = operations
      return try await client.call(Tournament.recordEnd, request, options: options)
    }
    var request = RecordArrowRequest()
    request.operation = operations.first
    return try await client.call(Tournament.recordArrow, request, options: options)
  }

  private func mark(_ random: inout SplitMix64) -> ScoreBook.Mark {
    let value = scores.values.randomElement(using: &random) ?? 0
    var mark = ScoreBook.Mark()
    mark.value = UInt8(clamping: value)
    mark.isX = value == scores.topWithX && Bool.random(using: &random)
    return mark
  }
}

/// The order of turns: every participant's first end, then every participant's second.
struct ScorerTurns {
  typealias Turn = (place: Int, end: Int)

  let places: [Int]
  private let scores: ScoreBook
  private var end = 0
  private var index = 0

  init(_ scores: ScoreBook, _ places: [Int]) {
    self.scores = scores
    self.places = places
  }

  /// The next end that is not fully acknowledged; nil if all are. Skipped ends do not return.
  mutating func next() -> Turn? {
    while end < scores.ends.count {
      while index < places.count {
        let place = places[index]
        if scores.openEnd(place) == end { return (place, end) }
        index += 1
      }
      (end, index) = (end + 1, 0)
    }
    return nil
  }
}
