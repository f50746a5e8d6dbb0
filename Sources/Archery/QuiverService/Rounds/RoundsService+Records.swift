import QuiverAPI
import QuiverCalendar
import QuiverRPC
import QuiverRules
import QuiverStore

extension RoundsService {
  func getPersonalBests(
    _ request: GetPersonalBestsRequest, _ call: CallContext
  ) throws -> GetPersonalBestsResponse {
    let principal = try call.storeCaller().principal
    let wanted = try request.bowstyle.division()
    return try commands.store.read { (snapshot) throws(StoreError) in
      var response = GetPersonalBestsResponse()
      response.bests = try PersonalBest.all(
        of: try snapshot.principal(id: principal), with: wanted, snapshot)
      return response
    }
  }

  func getRunningHandicap(
    _ request: GetRunningHandicapRequest, _ call: CallContext
  ) throws -> GetRunningHandicapResponse {
    let principal = try call.storeCaller().principal
    guard let venue = RoundVenue(rawValue: request.location.rawValue) else {
      throw RPCError.invalid("location", "must be indoor, outdoor or field")
    }
    let wanted = try request.bowstyle.division()
    let store = commands.store
    return try store.read { (snapshot) throws(StoreError) in
      let profile = try snapshot.principal(id: principal)
      let bow = wanted ?? profile.bow
      // A profile may have no zone, or one that this machine's calendar has lost.
      let zone = try? CivilZone(profile.timeZone)
      let end = request.asOfMilliseconds ?? StoreClock.system.wallMilliseconds()
      let known = try snapshot.completedRounds(principal: principal, before: end)
      var running = RunningHandicap(venue)
      var tables: [Int64: HandicapTable] = [:]
      var response = GetRunningHandicapResponse()
      for round in known.rounds where round.bow ?? profile.bow == bow {
        guard let format = known.formats[round.formatID]?.format, format.location == venue,
          format.countsForHandicap,
          var table = tables[round.formatID] ?? HandicapTable(format.handicapPasses),
          let handicap = table.handicap(round.score)
        else { continue }
        tables[round.formatID] = table
        let day = zone.day(round.firstShotAtMilliseconds)
        let step = running.add(day: day, handicap: handicap)
        response.roundCount += 1
        response.steps.append(HandicapStep(round, format, day: day, handicap, step))
      }
      running.beginSeason(ofDay: zone.day(end))
      response.steps = Array(response.steps.suffix(StoreLimits.handicapSteps).reversed())
      response.handicap = running.current.map { Int32(clamping: $0) }
      response.missingRounds = UInt32(clamping: running.missingRounds)
      response.bowstyle = Bowstyle(rawValue: bow?.rawValue ?? 0)
      return response
    }
  }
}

/// What personal bests are counted by.
private struct BestKey: Hashable {
  let format: Int64
  let bow: BowDivision?
}

extension CivilZone? {
  /// The civil day of an instant, in UTC without a zone.
  fileprivate func day(_ milliseconds: Int64) -> Int32 {
    self?.day(ofMilliseconds: milliseconds) ?? CivilZone.utcDay(ofMilliseconds: milliseconds)
  }
}

extension Bowstyle {
  /// The bowstyle of a request; nil if it is unspecified. Throws for an unknown number.
  func division() throws -> BowDivision? {
    guard rawValue != 0 else { return nil }
    guard let bow = BowDivision(rawValue: rawValue) else {
      throw RPCError.invalid("bowstyle", "must be one of the known values")
    }
    return bow
  }
}

extension PersonalBest {
  /// The best scores of a principal in all formats, with one bowstyle or with all of them, by the
  /// name of the format.
  static func all(
    of profile: PrincipalRecord, with wanted: BowDivision?, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> [PersonalBest] {
    let known = try snapshot.completedRounds(principal: profile.id, before: .max)
    var bests: [BestKey: PersonalBest] = [:]
    for round in known.rounds {
      let bow = round.bow ?? profile.bow
      guard wanted == nil || bow == wanted, let format = known.formats[round.formatID] else {
        continue
      }
      let key = BestKey(format: round.formatID, bow: bow)
      var best = bests[key] ?? PersonalBest(format, bow)
      best.roundCount += 1
      if best.isBeaten(by: round) { best.take(round) }
      bests[key] = best
    }
    return bests.map { key, best in
      best.rated(known.formats[key.format]?.format, bow: key.bow, profile)
    }.sorted { one, two in
      (one.formatName, one.formatID, one.bowstyle.rawValue)
        < (two.formatName, two.formatID, two.bowstyle.rawValue)
    }
  }

  fileprivate init(_ record: RoundFormatRecord, _ bow: BowDivision?) {
    self.init()
    formatID = record.id
    codename = record.format.codename
    formatName = record.format.name
    arrowCount = UInt32(clamping: record.format.arrowCount)
    maximumScore = UInt32(clamping: record.format.maximumScore)
    bowstyle = Bowstyle(rawValue: bow?.rawValue ?? 0)
  }

  /// The higher score, then more X; of equal ones the first.
  fileprivate func isBeaten(by round: CompletedRoundRecord) -> Bool {
    participantID == 0 || (Int(score), Int(xCount)) < (round.score, round.xCount)
  }

  fileprivate mutating func take(_ round: CompletedRoundRecord) {
    score = UInt32(clamping: round.score)
    xCount = UInt32(clamping: round.xCount)
    sessionID = round.sessionID
    participantID = round.participantID
    tournament = round.isTournament
    shotAtMilliseconds = round.firstShotAtMilliseconds
    typed = round.isTyped
    shootStatus = QuiverAPI.ShootStatus(rawValue: round.shootStatus?.rawValue ?? 0)
  }

  /// The same with the handicap of the score, and its class where the category is known.
  fileprivate func rated(
    _ format: QuiverRules.RoundFormat?, bow: BowDivision?, _ profile: PrincipalRecord
  ) -> PersonalBest {
    guard let format else { return self }
    var best = self
    var table = HandicapTable(format.handicapPasses)
    best.handicap = table?.handicap(Int(score)).map { Int32(clamping: $0) }
    if let bow, let gender = profile.gender, let age = profile.age {
      let category = ArcherCategory(bow: bow, gender: gender, age: age)
      // A round without classes has none.
      let known = try? ClassificationScheme.classification(score: Int(score), format, category)
      best.classCode = known?.code ?? ""
    }
    return best
  }
}

extension HandicapStep {
  fileprivate init(
    _ round: CompletedRoundRecord, _ format: QuiverRules.RoundFormat, day: Int32,
    _ handicap: Int, _ step: RunningHandicap.Step
  ) {
    self.init()
    sessionID = round.sessionID
    participantID = round.participantID
    formatName = format.name
    score = UInt32(clamping: round.score)
    shotAtMilliseconds = round.firstShotAtMilliseconds
    self.day = day
    roundHandicap = Int32(clamping: handicap)
    before = step.before.map { Int32(clamping: $0) }
    after = step.after.map { Int32(clamping: $0) }
  }
}
