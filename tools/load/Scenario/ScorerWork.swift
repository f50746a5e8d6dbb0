import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire

/// Archers' scorers: each scores the ends of its participants, one participant after the other,
/// end by end, with random arrows, until all are shot.
final class ScorerWork: RoleWork {
  let tallies: [Tally]
  private let tally: Tally
  private let role: Scenario.Role
  private let context: RunContext
  private let scores: ScoreBook
  private let clients: [QuiverClient]
  private let wholeEnds: Bool
  private let options: CallOptions

  /// Attempts at one call before its end is left as it is.
  private static let attempts = 20
  /// Behind one that failed, in seconds.
  private static let pause = 0.1

  init(
    _ role: Scenario.Role, _ context: RunContext, _ scores: ScoreBook, _ clients: [QuiverClient],
    wholeEnds: Bool, tally: Tally
  ) {
    self.role = role
    self.context = context
    self.scores = scores
    self.clients = clients
    self.wholeEnds = wholeEnds
    self.tally = tally
    tallies = [tally]
    options = CallOptions(timeout: .nanoseconds(Int64(role.timeoutSeconds * 1e9)))
  }

  func live(_ life: ActorLife) async {
    var random = context.scope(role, actor: life.number).random
    let mine = Array(
      stride(from: life.number, to: scores.participants.count, by: max(1, role.actors)))
    for end in scores.ends.indices {
      for place in mine where scores.openEnd(place) == end {
        guard !life.shallStop, !Task.isCancelled else { return }
        guard await score(end, of: place, life, &random) else { return }
        await life.wait(seconds: role.think.seconds(&random))
      }
    }
    tally.note("scorers who are done")
    while !life.shallStop, !Task.isCancelled { await life.wait(seconds: 1) }
  }

  /// Scores an end in one call, or in one for each arrow; false: it could not be.
  private func score(
    _ end: Int, of place: Int, _ life: ActorLife, _ random: inout Seeded
  ) async -> Bool {
    let first = scores.slot(end: end, arrow: 0)
    let marks = scores.card(place).arrows
    let open = (0..<scores.ends[end]).filter { arrow in
      marks.isEmpty || marks[first + arrow].state != .acknowledged
    }
    guard !wholeEnds else {
      return await send(end, open, of: place, life, &random)
    }
    for arrow in open {
      guard !life.shallStop, await send(end, [arrow], of: place, life, &random) else {
        return false
      }
    }
    return true
  }

  /// Sends arrows of one end until they are acknowledged, the same each time.
  private func send(
    _ end: Int, _ arrows: [Int], of place: Int, _ life: ActorLife, _ random: inout Seeded
  ) async -> Bool {
    guard let firstArrow = arrows.first else { return true }
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
      let commit = scores.sent(place, from: slot, marks, at: sent)
      tally.began()
      do throws(RPCError) {
        let answer = try await call(operations, over: client)
        let now = Clock.nanoseconds()
        scores.acknowledged(
          place, commit, from: slot, count: marks.count,
          operation: answer.arrows.first?.operationID ?? 0, at: now)
        tally.ended(intended: sent, sent: sent, now: now, nil)
        return true
      } catch {
        guard error.code != .cancelled || error.origin != .client else {
          tally.left()
          return false
        }
        if error.isNotProcessed { scores.withdrawn(place, from: slot, count: marks.count) }
        tally.ended(
          intended: sent, sent: sent, now: Clock.nanoseconds(),
          (error.code, "\(error.code.name): \(error.message)"))
        await life.wait(seconds: Self.pause)
        guard !life.shallStop else { return false }
      }
    }
    return false
  }

  private func call(
    _ operations: [ScoringOperation], over client: QuiverClient
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

  private func mark(_ random: inout Seeded) -> ScoreBook.Mark {
    let value = scores.values.randomElement(using: &random) ?? 0
    var mark = ScoreBook.Mark()
    mark.value = UInt8(clamping: value)
    mark.isX = value == scores.topWithX && Bool.random(using: &random)
    return mark
  }
}
