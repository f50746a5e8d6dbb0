import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

/// Each act of a desk that could come over what another desk has changed: made with what was read
/// before, it is ABORTED and changes nothing; with what is there now it has its effect.
@Suite("Revisions of what desks change", .timeLimit(.minutes(5)))
struct EventRevisionTests {
  /// The message that an ABORTED call had as its detail.
  private static func current<M: Message>(_ refusal: RPCError?, _ type: M.Type) throws -> M {
    let refusal = try #require(refusal)
    #expect(refusal.code == .aborted)
    #expect(refusal.details.map(\.type) == ["quiver.v1.\(type)"])
    return try M(serializedBytes: refusal.details.first?.value ?? [])
  }

  private static func entry(_ event: TestEvent, _ id: Int64) async throws -> EventEntry {
    try #require(try await event.list().first { $0.participantID == id })
  }

  private static func update(
    _ entry: EventEntry, _ field: String, _ expected: UInt64
  ) -> UpdateEventEntryRequest {
    .with { request in
      (request.entry, request.updateMask, request.expectedRevision) = (entry, [field], expected)
    }
  }

  @Test("An entry that another desk has changed is not overwritten, and arrows change no revision")
  func entries() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let read = try await event.entries([TestEvent.draft("1", "Ann", club: "Red")])[0]
      #expect(read.revision != 0)
      #expect(try await event.list().map(\.revision) == [read.revision])
      try await event.tournament.start()
      try await event.tournament.record(read.participantID, 0, 0, 9)
      var mine = read
      mine.club = "Blue"
      var theirs = read
      theirs.bib = "7"
      let changed = try await event.organiser.call(
        Events.updateEventEntry, Self.update(theirs, "bib", read.revision))
      #expect(changed.bib == "7" && changed.revision != read.revision)
      let refusal = await event.organiser.refusal(
        Events.updateEventEntry, Self.update(mine, "club", read.revision))
      #expect(refusal?.message.contains("expected_revision") == true)
      #expect(try Self.current(refusal, EventEntry.self) == changed)
      #expect(try await event.list() == [changed])
      // What is there already overwrites nothing.
      let same = try await event.organiser.call(
        Events.updateEventEntry, Self.update(theirs, "bib", read.revision))
      #expect(same == changed)
      let merged = try await event.organiser.call(
        Events.updateEventEntry, Self.update(mine, "club", changed.revision))
      #expect(merged.bib == "7" && merged.club == "Blue")
      var named = merged
      named.displayName = "Anna"
      let renamed = await event.organiser.refusal(
        Events.updateEventEntry, Self.update(named, "display_name", changed.revision))
      #expect(try Self.current(renamed, EventEntry.self).displayName == "Ann")
      // Who names no revision overwrites, as before.
      mine.bib = "8"
      let last = try await event.organiser.call(
        Events.updateEventEntry, Self.update(mine, "bib", 0))
      #expect(last.bib == "8" && last.club == "Blue")
    }
  }

  @Test("A revision is for officials, who could otherwise try licences until one fits")
  func officials() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { $0.isPublic = true }
      let read = try await event.entries([TestEvent.draft("1", "Ann")])[0]
      let outsider = try server.client(named: "Will")
      let id = event.id
      let seen = try await outsider.call(Events.listEventEntries, .with { $0.tournamentID = id })
      #expect(seen.entries.map(\.revision) == [0])
      let participant = read.participantID
      let refusal = await outsider.refusal(
        Tournament.withdrawParticipant,
        .with { ($0.participantID, $0.expectedRevision) = (participant, 1) })
      #expect(refusal?.code == .permissionDenied && refusal?.details.isEmpty == true)
    }
  }

  @Test("A state, a withdrawal and a reinstatement name the entry that was read")
  func states() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let read = try await event.entries([TestEvent.draft("1", "Ann")])[0]
      let id = read.participantID
      func set(_ state: QuiverAPI.EventEntryState, _ expected: UInt64) -> SetEventEntryStateRequest
      {
        .with { ($0.participantID, $0.state, $0.expectedRevision) = (id, state, expected) }
      }
      let here = try await event.organiser.call(
        Events.setEventEntryState, set(.checkedIn, read.revision))
      let late = await event.organiser.refusal(
        Events.setEventEntryState, set(.didNotStart, read.revision))
      #expect(try Self.current(late, EventEntry.self) == here)
      // The same again is no change.
      _ = try await event.organiser.call(Events.setEventEntryState, set(.checkedIn, read.revision))
      let withdrawn = await event.organiser.refusal(
        Tournament.withdrawParticipant,
        .with { ($0.participantID, $0.expectedRevision) = (id, read.revision) })
      #expect(try Self.current(withdrawn, EventEntry.self).state == .checkedIn)
      let disqualified = await event.organiser.refusal(
        Tournament.disqualifyParticipant,
        .with {
          ($0.participantID, $0.reason, $0.expectedRevision) = (id, "x", read.revision)
        })
      #expect(disqualified?.code == .aborted)
      _ = try await event.organiser.call(
        Tournament.withdrawParticipant,
        .with { ($0.participantID, $0.expectedRevision) = (id, here.revision) })
      let reinstated = await event.organiser.refusal(
        Tournament.reinstateParticipant,
        .with {
          ($0.participantID, $0.reason, $0.expectedRevision) = (id, "x", here.revision)
        })
      #expect(try Self.current(reinstated, EventEntry.self).state == .withdrawn)
      #expect(try await event.list().map(\.state) == [.withdrawn])
    }
  }

  @Test("A move names who moves and who is there, a draw all whom it moves")
  func places() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let line = try await event.session("line", targets: 1...3, archers: 2)
      try await event.entries(
        (1...3).map { TestEvent.draft("\($0)", "E\($0)", session: line.id) })
      func place(
        _ entry: EventEntry, _ target: UInt32, swapping other: UInt64? = nil
      ) -> PlaceEventEntryRequest {
        .with { request in
          (request.participantID, request.sessionID) = (entry.participantID, line.id)
          (request.target, request.letter) = (target, target == 0 ? "" : "A")
          (request.expectedRevision, request.swap) = (entry.revision, other != nil)
          request.otherRevision = other ?? 0
        }
      }
      let read = try await event.list()
      let first = try await event.organiser.call(Events.placeEventEntry, place(read[0], 1))
      #expect(first.revision != read[0].revision)
      // Another desk, which saw it without a place, does not move it, and takes no place away.
      for target in [UInt32(2), 0] {
        let refusal = await event.organiser.refusal(
          Events.placeEventEntry, place(read[0], target))
        #expect(try Self.current(refusal, EventEntry.self) == first)
      }
      let second = try await event.organiser.call(Events.placeEventEntry, place(read[1], 2))
      // Whom a desk swaps has been seen there, as it is.
      let third = try await event.organiser.call(Events.placeEventEntry, place(read[2], 3))
      _ = try await event.organiser.call(Events.placeEventEntry, place(third, 0))
      let gone = await event.organiser.refusal(
        Events.placeEventEntry, place(second, 3, swapping: third.revision))
      #expect(gone?.code == .aborted && gone?.message.contains("other_revision") == true)
      let another = await event.organiser.refusal(
        Events.placeEventEntry, place(second, 1, swapping: third.revision))
      #expect(try Self.current(another, EventEntry.self) == first)
      _ = try await event.organiser.call(
        Events.placeEventEntry, place(second, 1, swapping: first.revision))
      #expect(try await event.list().map(\.target) == [2, 1, 0])

      let now = try await event.list()
      func draw(_ entries: [EventEntry]) -> DrawTargetsRequest {
        event.drawRequest(line.id, seed: 1) { request in
          request.redraw = true
          request.expectedRevision = entries.reduce(0) { $0 &+ $1.revision }
        }
      }
      _ = try await event.organiser.call(Events.placeEventEntry, place(now[0], 3))
      let stale = await event.organiser.refusal(Events.drawTargets, draw(now))
      #expect(stale?.code == .aborted)
      #expect(try await event.list().map(\.target) == [3, 1, 0])
      let drawn = try await event.organiser.call(
        Events.drawTargets, draw(try await event.list { $0.sessionID = line.id }))
      #expect(drawn.entries.count == 3)
    }
  }

  @Test("An entry has one revision, in whichever session of its rounds it is read")
  func rounds() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server) { $0.format = .library("wa18", arrows: 3) }
      let first = try await event.session("one", targets: 1...2, archers: 2)
      let entry = try await event.entries(
        [TestEvent.draft("1", "Ann", session: first.id)])[0]
      let (id, category) = (event.id, entry.categoryID)
      let before = try await event.organiser.call(
        Events.listEventCategories, .with { $0.tournamentID = id }
      ).categories[0]
      _ = try await event.organiser.call(
        Events.addQualificationRound,
        .with { request in
          (request.tournamentID, request.categoryID) = (id, category)
          (request.revision, request.format) = (before.revision, .library("wa18", arrows: 3))
        })
      let second = try await event.organiser.call(
        Events.createEventSession,
        .with { request in
          request.session = .with { session in
            (session.tournamentID, session.name, session.round) = (id, "two", 2)
            (session.firstTarget, session.lastTarget, session.archersPerTarget) = (1, 2, 2)
            session.startsAtMilliseconds = 1
          }
        })
      let placed = try await event.organiser.call(
        Events.placeEventEntry,
        .with { request in
          (request.participantID, request.sessionID) = (entry.participantID, second.id)
          (request.target, request.letter, request.expectedRevision) = (1, "A", entry.revision)
        })
      #expect(placed.sessionID == second.id && placed.revision != entry.revision)
      for session in [0, first.id, second.id] {
        #expect(
          try await event.list { $0.sessionID = session }.map(\.revision) == [placed.revision])
      }
    }
  }

  @Test("Places, and the end of a session or a category, name the revision that was read")
  func structure() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let id = event.id
      let line = try await event.session("line", targets: 1...3, archers: 2)
      let category = try await event.category("B")
      func set(_ blocked: [String], _ expected: UInt64) -> SetSessionPlacesRequest {
        .with { request in
          (request.tournamentID, request.sessionID) = (id, line.id)
          (request.blockedPlaces, request.expectedRevision) = (blocked, expected)
        }
      }
      let changed = try await event.organiser.call(
        Events.setSessionPlaces, set(["2"], line.revision))
      let refusal = await event.organiser.refusal(
        Events.setSessionPlaces, set(["3"], line.revision))
      #expect(try Self.current(refusal, EventSession.self) == changed)
      _ = try await event.organiser.call(Events.setSessionPlaces, set(["2"], line.revision))
      let kept = await event.organiser.refusal(
        Events.deleteEventSession,
        .with {
          ($0.tournamentID, $0.sessionID, $0.expectedRevision) = (id, line.id, line.revision)
        })
      #expect(try Self.current(kept, EventSession.self).blockedPlaces == ["2"])
      _ = try await event.organiser.call(
        Events.deleteEventSession,
        .with {
          ($0.tournamentID, $0.sessionID, $0.expectedRevision) = (id, line.id, changed.revision)
        })
      var other = category
      other.name = "Barebow"
      let given = other
      let named = try await event.organiser.call(
        Events.updateEventCategory, .with { $0.category = given })
      let present = await event.organiser.refusal(
        Events.deleteEventCategory,
        .with { request in
          (request.tournamentID, request.categoryID) = (id, category.id)
          request.expectedRevision = category.revision
        })
      #expect(try Self.current(present, EventCategory.self) == named)
    }
  }

  @Test("Steps of the event, the end of a pause and new codes come over nothing that was not seen")
  func day() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let organiser = event.organiser
      let id = event.id
      try await event.entries([TestEvent.draft("1", "Ann")])
      let read = try await organiser.call(Tournament.getTournament, .with { $0.id = id })
      let started = try await organiser.call(
        Tournament.startTournament,
        .with { ($0.id, $0.anyway, $0.expectedRevision) = (id, true, read.revision) })
      let refusals = [
        await organiser.refusal(
          Tournament.startTournament, .with { ($0.id, $0.expectedRevision) = (id, read.revision) }),
        await organiser.refusal(
          Tournament.pauseTournament, .with { ($0.id, $0.expectedRevision) = (id, read.revision) }),
        await organiser.refusal(
          Tournament.finaliseTournament,
          .with { ($0.id, $0.anyway, $0.expectedRevision) = (id, true, read.revision) }),
        await organiser.refusal(
          Tournament.reopenTournament,
          .with { ($0.id, $0.reason, $0.expectedRevision) = (id, "x", read.revision) }),
        await organiser.refusal(
          Tournament.cancelTournament, .with { ($0.id, $0.expectedRevision) = (id, read.revision) }
        ),
      ]
      for refusal in refusals {
        #expect(try Self.current(refusal, TournamentEvent.self).revision == started.revision)
      }
      func pause(_ reason: String) async throws -> ShootingPause {
        try await organiser.call(
          Events.pauseShooting, .with { ($0.tournamentID, $0.reason) = (id, reason) })
      }
      let first = try await pause("archer on the line")
      _ = try await organiser.call(
        Events.resumeShooting, .with { ($0.tournamentID, $0.pauseID) = (id, first.id) })
      let second = try await pause("lightning")
      let resumed = await organiser.refusal(
        Events.resumeShooting, .with { ($0.tournamentID, $0.pauseID) = (id, first.id) })
      #expect(try Self.current(resumed, ShootingPause.self) == second)

      func leases() async throws -> UInt64 {
        try await organiser.call(
          Events.listTargetLeases, .with { $0.tournamentID = id }
        ).revision
      }
      func codes(_ expected: UInt64) -> SetEventLeasesRequest {
        .with { request in
          (request.tournamentID, request.demanded, request.newCodes) = (id, true, true)
          request.expectedRevision = expected
        }
      }
      let none = try await leases()
      _ = try await organiser.call(Events.setEventLeases, codes(none))
      let made = try await leases()
      #expect(none != made && none != 0)
      #expect(await organiser.refusal(Events.setEventLeases, codes(none))?.code == .aborted)
      #expect(try await leases() == made)
      _ = try await organiser.call(Events.setEventLeases, codes(made))
      #expect(try await leases() != made)
    }
  }

  @Test("A role is given to who has none, and the role that was read is removed")
  func roles() async throws {
    try await TestServer.run { server in
      let event = try await TestEvent(server)
      let id = event.id
      let judge = try server.principal(named: "Tuck")
      let code = try server.code(of: judge.id)
      func set(_ role: QuiverAPI.EventRole, _ expected: QuiverAPI.EventRole?)
        -> SetEventOfficialRequest
      {
        .with { request in
          (request.tournamentID, request.principalCode) = (id, code)
          (request.role, request.expectedRole) = (role, expected)
        }
      }
      _ = try await event.organiser.call(Events.setEventOfficial, set(.judge, .unspecified))
      let twice = await event.organiser.refusal(
        Events.setEventOfficial, set(.checkIn, .unspecified))
      #expect(twice?.code == .aborted && twice?.message.contains("judge") == true)
      _ = try await event.organiser.call(Events.setEventOfficial, set(.judge, .unspecified))
      let removed = await event.organiser.refusal(
        Events.removeEventOfficial,
        .with {
          ($0.tournamentID, $0.principalID, $0.expectedRole) = (id, judge.id, .checkIn)
        })
      #expect(removed?.code == .aborted)
      _ = try await event.organiser.call(Events.setEventOfficial, set(.checkIn, .judge))
      _ = try await event.organiser.call(Events.setEventOfficial, set(.judge, nil))
      _ = try await event.organiser.call(
        Events.removeEventOfficial,
        .with { ($0.tournamentID, $0.principalID, $0.expectedRole) = (id, judge.id, .judge) })
    }
  }

  @Test("A total on paper, and the reopening of a card, name the card that was read")
  func cards() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, [[9, 9, 9]])
      let (organiser, id) = (test.event.organiser, test.entries[0].participantID)
      let read = try await organiser.call(
        Events.getComparedCard, .with { $0.participantID = id })
      func paper(_ total: UInt32, _ expected: UInt64?) -> SetPaperTotalRequest {
        .with { ($0.participantID, $0.total, $0.expectedRevision) = (id, total, expected) }
      }
      let first = try await organiser.call(Events.setPaperTotal, paper(26, read.revision))
      let refusal = await organiser.refusal(Events.setPaperTotal, paper(25, read.revision))
      #expect(try Self.current(refusal, ComparedCard.self).summary?.paperTotal == 26)
      _ = try await organiser.call(Events.setPaperTotal, paper(26, read.revision))
      let second = try await organiser.call(Events.setPaperTotal, paper(27, first.revision))
      #expect(second.summary?.paperTotal == 27)
      let confirmed = try await organiser.call(
        Events.confirmScoreCard,
        .with { ($0.participantID, $0.role, $0.revision) = (id, .scorer, second.revision) })
      func reopen(_ expected: UInt64) -> ReopenScoreCardRequest {
        .with { ($0.participantID, $0.reason, $0.expectedRevision) = (id, "x", expected) }
      }
      let kept = await organiser.refusal(Events.reopenScoreCard, reopen(second.revision))
      #expect(try Self.current(kept, ComparedCard.self).summary?.scorerConfirmed == true)
      _ = try await organiser.call(Events.reopenScoreCard, reopen(confirmed.revision))
    }
  }

  @Test("A tie that another desk has decided is not decided again unseen")
  func ties() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, [[9, 9, 9], [9, 9, 9]])
      let event = test.event.id
      func decide(_ places: [Int], _ expected: Int64?) -> DecideTieRequest {
        .with { request in
          (request.tournamentID, request.categoryID) = (event, test.category)
          request.participantIDs = places.map { test.entries[$0].participantID }
          (request.decision, request.expectedDecidedAtMilliseconds) = (.coinToss, expected)
        }
      }
      let organiser = test.event.organiser
      _ = try await organiser.call(Elimination.decideTie, decide([1, 0], 0))
      let refusal = await organiser.refusal(Elimination.decideTie, decide([0, 1], 0))
      #expect(refusal?.code == .aborted && refusal?.message.contains("Sheriff") == true)
      let rows = try await organiser.call(
        Events.getCategoryStandings, .with { $0.tournamentID = event }
      ).rows
      #expect(rows.map { $0.row?.displayName } == ["E2", "E1"])
      _ = try await organiser.call(
        Elimination.decideTie, decide([0, 1], rows[0].decidedAtMilliseconds))
      _ = try await organiser.call(Elimination.decideTie, decide([1, 0], nil))
    }
  }

  @Test("Targets of matches, the end of a cut, forfeits and reopened matches name what was read")
  func matches() async throws {
    try await TestServer.run { server in
      let test = try await TestBracket(server, TestBracket.descending(4))
      let organiser = test.event.organiser
      let cut = try await test.cut(4)
      let stage = try #require(cut.stage).id
      #expect(cut.revision != 0)
      #expect(try await test.bracket(stage).revision == cut.revision)
      func place(_ target: UInt32, _ expected: UInt64) -> PlaceMatchesRequest {
        .with { request in
          (request.stageID, request.roundSize, request.firstTarget) = (stage, 4, target)
          (request.targetsPerMatch, request.expectedRevision) = (1, expected)
        }
      }
      let placed = try await organiser.call(Elimination.placeMatches, place(1, cut.revision))
      let refusal = await organiser.refusal(Elimination.placeMatches, place(5, cut.revision))
      #expect(try Self.current(refusal, QuiverAPI.EliminationBracket.self) == placed)
      _ = try await organiser.call(Elimination.placeMatches, place(1, cut.revision))
      let kept = await organiser.refusal(
        Elimination.deleteStage, .with { ($0.stageID, $0.expectedRevision) = (stage, cut.revision) }
      )
      #expect(try Self.current(kept, QuiverAPI.EliminationBracket.self).revision == placed.revision)

      let match = try await test.match(placed.matches[0].id)
      _ = try await test.apply([try test.operation(match.id, 1, 0, [10, 10, 10])])
      func forfeit(_ expected: UInt64) -> ForfeitMatchRequest {
        .with { request in
          (request.matchID, request.side, request.reason) = (match.id, 2, "hurt")
          request.expectedRevision = expected
        }
      }
      let early = await organiser.refusal(Elimination.forfeitMatch, forfeit(match.revision))
      let shot = try Self.current(early, EliminationMatch.self)
      #expect(shot.sides[0].entries.count == 1 && shot.winner == 0)
      let ended = try await organiser.call(Elimination.forfeitMatch, forfeit(shot.revision))
      #expect(ended.winner == 1)
      func reopen(_ expected: UInt64) -> ReopenMatchRequest {
        .with { ($0.matchID, $0.reason, $0.expectedRevision) = (match.id, "x", expected) }
      }
      let closed = await organiser.refusal(Elimination.reopenMatch, reopen(shot.revision))
      #expect(try Self.current(closed, EliminationMatch.self).winner == 1)
      #expect(
        try await organiser.call(Elimination.reopenMatch, reopen(ended.revision)).winner == 0)
    }
  }
}
