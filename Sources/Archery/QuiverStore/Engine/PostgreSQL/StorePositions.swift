import QuiverPostgres
import Synchronization

/// How far the database of a store has come, as this server knows it, and the calls that wait until
/// it has come further.
///
/// Positions are those of the journal (``JournalEntry/sequence``). One thread asks the database for
/// all calls that wait, on a connection of its own. Another one ends the calls that have waited for
/// too long, also while the database is silent. Any thread may use it.
package final class StorePositions: Sendable {
  /// How a call ends that waits for a position.
  package enum Answer: Sendable {
    /// The store has come so far.
    case reached
    /// The database was asked, and has come to ``latest`` only.
    case notReached
    /// The database has not answered.
    case unanswered
    /// Too many calls wait: all, or those of this principal.
    case tooMany(StoreLimit)
    /// The store is closed.
    case closed
  }

  private let connector: PostgresConnector
  private let known: Atomic<Int64>
  private let state = Monitor(State())

  private struct Question: Sendable {
    let position: Int64
    let principal: Int64
    let end: PostgresDeadline
    /// How many answers the database had given before.
    let answerCount: UInt64
    let completion: @Sendable (Answer) -> Void
  }

  private struct State {
    var questions: [Question] = []
    var countByPrincipal: [Int64: Int] = [:]
    var answerCount: UInt64 = 0
    /// Whether there is a question that the database was not asked.
    var hasNew = false
    var isStopping = false
    var threadCount = 0
  }

  init(_ connector: PostgresConnector, from position: Int64) {
    self.connector = connector
    known = Atomic(max(1, position))
  }

  /// The latest position that the store is known to have reached, 1 or more: that of every command
  /// that this server has acknowledged, or a later one.
  package var latest: Int64 { known.load(ordering: .acquiring) }

  /// How many calls wait.
  package var waitingCount: Int { state.withLock { $0.questions.count } }

  /// The store has come so far.
  func note(_ position: Int64) {
    if position > latest { known.max(position, ordering: .acquiringAndReleasing) }
  }

  /// Calls `completion` once, on any thread, when the store has come to the position, or after so
  /// many milliseconds, `StoreLimits.positionWaitMilliseconds` at most.
  package func wait(
    for position: Int64, of principal: Int64, milliseconds: UInt64,
    _ completion: @escaping @Sendable (Answer) -> Void
  ) {
    let end = PostgresDeadline.after(
      milliseconds: min(milliseconds, StoreLimits.positionWaitMilliseconds))
    let refusal = state.withLock { state -> Answer? in
      guard !state.isStopping else { return .closed }
      let count = state.countByPrincipal[principal, default: 0]
      guard state.questions.count < StoreLimits.positionWaits else {
        return .tooMany(.positionWaits)
      }
      guard count < StoreLimits.positionWaitsPerPrincipal else {
        return .tooMany(.positionWaitsPerPrincipal)
      }
      state.countByPrincipal[principal] = count + 1
      state.questions.append(
        Question(
          position: position, principal: principal, end: end, answerCount: state.answerCount,
          completion: completion))
      state.hasNew = true
      return nil
    }
    if let refusal { return completion(refusal) }
    // Both threads wait for it: to wake one of them could wake the wrong one.
    state.broadcast()
  }

  func start() throws(StoreError) {
    try start { $0.ask() }
    try start { $0.refuse() }
  }

  /// Ends the calls that wait, and returns when the threads have ended.
  func stop() {
    state.withLock { $0.isStopping = true }
    state.broadcast()
    _ = state.wait { $0.threadCount == 0 ? true : nil }
    end { _, _ in .closed }
  }

  private func start(_ body: @escaping @Sendable (StorePositions) -> Void) throws(StoreError) {
    state.withLock { $0.threadCount += 1 }
    do throws(StoreError) {
      try DedicatedThread.start {
        body(self)
        self.ended()
      }
    } catch {
      ended()
      throw error
    }
  }

  private func ended() {
    state.withLock { $0.threadCount -= 1 }
    state.broadcast()
  }

  /// The thread that asks the database while calls wait.
  private func ask() {
    // Before the first question, which has one second.
    var connection = try? connector.connect(.background)
    if let connection { note((try? Self.frontier(on: connection)) ?? 0) }
    var isRepeated = false
    while awaitQuestion() {
      do throws(PostgresError) {
        if connection?.isAlive != true { connection = try connector.connect(.background) }
        if let connection {
          if isRepeated { try useNumbers(on: connection) }
          note(try Self.frontier(on: connection))
        }
        state.withLock { $0.answerCount += 1 }
        let latest = latest
        end { question, _ in question.position <= latest ? .reached : nil }
      } catch {
        connection = nil
      }
      let isNew = state.wait(milliseconds: StoreLimits.positionPollMilliseconds) { state in
        state.hasNew || state.isStopping ? true : nil
      }
      isRepeated = isNew == nil
    }
  }

  private static let useNumber = PostgresText("SELECT pg_current_xact_id()")

  /// Brings the store on where a call waits for a position that is a few transactions ahead.
  ///
  /// A position may be that of a transaction that changed nothing. When the database crashes, or a
  /// replica takes its place, the numbers of such transactions can be given again, and without
  /// other commands no call that states one would ever start.
  private func useNumbers(on connection: PostgresConnection) throws(PostgresError) {
    let nearest = state.withLock { state in state.questions.map(\.position).min() }
    guard let nearest, (nearest - latest) / JournalPosition.perTransaction < Self.numbersAhead
    else { return }
    connection.deadline = .after(milliseconds: StoreLimits.positionWaitMilliseconds)
    for _ in 0..<Self.numbersPerTurn {
      try connection.enqueue(connection.statement(Self.useNumber))
      try connection.endSegment()
    }
    try connection.synchronize()
  }

  /// How many transactions a position may be ahead, and how many are used for it in one turn.
  private static let numbersAhead: Int64 = 256
  private static let numbersPerTurn = 8

  private static func frontier(on connection: PostgresConnection) throws(PostgresError) -> Int64 {
    connection.deadline = .after(milliseconds: StoreLimits.positionWaitMilliseconds)
    let rows = try connection.run(connection.statement(JournalPosition.frontier.postgreSQL))
    return rows.rowCount > 0 ? rows.int64(0, 0) : 0
  }

  /// Waits until the database is to be asked; false if the thread must end.
  private func awaitQuestion() -> Bool {
    state.wait { state -> Bool? in
      if state.isStopping { return false }
      guard !state.questions.isEmpty else { return nil }
      state.hasNew = false
      return true
    } ?? false
  }

  /// The thread that ends the calls whose time is over.
  private func refuse() {
    while true {
      let goesOn = state.wait { state -> Bool? in
        state.isStopping ? false : state.questions.isEmpty ? nil : true
      }
      guard goesOn == true else { return }
      _ = state.wait(milliseconds: StoreLimits.positionPollMilliseconds) {
        $0.isStopping ? true : nil
      }
      let latest = latest
      end { question, state in
        if question.position <= latest { return .reached }
        guard question.end.remainingMilliseconds == 0 else { return nil }
        return state.answerCount > question.answerCount ? .notReached : .unanswered
      }
    }
  }

  /// Ends the calls for which there is an answer.
  private func end(_ answer: (Question, State) -> Answer?) {
    let ended = state.withLock { state -> [(Question, Answer)] in
      var ended: [(Question, Answer)] = []
      var left: [Question] = []
      for question in state.questions {
        guard let answer = answer(question, state) else {
          left.append(question)
          continue
        }
        ended.append((question, answer))
        let count = state.countByPrincipal[question.principal, default: 1] - 1
        state.countByPrincipal[question.principal] = count > 0 ? count : nil
      }
      state.questions = left
      return ended
    }
    for (question, answer) in ended { question.completion(answer) }
  }
}
