import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverStore
import QuiverWire
import Testing

@testable import QuiverService

@Suite("Methods of a user who shares parts of its data", .timeLimit(.minutes(10)))
struct SharedMethodTests {
  /// Of each service the methods by the parts of which one has to be shared: none gives a method
  /// behind `none`, and each one behind `any`. A method without a row fails the tests.
  private static let table = """
    Health any: Check Watch
    Reflection any: Describe
    Diagnostics none: Echo EchoAsync Delay Fail EchoMetadata EchoStream Sink Source FailSource
      FailSink FailStream Connections
    Equipment equipment: GetHub ListItems WatchHub WatchItems WatchBowSetups GetRiser GetLimbs
      GetSight GetRest GetPlunger GetBowString GetStabilizer GetWeight GetArrow GetAccessory
      ListSightMarks GetBowSetup ListBowSetups
    Equipment none: CreateRiser UpdateRiser DeleteRiser ArchiveRiser RestoreRiser CreateLimbs
      UpdateLimbs DeleteLimbs ArchiveLimbs RestoreLimbs CreateSight UpdateSight DeleteSight
      ArchiveSight RestoreSight CreateRest UpdateRest DeleteRest ArchiveRest RestoreRest
      CreatePlunger UpdatePlunger DeletePlunger ArchivePlunger RestorePlunger CreateBowString
      UpdateBowString DeleteBowString ArchiveBowString RestoreBowString CreateStabilizer
      UpdateStabilizer DeleteStabilizer ArchiveStabilizer RestoreStabilizer CreateWeight
      UpdateWeight DeleteWeight ArchiveWeight RestoreWeight CreateArrow UpdateArrow
      DeleteArrow ArchiveArrow RestoreArrow CreateAccessory UpdateAccessory DeleteAccessory
      ArchiveAccessory RestoreAccessory CreateSightMark UpdateSightMark DeleteSightMark
      CreateBowSetup UpdateBowSetup DeleteBowSetup CopyBowSetup SetDefaultBowSetup
      ActivateBowSetup DeactivateBowSetup AddBowSetupComponent RemoveBowSetupComponent
    Comparison comparison: ListComparableSetups GetSetupPerformance GetItemPerformance Compare
      GetArrowNumbers GetRange GetHandicapScore GetScoreHandicap
    Comparison none: SetRange
    Comparison rounds|comparison: GetClassification
    Rounds rounds: ListFormats GetFormat GetSession ListSessions GetScorecard GetPersonalBests
      GetRunningHandicap
    Rounds none: CreateFormat DeleteFormat CreateSession DeleteSession AddSessionGuest
      SetRoundStatus SetRoundSetup SetSessionConditions RecordArrow RecordEnd CorrectArrow
      RetractArrow ApplyOperations
    Rounds rounds|comparison: ListFaces
    Tournament none: CreateTournament GetTournament ListTournaments UpdateTournament
      DeleteTournament StartTournament PauseTournament FinaliseTournament ReopenTournament
      CancelTournament JoinTournament AddGuest AddEntries ListParticipants WithdrawParticipant
      DisqualifyParticipant ReinstateParticipant AppointScorer DismissScorer ListScorers
      GetSpectatorToken RecordArrow RecordEnd CorrectArrow RetractArrow ApplyOperations
      SyncOperations ListLateOperations AdmitOperations RejectOperations GetStandings
      RankUnderPolicy ExplainRank GetResults ListTiePolicies WatchLeaderboard WatchTournament
    Events none: CreateEventCategory UpdateEventCategory DeleteEventCategory
      ListEventCategories AddQualificationRound RemoveQualificationRound ImportEventEntries
      UpdateEventEntry ListEventEntries SetEventEntryState CreateEventSession
      UpdateEventSession DeleteEventSession ListEventSessions SetSessionPlaces
      DrawTargets PlaceEventEntry
      SetEventOfficial RemoveEventOfficial ListEventOfficials GetCategoryStandings
      GetEventProgress GetTeamStandings ApplyCardOperations SetPaperTotal GetComparedCard
      ConfirmScoreCard RuleOnEnd ApplyEndRule MoveEnds ReopenScoreCard ListCardDisputes
      SetTypedTotal ListTypedTotals RemoveTypedTotal SetEventLeases ListTargetCodes JoinTarget
      LeaveTarget ListTargetLeases SendEventNotice ListEventNotices PauseShooting
      ResumeShooting
      GetEventDocument CreateOfficialCode SignInOfficial CreatePlateCodes EndDevice
      ListEventDevices WatchTargets
      RaiseTargetCall ListTargetCalls WatchTargetCalls ResolveTargetCall ReportDevice
      DeliverOperations ListEventTemplates
    Elimination none: CutCategory DecideTie ListStages GetBracket DeleteStage GetMatch
      ApplyMatchOperations ConfirmMatchCard ForfeitMatch ReopenMatch WatchBracket PlaceMatches
      PlaceMatch CutTeams SubstituteTeamMember DrawGroups CutGroups WatchMatch
    Logbook none: CreateWeightEntry UpdateWeightEntry DeleteWeightEntry RestoreWeightEntry
      SetWeightPlan DeleteWeightPlan ImportWeights ImportSets CreateSet UpdateSet DeleteSet
    Logbook weight: GetWeightEntry ListWeightEntries GetWeightSections GetWeightChart
      GetWeightPlan GetMilestones ExportWeights WatchWeights
    Logbook strength: GetSet ListSets ListExercises GetLiftSeries GetNearestLift
      CompareFormulas ExportSets
    Logbook trainingLog: GetTrainingLog WatchTrainingLog
    Account none: WhoAmI GetProfile UpdateProfile GetPreferences SetPreference
      DeletePreference RedeemInvite RotateToken GetUsage GetIntroductionCode ShareData
      CreateShareInvite AcceptShareInvite EndShareInvite ListShareInvites ListShares EndShare
      GetSquad ExportMyData DeleteMyAccount
    Admin none: CreatePrincipal ListPrincipals CreateToken ListTokens RevokeToken GetPrincipal
      UpdatePrincipal DisablePrincipal EnablePrincipal CreateInvite ListInvites RevokeInvite
      ListConnections Verify GrantActing RevokeActing ListActingGrants BindCertificate
      ListCertificateBindings RemoveCertificateBinding Backup ListBackups ListLimits
      ListLongWork ListAudit GetServerStatus TransferTournament
    """

