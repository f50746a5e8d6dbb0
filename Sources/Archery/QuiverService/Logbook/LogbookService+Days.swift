import QuiverAPI
import QuiverCalendar
import QuiverRPC
import QuiverRules
import QuiverStore

extension LogbookService {
  func getTrainingLog(
    _ request: GetTrainingLogRequest, _ call: CallContext
  ) async throws -> GetTrainingLogResponse {
    let question = try TrainingDays(
      of: try call.storeCaller(), from: request.fromDay, to: request.toDay,
      most: Self.trainingLogDays, unit: request.unit, zone: request.timeZone)
    return try await longRead(of: question.principal) { (snapshot) throws(StoreError) in
      let found = try question.days(snapshot)
      var response = GetTrainingLogResponse()
      response.days = found.days
      response.unit = found.unit
      return response
    }
  }

  func watchTrainingLog(
    _ request: WatchTrainingLogRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchTrainingLogResponse>
  ) throws {
    let question = try TrainingDays(
      of: try call.storeCaller(), from: request.fromDay, to: request.toDay,
      most: Self.watchedDays, unit: request.unit, zone: request.timeZone)
    try JournalWatch.start(TrainingLogWatch(question: question), watches, call, replies)
  }

  /// Days of a training log that one call answers, and that one watch shows.
  private static let trainingLogDays = 366
  private static let watchedDays = 93
}

/// Some days of a principal's training log, which any change of entries, sets or rounds may change.
private struct TrainingLogWatch: WatchSource {
  let question: TrainingDays

  var key: ChangeFeed.Key { .principal(question.principal) }

  func part(
    _ token: String, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> (message: WatchTrainingLogResponse, next: String) {
    let found = try question.days(snapshot)
    var response = WatchTrainingLogResponse()
    response.days = found.days
    response.unit = found.unit
    return (response, "")
  }

  // Changes of arrows name the participant; the removal of a round names the session.
  private static let kinds: Set<ObjectKind> = [
    .weightEntry, .liftSet, .strengthLog, .principal, .participant, .round, .session,
  ]

  func concerns(_ entry: JournalEntry) -> Bool {
    entry.principal == question.principal && Self.kinds.contains(entry.kind)
  }

  func changes(
    _ entries: [JournalEntry], _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> WatchTrainingLogResponse? {
    // When somebody weighs is not told to who may not read it.
    if entries.allSatisfy({ $0.kind == .weightEntry }), try !question.showsWeight(snapshot) {
      return nil
    }
    return try part("", snapshot).message
  }
}

/// Which days of a training log are asked for, and how they are shown.
private struct TrainingDays: Hashable, Sendable {
  let principal: Int64
  /// Who reads them: another than the principal where somebody acts for it.
  let actor: Int64
  let days: ClosedRange<Int32>
  let unit: QuiverAPI.WeightUnit
  /// Of the request; empty: the profile's.
  let zone: String

  init(
    of caller: CommandCaller, from first: Int32, to last: Int32, most: Int,
    unit: QuiverAPI.WeightUnit, zone: String
  ) throws {
    try QuiverRules.WeightUnit.check(unit)
    if !zone.isEmpty { _ = try CivilZone.given(zone, field: "time_zone") }
    days = try LogbookService.days(first, last)
    guard days.count <= most else {
      throw RPCError.invalid("to_day", "must be at most \(most) days from from_day")
    }
    principal = caller.principal
    actor = caller.actor
    self.unit = unit
    self.zone = zone
  }

  /// Whether the body weight is shown: not to who may read the training log and no weight.
  func showsWeight(_ snapshot: borrowing Snapshot) throws(StoreError) -> Bool {
    try snapshot.readableParts(of: principal, by: actor).parts.contains(.weightPart)
  }

  func days(
    _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> (days: [TrainingDay], unit: QuiverAPI.WeightUnit) {
    let shown = try QuiverRules.WeightUnit.shown(unit, snapshot, principal: principal)
    let name =
      zone.isEmpty ? try snapshot.principal(id: principal).timeZone : zone
    // A profile may have no zone, or one that this machine's calendar has lost.
    let known = try? CivilZone(name)
    let records = try snapshot.trainingDays(
      days, in: shown, principal: principal, showsWeight: try showsWeight(snapshot)
    ) { instant in
      known?.day(ofMilliseconds: instant) ?? CivilZone.utcDay(ofMilliseconds: instant)
    }
    return (records.map { TrainingDay($0, in: shown) }, shown.message)
  }
}

extension TrainingDay {
  init(_ record: TrainingDayRecord, in unit: QuiverRules.WeightUnit) {
    self.init()
    day = record.day
    meanWeightThousandths = record.meanWeight
    weightEntryCount = UInt32(clamping: record.weightEntryCount)
    exercises = record.exercises.map { exercise in
      var trained = TrainedExercise()
      trained.name = exercise.name.text
      trained.setCount = UInt32(clamping: exercise.setCount)
      trained.best = exercise.best.map { LiftPoint($0, in: unit) }
      return trained
    }
    rounds = record.rounds.map(ShotRound.init)
  }
}

extension ShotRound {
  init(_ record: ShotRoundRecord) {
    self.init()
    sessionID = record.sessionID
    participantID = record.participantID
    tournament = record.isTournament
    formatName = record.formatName
    formatArrowCount = UInt32(clamping: record.formatArrowCount)
    firstShotAtMilliseconds = record.firstShotAtMilliseconds
    score = Score(record.tally)
    score?.typed = record.isTyped
  }
}
