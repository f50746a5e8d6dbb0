import QuiverAPI
import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverService
import QuiverStore
import QuiverWire
import Testing

@Suite("What users let others read", .timeLimit(.minutes(5)))
struct ShareTests {
  /// An archer, a coach, and another user.
  private struct People {
    let robin: PrincipalRecord
    let coach: PrincipalRecord
    let archer: Client
    let reader: Client
    let other: Client
    let server: TestServer

    init(_ server: TestServer) throws {
      self.server = server
      robin = try server.principal(.user, named: "Robin")
      coach = try server.principal(.user, named: "Coach")
      archer = try server.client(of: robin.id, [.read, .write])
      reader = try server.client(of: coach.id, [.read, .write])
      other = try server.client(named: "Other")
    }

    var naming: Metadata { ["quiver-user": "\(robin.id)"] }

    func share(_ parts: [SharePart], days: Int32 = 1) async throws -> Share {
      let code = try await reader.call(Account.getIntroductionCode, .init()).code
      return try await archer.call(
        Account.shareData,
        .with { ($0.principalCode, $0.parts, $0.untilDay) = (code, parts, ShareTests.today + days) }
      )
    }

    func end(_ share: Share, by client: Client) async throws {
      _ = try await client.call(Account.endShare, .with { $0.shareID = share.id })
    }
  }

  private static var today: Int32 {
    Int32(StoreClock.system.wallMilliseconds() / 86_400_000)
  }

