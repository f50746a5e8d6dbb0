import QuiverAPI
import QuiverCalendar
import QuiverRPC
import QuiverRules
import QuiverStore

extension AccountService {
  private static let squads = ReadScheduler(.long)
  private static let standardWeeks: UInt32 = 8

  /// One page of archers in one snapshot.
  func getSquad(
    _ request: GetSquadRequest, _ call: CallContext
  ) async throws -> GetSquadResponse {
    let reader = try call.storeCaller().principal
    guard request.weeks <= StoreLimits.squadWeeks else {
      throw RPCError.invalid("weeks", "must be at most \(StoreLimits.squadWeeks)")
    }
    let weeks = Int32(request.weeks == 0 ? Self.standardWeeks : request.weeks)
    let size =
      request.pageSize == 0
      ? StoreLimits.squadPageSize
      : min(request.pageSize, StoreLimits.squadPageSize)
    let store = commands.store
    do throws(StoreError) {
      return try await Self.squads.run(of: .principal(reader)) { () throws(StoreError) in
        try store.read { (snapshot) throws(StoreError) in
          let page = try snapshot.shares(
            of: reader, side: .received, pageSize: size, pageToken: request.pageToken)
          var response = GetSquadResponse()
          for share in page.items {
            response.members.append(
              try Self.member(share, weeks: weeks, now: store.nowMilliseconds, snapshot))
          }
          response.nextPageToken = page.nextPageToken
          return response
        }
      }
    } catch {
      throw RPCError(error)
    }
  }

  private static func member(
    _ share: ShareRecord, weeks: Int32, now: Int64, _ snapshot: borrowing Snapshot
  ) throws(StoreError) -> SquadMember {
    // A profile may have no zone, or one that this machine's calendar has lost.
    let name = try snapshot.principal(id: share.owner).timeZone
    let zone = try? CivilZone(name)
    let day = { (instant: Int64) in
      zone?.day(ofMilliseconds: instant) ?? CivilZone.utcDay(ofMilliseconds: instant)
    }
    let today = day(now)
    let monday = SquadWeek.monday(of: today)
    let first = monday - 7 * (weeks - 1)
    let record = try snapshot.squadMember(share, in: first...today)
    var member = SquadMember()
    member.share = Share(share)
    member.lastRounds = record.lastRounds.map(ShotRound.init)
    if record.showsRounds || record.showsSets {
      member.weeks = SquadWeek.all(of: record, from: monday, count: weeks, day)
    }
    if record.isReadable, share.parts.contains(.roundsPart) {
      let bests = try PersonalBest.all(of: record.owner, with: nil, snapshot).sorted {
        $0.shotAtMilliseconds > $1.shotAtMilliseconds
      }
      member.bests = Array(bests.prefix(StoreLimits.squadBests))
      member.newBestCount = UInt32(
        clamping: bests.filter { day($0.shotAtMilliseconds) >= first }.count)
    }
    member.setups = record.setups.map(ChangedSetup.init)
    return member
  }
}

extension SquadWeek {
  /// The Monday of the week of a day: 1970-01-01 was a Thursday.
  static func monday(of day: Int32) -> Int32 {
    let past = (day + 3) % 7
    return day - (past < 0 ? past + 7 : past)
  }

  fileprivate static func all(
    of record: SquadMemberRecord, from monday: Int32, count: Int32, _ day: (Int64) -> Int32
  ) -> [SquadWeek] {
    var weeks = (0..<count).map { place in
      var week = SquadWeek()
      week.firstDay = monday - 7 * place
      return week
    }
    let place = { (day: Int32) -> Int? in
      let place = Int((monday - Self.monday(of: day)) / 7)
      return weeks.indices.contains(place) ? place : nil
    }
    for round in record.rounds {
      guard let place = place(day(round.firstShotAtMilliseconds)) else { continue }
      weeks[place].roundCount += 1
      weeks[place].arrowCount += UInt32(clamping: round.tally.arrowCount)
    }
    for (day, count) in record.setCounts {
      if let place = place(day) { weeks[place].setCount += UInt32(clamping: count) }
    }
    return weeks
  }
}

extension ChangedSetup {
  init(_ record: SquadMemberRecord.ChangedSetup) {
    self.init()
    setupID = record.id
    name = record.name
    version = UInt32(clamping: record.version)
    changedAtMilliseconds = record.changedAtMilliseconds
  }
}
