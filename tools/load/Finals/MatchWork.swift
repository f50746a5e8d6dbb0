import GatewayCalls
import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// Scorers of matches: each takes a match of the bracket, scores both cards end by end with random
/// arrows, confirms them, and takes the next one until the bracket is complete.
final class MatchWork: RoleWork {
  let tallies: [Tally]
  private let reads: Tally
  private let scores: Tally
  private let confirmations: Tally
  private let role: Scenario.Role
  private let context: RunContext
  private let book: MatchBook
  private let clients: [any LoadCaller]
  private let options: CallOptions

  private static let attempts = 20
  /// The delays after a failed attempt, and before the bracket is read again, in seconds.
  private static let pause = 0.1
  private static let arrowCount = 3

  /// `tallies` are those of reads, scores and confirmations.
  init(
    _ role: Scenario.Role, _ context: RunContext, _ book: MatchBook, _ clients: [any LoadCaller],
    timeoutSeconds: Double,
    tallies: (reads: Tally, scores: Tally, confirmations: Tally)
  ) {
    self.role = role
    self.context = context
    self.book = book
    self.clients = clients
    (reads, scores, confirmations) = tallies
    self.tallies = [tallies.reads, tallies.scores, tallies.confirmations]
    options = CallOptions(timeout: .nanoseconds(Int64(timeoutSeconds * 1e9)))
  }

  func live(_ life: ActorLife) async {
    var random = context.scope(role, actor: life.number).random
    let client = clients[life.number % clients.count]
    while !life.shallStop, !Task.isCancelled {
      let bracket = await call(
        Elimination.getBracket, .with { $0.stageID = book.stage }, client, reads, life)
      guard let bracket else { return }
      if bracket.matches.allSatisfy({ $0.state == .confirmed || $0.state == .bye }) {
        scores.note("scorers who are done")
        while !life.shallStop, !Task.isCancelled { await life.wait(seconds: 1) }
        return
      }
      guard let match = book.take(from: bracket) else {
        await life.wait(seconds: Self.pause)
        continue
      }
      guard await play(match, client, life, &random) else { return }
    }
  }

  /// Plays a match to its end; returns whether that was possible.
  private func play(
    _ match: EliminationMatch, _ client: any LoadCaller, _ life: ActorLife,
    _ random: inout SplitMix64
  ) async -> Bool {
    var current = match
    while current.state != .finished {
      let isShootOff = current.state == .shootOff
      var operations: [MatchOperation] = []
      for side in UInt32(1)...2 {
        var operation = MatchOperation()
        operation.clientID = ClientID.make(&random)
        operation.matchID = match.id
        operation.side = side
        operation.participantID = match.sides[Int(side) - 1].participantID
        operation.entry = .with { entry in
          entry.shootOff = isShootOff
          entry.index = current.nextEnd
        }
        for _ in 0..<(isShootOff ? 1 : Self.arrowCount) {
          // The first side wins shoot-offs.
          let value = isShootOff ? 11 - side : UInt32.random(in: 6...10, using: &random)
          operation.entry?.arrows.append(.with { $0.value = value })
        }
        operations.append(operation)
      }
      guard !life.shallStop, let next = await send(operations, client, life) else { return false }
      current = next
      await life.wait(seconds: role.think.seconds(&random))
    }
    for side in UInt32(1)...2 {
      let revision = current.revision
      let confirmed = await call(
        Elimination.confirmMatchCard,
        .with { ($0.matchID, $0.side, $0.revision) = (match.id, side, revision) }, client,
        confirmations, life)
      guard let confirmed else { return false }
      current = confirmed
    }
    return true
  }

  /// Sends the ends of both sides; returns the match after them.
  private func send(
    _ operations: [MatchOperation], _ client: any LoadCaller, _ life: ActorLife
  ) async -> EliminationMatch? {
    let reply = await call(
      Elimination.applyMatchOperations, .with { $0.operations = operations }, client, scores,
      life)
    guard let reply, reply.verdicts.count == operations.count else {
      book.leftUnclear(operations.count)
      return nil
    }
    for verdict in reply.verdicts where verdict.verdict != .stored && verdict.verdict != .same {
      scores.note("operations that were refused")
      return nil
    }
    book.acknowledged(operations)
    return reply.verdicts.last?.match
  }

  /// Makes a call until it succeeds; nil if the actor should stop.
  private func call<Request: Message, Response: Message>(
    _ method: UnaryMethod<Request, Response>, _ request: Request, _ client: any LoadCaller,
    _ tally: Tally, _ life: ActorLife
  ) async -> Response? {
    for _ in 0..<Self.attempts {
      let sent = Clock.nanoseconds()
      tally.began(intended: sent, sent: sent)
      do throws(RPCError) {
        let reply = try await client.call(method, request, options: options)
        tally.ended(intended: sent, sent: sent, now: Clock.nanoseconds(), nil)
        return reply
      } catch {
        guard error.code != .cancelled || error.origin != .client else {
          tally.left(intended: sent, sent: sent)
          return nil
        }
        tally.ended(
          intended: sent, sent: sent, now: Clock.nanoseconds(),
          (error.code, "\(error.code.name): \(error.message)"))
        await life.wait(seconds: Self.pause)
        guard !life.shallStop else { return nil }
      }
    }
    return nil
  }
}