  @Test("A coach reads the parts that an archer shares by the coach's code, and changes nothing")
  func reads() async throws {
    try await TestServer.run { server in
      let people = try People(server)
      let made = try await people.archer.call(Equipment.risers.create, .of(.hoyt))
      let get: GetItemRequest<Riser> = .with { $0.id = made.id }
      let early = await people.reader.refusal(
        Equipment.risers.get, get, metadata: people.naming)
      #expect(early?.code == .permissionDenied && early?.isNotProcessed == true)

      let share = try await people.share([.equipment, .rounds])
      #expect(share.ownerName == "Robin" && share.readerName == "Coach")
      #expect(share.parts == [.equipment, .rounds] && share.untilDay == Self.today + 1)
      #expect(share.endsAtMilliseconds == Int64(Self.today + 2) * 86_400_000)
      #expect(
        try await people.reader.call(Equipment.risers.get, get, metadata: people.naming) == made)
      #expect(await people.reader.refusal(Equipment.risers.get, get)?.code == .notFound)
      let change = await people.reader.refusal(
        Equipment.risers.create, .of(.hoyt), metadata: people.naming)
      #expect(change?.code == .permissionDenied)
      let weight = await people.reader.refusal(
        Logbook.listWeightEntries, .init(), metadata: people.naming)
      #expect(weight?.code == .permissionDenied)

      for client in [people.archer, people.reader] {
        #expect(try await client.call(Account.listShares, .init()).shares.map(\.id) == [share.id])
      }
      let given = try await people.archer.call(Account.listShares, .with { $0.side = .given })
      let none = try await people.archer.call(Account.listShares, .with { $0.side = .received })
      #expect(given.shares.map(\.id) == [share.id] && none.shares.isEmpty)
      #expect(try await people.other.call(Account.listShares, .init()).shares.isEmpty)
      try await people.end(share, by: people.reader)
      #expect(
        await people.reader.refusal(Equipment.risers.get, get, metadata: people.naming)?.code
          == .permissionDenied)
      #expect(try await people.archer.call(Account.listShares, .init()).shares.isEmpty)
    }
  }

  @Test("Who shares sees when the reader has read last")
  func lastRead() async throws {
    try await TestServer.run { server in
      let people = try People(server)
      let share = try await people.share([.equipment])
      #expect(share.lastReadAtMilliseconds == 0)
      _ = await people.reader.refusal(
        Logbook.listExercises, .init(), metadata: people.naming)
      _ = try await people.reader.call(Equipment.getHub, .init(), metadata: people.naming)
      // It is stored behind the answer.
      var read: Int64 = 0
      while read == 0 {
        let shares = try await people.archer.call(Account.listShares, .init()).shares
        read = try #require(shares.first).lastReadAtMilliseconds
      }
      #expect(read >= share.createdAtMilliseconds)
    }
  }

  @Test("What is wrong with a share is told, and nothing is stored")
  func refusals() async throws {
    try await TestServer.run { server in
      let people = try People(server)
      let service = try server.principal(.service, named: "Sync")
      let gone = try server.principal(.user, named: "Gone")
      let (own, other) = (
        try server.code(of: people.robin.id), try server.code(of: people.coach.id)
      )
      let (ofService, ofGone) = (try server.code(of: service.id), try server.code(of: gone.id))
      _ = try server.store.perform(
        DeleteAccount(confirmation: "Gone"), .init(caller: .init(principal: gone.id)))
      let before = try server.lastSequence()
      func check(
        _ code: String, _ parts: [SharePart], _ days: Int32, _ expected: StatusCode, _ text: String
      ) async {
        let refusal = await people.archer.refusal(
          Account.shareData,
          .with { ($0.principalCode, $0.parts, $0.untilDay) = (code, parts, Self.today + days) })
        #expect(refusal?.code == expected, "\(text)")
        #expect(refusal?.message.contains(text) == true, "\(refusal?.message ?? "")")
      }
      await check(own, [.rounds], 1, .invalidArgument, "principal_code: is your own")
      await check("qi_wrong", [.rounds], 1, .notFound, "nobody has this code")
      await check("", [.rounds], 1, .invalidArgument, "principal_code: must be the code")
      await check(ofGone, [.rounds], 1, .failedPrecondition, "disabled or deleted")
      await check(ofService, [.rounds], 1, .failedPrecondition, "Admin/GrantActing")
      await check(other, [], 1, .invalidArgument, "parts: must name at least one part")
      await check(other, [SharePart(rawValue: 77)], 1, .invalidArgument, "parts[0]: must be")
      await check(other, [.rounds], -2, .invalidArgument, "until_day: must be today or later")
      await check(other, [.rounds], 733, .invalidArgument, "until_day: must be at most 731 days")
      let last = Int32.max - Self.today
      await check(other, [.rounds], last, .invalidArgument, "until_day: must be at most 731 days")
      let ids = await people.archer.refusal(
        Account.shareData,
        .with { ($0.shareID, $0.parts, $0.untilDay) = (7, [.rounds], Self.today) })
      #expect(ids?.code == .notFound)
      let end = await people.other.refusal(Account.endShare, .with { $0.shareID = 1 })
      #expect(end?.code == .notFound)
      #expect(try server.lastSequence() == before)
      // Another user ends or changes the share of nobody else.
      let share = try await people.share([.rounds])
      let administrator = try server.client(.administrator, named: "Sheriff")
      let after = try server.lastSequence()
      for client in [people.other, administrator] {
        let refusal = await client.refusal(Account.endShare, .with { $0.shareID = share.id })
        #expect(refusal?.code == .notFound)
      }
      let changed = await people.reader.refusal(
        Account.shareData,
        .with { ($0.shareID, $0.parts, $0.untilDay) = (share.id, [.weight], Self.today) })
      #expect(changed?.code == .notFound)
      #expect(try server.lastSequence() == after)
    }
  }

  @Test("Two users share with each other, and neither passes on what it reads")
  func circular() async throws {
    try await TestServer.run { server in
      let people = try People(server)
      let third = try server.principal(.user, named: "Third")
      _ = try server.share(of: people.robin.id, with: people.coach.id, .equipmentPart)
      _ = try server.share(of: people.coach.id, with: people.robin.id, .equipmentPart)
      _ = try server.share(of: people.coach.id, with: third.id, .parts)
      let other = try server.client(of: third.id, [.read, .write])
      let back: Metadata = ["quiver-user": "\(people.coach.id)"]
      for (client, metadata) in [
        (people.reader, people.naming), (people.archer, back), (other, back),
      ] {
        _ = try await client.call(Equipment.getHub, .init(), metadata: metadata)
      }
      let passedOn = await other.refusal(Equipment.getHub, .init(), metadata: people.naming)
      #expect(passedOn?.code == .permissionDenied)
      let shares = await people.reader.refusal(
        Account.listShares, .init(), metadata: people.naming)
      #expect(shares?.code == .permissionDenied)
    }
  }

  @Test("An invitation is accepted once, by its code, and by nobody who made it")
  func invitations() async throws {
    try await TestServer.run { server in
      let people = try People(server)
      let made = try await people.archer.call(
        Account.createShareInvite,
        .with { ($0.parts, $0.untilDay) = ([.strength], Self.today + 30) })
      let invite = try #require(made.invite)
      #expect(made.code.count == 16 && invite.parts == [.strength])
      #expect(invite.expiresAtMilliseconds - invite.createdAtMilliseconds == 7 * 86_400_000)
      #expect(
        try await people.archer.call(Account.listShareInvites, .init()).invites == [invite])
      #expect(try await people.reader.call(Account.listShareInvites, .init()).invites.isEmpty)
      let own = await people.archer.refusal(
        Account.acceptShareInvite, .with { $0.code = made.code })
      #expect(own?.code == .invalidArgument)
      let wrong = await people.reader.refusal(
        Account.acceptShareInvite, .with { $0.code = "ABCDEFGHJKMNPQRS" })
      #expect(wrong?.code == .notFound)
      let share = try await people.reader.call(
        Account.acceptShareInvite, .with { $0.code = made.code.lowercased() })
      #expect(share.ownerName == "Robin" && share.parts == [.strength])
      _ = try await people.reader.call(Logbook.listExercises, .init(), metadata: people.naming)
      let again = await people.other.refusal(
        Account.acceptShareInvite, .with { $0.code = made.code })
      #expect(again?.code == .notFound)
      #expect(try await people.archer.call(Account.listShareInvites, .init()).invites.isEmpty)

      let second = try await people.archer.call(
        Account.createShareInvite, .with { ($0.parts, $0.untilDay) = ([.weight], Self.today) })
      let other = await people.reader.refusal(
        Account.endShareInvite, .with { $0.inviteID = second.invite?.id ?? 0 })
      #expect(other?.code == .notFound)
      _ = try await people.archer.call(
        Account.endShareInvite, .with { $0.inviteID = second.invite?.id ?? 0 })
      let ended = await people.reader.refusal(
        Account.acceptShareInvite, .with { $0.code = second.code })
      #expect(ended?.code == .notFound)
    }
  }

  @Test("The training log shows body weight only to a reader with whom weight is shared by name")
  func weightByName() async throws {
    try await TestServer.run { server in
      let people = try People(server)
      let day = Self.today - 3
      _ = try await people.archer.call(
        Logbook.createWeightEntry, WeightServiceTests.entry(day, 170_000))
      _ = try await people.archer.call(
        Logbook.createSet, StrengthServiceTests.set(day, "Squat", 5, 100))
      _ = try await people.archer.call(
        Logbook.createWeightEntry, WeightServiceTests.entry(day + 1, 171_000))
      let wanted: GetTrainingLogRequest = .with { ($0.fromDay, $0.toDay) = (day - 1, day + 2) }
      let own = try await people.archer.call(Logbook.getTrainingLog, wanted).days
      #expect(own.map(\.weightEntryCount) == [1, 1])

      _ = try await people.share([.trainingLog])
      let options = CallOptions(timeout: .seconds(20), metadata: people.naming)
      var watch = try people.reader.client.stream(
        Logbook.watchTrainingLog,
        .with { ($0.fromDay, $0.toDay) = (day - 1, day + 2) }, options: options
      ).makeAsyncIterator()
      let first = try #require(try await watch.next())
      let shown = try await people.reader.call(
        Logbook.getTrainingLog, wanted, metadata: people.naming)
      #expect(shown.days == first.days)
      #expect(shown.days.map(\.day) == [day] && shown.days.first?.weightEntryCount == 0)
      #expect(shown.days.first?.meanWeightThousandths == nil)
      #expect(shown.days.first?.exercises.count == 1)
      // That somebody weighed is not told either: the next message is of the set.
      _ = try await people.archer.call(
        Logbook.createWeightEntry, WeightServiceTests.entry(day - 1, 169_000))
      _ = try await people.archer.call(
        Logbook.createSet, StrengthServiceTests.set(day, "Bench", 5, 60))
      let next = try #require(try await watch.next())
      #expect(next.days.map(\.day) == [day] && next.days.first?.exercises.count == 2)

      let both = try await people.share([.trainingLog, .weight])
      let all = try await people.reader.call(
        Logbook.getTrainingLog, wanted, metadata: people.naming)
      #expect(all.days.map(\.weightEntryCount) == [1, 1, 1])
      #expect(both.parts == [.weight, .trainingLog])
    }
  }

  @Test("A reader of rounds sees the archer's own rounds, and no guests and no other archers")
  func ownRounds() async throws {
    try await TestServer.run { server in
      let people = try People(server)
      let session = try await people.archer.call(
        Rounds.createSession,
        .with { request in
          request.format = .library("wa18")
          request.guests = [.with { $0.name = "Will" }]
        })
      let event = try await TestTournament(server)
      let part = try await event.join(people.archer)
      let rival = try await event.join(people.other)
      _ = try await people.share([.rounds])
      let read = try await people.reader.call(
        Rounds.getSession, .with { $0.id = session.id }, metadata: people.naming)
      #expect(read.rounds.map(\.displayName) == ["Robin"])
      let list = try await people.reader.call(
        Rounds.listSessions, .with { $0.includeTournaments = true }, metadata: people.naming)
      #expect(list.sessions.map { $0.rounds.map(\.displayName) } == [["Robin"], ["Robin"]])
      func card(_ participant: Int64) async -> RPCError? {
        await people.reader.refusal(
          Rounds.getScorecard, .with { $0.participantID = participant }, metadata: people.naming)
      }
      #expect(await card(session.rounds[0].participantID) == nil)
      #expect(await card(part.id) == nil)
      #expect(await card(session.rounds[1].participantID)?.code == .notFound)
      // Robin sees it, as a participant of the event.
      _ = try await people.archer.call(
        Rounds.getScorecard, .with { $0.participantID = rival.id })
      #expect(await card(rival.id)?.code == .notFound)
    }
  }

  /// An open watch of the archer's equipment, after its first message.
  private func watch(
    _ people: People
  ) async throws -> ReplyStream<WatchHubResponse>.Iterator {
    var hub = try people.reader.client.stream(
      Equipment.watchHub, .init(),
      options: CallOptions(timeout: .seconds(20), metadata: people.naming)
    ).makeAsyncIterator()
    _ = try await hub.next()
    return hub
  }

  private func end(_ hub: inout ReplyStream<WatchHubResponse>.Iterator) async -> StatusCode? {
    do throws(RPCError) {
      while try await hub.next() != nil {}
      return nil
    } catch {
      return error.code
    }
  }

  @Test("An open watch ends with its share, by either side, and with a part that is taken away")
  func watches() async throws {
    try await TestServer.run { server in
      let people = try People(server)
      let own = try await people.reader.call(Equipment.risers.create, .of(.hoyt))
      for side in [people.archer, people.reader] {
        let share = try await people.share([.equipment])
        var hub = try await watch(people)
        try await people.end(share, by: side)
        #expect(await end(&hub) == .permissionDenied)
      }
      let share = try await people.share([.equipment, .rounds])
      var hub = try await watch(people)
      _ = try await people.archer.call(
        Account.shareData,
        .with { ($0.shareID, $0.parts, $0.untilDay) = (share.id, [.rounds], Self.today + 1) })
      #expect(await end(&hub) == .permissionDenied)
      // A longer share ends nothing, nor what the reader has open for itself.
      let again = try await people.share([.equipment])
      hub = try await watch(people)
      _ = try await people.archer.call(
        Account.shareData,
        .with { ($0.shareID, $0.parts, $0.untilDay) = (again.id, [.equipment], Self.today + 9) })
      _ = try await people.archer.call(Equipment.risers.create, .of(.hoyt))
      #expect(try await hub.next()?.hub?.total == 1)
      let read: GetItemRequest<Riser> = .with { $0.id = own.id }
      #expect(try await people.reader.call(Equipment.risers.get, read) == own)
    }
  }

  @Test("A watch at another server of the database ends with its share")
  func sharedDatabase() async throws {
    try await TestServer.runShared { (first, second) in
      let people = try People(first)
      let share = try await people.share([.equipment])
      var hub = try second.client(of: people.coach.id, [.read]).client.stream(
        Equipment.watchHub, .init(),
        options: CallOptions(timeout: .seconds(20), metadata: people.naming)
      ).makeAsyncIterator()
      #expect(try await hub.next() != nil)
      try await people.end(share, by: people.archer)
      #expect(await end(&hub) == .permissionDenied)
    }
  }

  @Test("A share ends with its last day, and so does a watch that is open then")
  func lastDay() async throws {
    let clock = HeldClock()
    var bounds = TestServer.StoreBounds()
    bounds.clock = clock.clock
    try await TestServer.run(opening: bounds) { server in
      let people = try People(server)
      let day = Int32(server.store.nowMilliseconds / 86_400_000)
      let terms = try ShareTerms(
        parts: .equipmentPart, untilDay: day, endsAtMilliseconds: Int64(day + 1) * 86_400_000)
      _ = try server.store.perform(
        ShareData(.code(try server.code(of: people.coach.id)), terms),
        .init(caller: .init(principal: people.robin.id)))
      var hub = try await watch(people)
      let tokens = server.assembly.expiringTokens
      #expect(tokens.takeEndedShares(at: terms.endsAtMilliseconds - 1) == [])
      clock.set(wallMilliseconds: terms.endsAtMilliseconds)
      let ended = tokens.takeEndedShares(at: terms.endsAtMilliseconds)
      #expect(ended == [people.robin.id])
      var permissions = EndedPermissions()
      permissions.actingUserIDs = Set(ended)
      server.server.revalidate(permissions)
      #expect(await end(&hub) == .permissionDenied)
      let refusal = await people.reader.refusal(
        Equipment.getHub, .init(), metadata: people.naming)
      #expect(refusal?.code == .permissionDenied)
      #expect(try await people.archer.call(Account.listShares, .init()).shares.isEmpty)
    }
  }

  @Test("The deletion of either account ends its shares, and both exports tell of them")
  func accounts() async throws {
    try await TestServer.run { server in
      let people = try People(server)
      let share = try await people.share([.equipment])
      _ = try await people.archer.call(
        Account.createShareInvite, .with { ($0.parts, $0.untilDay) = ([.rounds], Self.today) })
      func exported(_ client: Client) async throws -> [String: Int] {
        var request = ExportMyDataRequest()
        var counts: [String: Int] = [:]
        repeat {
          let page = try await client.call(Account.exportMyData, request)
          for record in page.records { counts[record.type, default: 0] += 1 }
          request.pageToken = page.nextPageToken
        } while !request.pageToken.isEmpty
        return counts
      }
      let ofArcher = try await exported(people.archer)
      #expect(ofArcher["quiver.v1.Share"] == 1 && ofArcher["quiver.v1.ShareInvite"] == 1)
      #expect(ofArcher["quiver.v1.AuditEntry"] == 2)
      let ofReader = try await exported(people.reader)
      #expect(ofReader["quiver.v1.Share"] == 1 && ofReader["quiver.v1.ShareInvite"] == nil)
      #expect(ofReader["quiver.v1.AuditEntry"] == 1)
      #expect(try await exported(people.other)["quiver.v1.AuditEntry"] == nil)

      var hub = try await watch(people)
      _ = try await people.archer.call(
        Account.deleteMyAccount, .with { $0.confirmation = "Robin" })
      #expect(await end(&hub) == .permissionDenied)
      let refusal = await people.reader.refusal(
        Equipment.getHub, .init(), metadata: people.naming)
      #expect(refusal?.code == .permissionDenied)
      #expect(try await people.reader.call(Account.listShares, .init()).shares.isEmpty)
      let end = await people.reader.refusal(Account.endShare, .with { $0.shareID = share.id })
      #expect(end?.code == .notFound)

      // The same where the reader goes.
      let other = try People(server)
      _ = try await other.share([.equipment])
      _ = try await other.reader.call(Account.deleteMyAccount, .with { $0.confirmation = "Coach" })
      #expect(try await other.archer.call(Account.listShares, .init()).shares.isEmpty)
      #expect(try server.store.verify().isEmpty)
    }
  }

  @Test("Grants of administrators and shares do not mix")
  func grants() async throws {
    try await TestServer.run { server in
      let people = try People(server)
      _ = try await people.share([.equipment])
      let admin = try server.client(.administrator, named: "Sheriff")
      #expect(try await admin.call(Admin.listActingGrants, .init()).grants.isEmpty)
      let revoke = await admin.refusal(
        Admin.revokeActing,
        .with { ($0.serviceID, $0.userID) = (people.coach.id, people.robin.id) })
      #expect(revoke?.code == .notFound)
      let service = try server.principal(.service, named: "Sync")
      let sync = try server.client(of: service.id, [.read, .write])
      _ = try await admin.call(
        Admin.grantActing,
        .with { request in
          (request.serviceID, request.userID) = (service.id, people.robin.id)
          request.scopes = [.read, .equipment, .scoring, .logbook, .account]
        })
      for shares in [Account.shareData.info, Account.getSquad.info] {
        let call = UnaryMethod<ListSharesRequest, ListSharesResponse>(
          shares.name, id: shares.id, mutating: shares.isMutating)
        let refusal = await sync.refusal(call, .init(), metadata: people.naming)
        #expect(refusal?.code == .permissionDenied, "\(shares.name)")
      }
      let listed = try await sync.call(Account.listShares, .init(), metadata: people.naming)
      #expect(listed.shares.map(\.readerID) == [people.coach.id])
      let list = try await admin.call(Admin.listActingGrants, .init())
      #expect(list.grants.map(\.serviceID) == [service.id])
    }
  }
}