  private static let parts: [String: ActingScopes] = [
    "equipment": .equipmentPart, "rounds": .roundsPart, "comparison": .comparisonPart,
    "weight": .weightPart, "strength": .strengthPart, "trainingLog": .trainingLogPart,
    "none": [], "any": .parts,
  ]

  /// The parts of each method, by its name without the package.
  private static let rows: [String: ActingScopes] = {
    var rows: [String: ActingScopes] = [:]
    var service = Substring()
    var given: ActingScopes = []
    for word in table.split(whereSeparator: \.isWhitespace) {
      if word.hasSuffix(":") {
        given = word.dropLast().split(separator: "|").reduce(into: []) { found, name in
          found.formUnion(parts[String(name)] ?? .all)
        }
      } else if word.first?.isUppercase == true, services.contains(String(word)) {
        service = word
      } else if !word.hasSuffix(":"), parts[String(word)] == nil {
        rows["\(service)/\(word)"] = given
      }
    }
    return rows
  }()

  private static let services = Set(
    ServiceCatalogue.archery.methods.map { method in
      String(method.name.dropFirst("quiver.v1.".count).prefix { $0 != "/" })
    })

  private static func name(_ method: MethodInfo) -> String {
    String(method.name.dropFirst("quiver.v1.".count))
  }

  @Test("The table has a row for each method of all services, and no other rows")
  func complete() {
    let names = Set(ServiceCatalogue.archery.methods.map(Self.name))
    #expect(names.subtracting(Self.rows.keys) == [], "methods without a row")
    #expect(Set(Self.rows.keys).subtracting(names) == [], "rows without a method")
    for method in ServiceCatalogue.archery.methods where method.isMutating {
      #expect(Self.rows[Self.name(method)] == [], "\(method.name) changes something")
    }
  }

  /// Whether the caller may call a method for a user.
  private static func isAllowed(
    _ server: TestServer, _ caller: Caller, _ user: Int64, _ method: MethodInfo
  ) async -> Bool {
    let lookup = server.assembly.authenticator.acting(caller, forUser: user, calling: method)
    return await withCheckedContinuation { continuation in
      lookup.start { found, _ in
        let acting = try? found.get()
        // Nothing is changed by a share, whatever the method.
        continuation.resume(returning: acting.map { !$0.mayMutate } ?? false)
      }
    }
  }

  @Test("A share of one part gives the methods of that part to its reader, and none to others")
  func everyMethod() async throws {
    try await TestServer.run { server in
      let reader = try server.principal(.user, named: "Coach")
      let third = try server.principal(.user, named: "Third")
      let administrator = try server.principal(.administrator, named: "Sheriff")
      func caller(_ principal: PrincipalRecord) -> Caller {
        Caller(
          principalID: principal.id, tokenID: 1,
          kind: principal.kind == .administrator ? .administrator : .user, displayName: "")
      }
      for part in Self.parts.values where part.rawValue.nonzeroBitCount == 1 {
        let owner = try server.principal(.user, named: "Robin")
        let share = try server.share(of: owner.id, with: reader.id, part)
        for method in ServiceCatalogue.archery.methods {
          let row = try #require(Self.rows[Self.name(method)], "\(method.name) has no row")
          let allowed = await Self.isAllowed(server, caller(reader), owner.id, method)
          #expect(
            allowed == !row.isDisjoint(with: part), "\(method.name) with \(part.rawValue)")
          for other in [caller(third), caller(administrator), caller(owner)] {
            #expect(await !Self.isAllowed(server, other, owner.id, method), "\(method.name)")
          }
          // The owner reads nothing of the reader.
          #expect(await !Self.isAllowed(server, caller(owner), reader.id, method))
        }
        _ = try server.store.perform(
          EndShare(id: share.id), .init(caller: .init(principal: owner.id)))
        for method in ServiceCatalogue.archery.methods {
          #expect(
            await !Self.isAllowed(server, caller(reader), owner.id, method),
            "\(method.name) after the end")
        }
      }
    }
  }

  @Test("Over the wire each refused method is PERMISSION_DENIED, and no given one is")
  func calls() async throws {
    try await TestServer.run { server in
      let owner = try server.principal(.user, named: "Robin")
      let reader = try server.principal(.user, named: "Coach")
      let coach = try server.client(of: reader.id, [.read, .write])
      let third = try server.client(named: "Third")
      let metadata: Metadata = ["quiver-user": "\(owner.id)"]
      let before = try server.lastSequence()
      for (part, isEnded) in [
        (ActingScopes.roundsPart, false), (.trainingLogPart, false), (.parts, false),
        (.parts, true),
      ] {
        let share = try server.share(of: owner.id, with: reader.id, part)
        let after = try server.lastSequence()
        if isEnded {
          _ = try server.store.perform(
            EndShare(id: share.id), .init(caller: .init(principal: reader.id)))
        }
        for method in ServiceCatalogue.archery.methods {
          let call = UnaryMethod<ListTiePoliciesRequest, ListTiePoliciesResponse>(
            method.name, id: method.id, mutating: method.isMutating && method.kind == .unary)
          let row = try #require(Self.rows[Self.name(method)])
          let isGiven = !isEnded && !row.isDisjoint(with: part)
          // Streams that are given stay open: the test above has them.
          if isGiven, method.kind != .unary { continue }
          let refusal = await coach.refusal(call, ListTiePoliciesRequest(), metadata: metadata)
          #expect((refusal?.code == .permissionDenied) != isGiven, "\(method.name): \(part)")
          let other = await third.refusal(call, ListTiePoliciesRequest(), metadata: metadata)
          #expect(other?.code == .permissionDenied, "\(method.name) of another user")
        }
        if !isEnded { #expect(try server.lastSequence() == after, "nothing was stored") }
      }
      #expect(try server.lastSequence() > before)
    }
  }
}

extension TestServer {
  /// Shares parts until tomorrow.
  func share(
    of owner: Int64, with reader: Int64, _ parts: ActingScopes, days: Int64 = 1
  ) throws -> ShareRecord {
    let day = StoreClock.system.wallMilliseconds() / 86_400_000 + days
    let terms = try ShareTerms(
      parts: parts, untilDay: Int32(day), endsAtMilliseconds: (day + 1) * 86_400_000)
    return try store.perform(
      ShareData(.code(try code(of: reader)), terms),
      CommandOptions(caller: CommandCaller(principal: owner)))
  }
}
