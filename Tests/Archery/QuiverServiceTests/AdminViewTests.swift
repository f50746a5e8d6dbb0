import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore
import QuiverWire
import Synchronization
import TestSupport
import Testing

@testable import QuiverService

@Suite("The administrator's views", .timeLimit(.minutes(5)))
struct AdminViewTests {
  @Test("Every view is for administrators only")
  func permissions() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      #expect(await Self.refusals(admin).allSatisfy { $0 == nil })
      let robin = try server.client(named: "Robin")
      #expect(await Self.refusals(robin).allSatisfy { $0 == .permissionDenied })
      let nobody = try server.nobody()
      #expect(await Self.refusals(nobody).allSatisfy { $0 == .unauthenticated })
      let transfer = await robin.refusal(Admin.transferTournament, TransferTournamentRequest())
      #expect(transfer?.code == .permissionDenied)
      let backups = await robin.refusal(Admin.listBackups, ListBackupsRequest())
      #expect(backups?.code == .permissionDenied)
    }
  }

  /// How each view that needs no particular request is refused; nil: it answers.
  private static func refusals(_ client: Client) async -> [StatusCode?] {
    [
      await client.refusal(Admin.listPrincipals, ListPrincipalsRequest())?.code,
      await client.refusal(Admin.listTokens, ListTokensRequest())?.code,
      await client.refusal(Admin.listActingGrants, ListActingGrantsRequest())?.code,
      await client.refusal(Admin.listConnections, ListConnectionsRequest())?.code,
      await client.refusal(Admin.listLimits, ListLimitsRequest())?.code,
      await client.refusal(Admin.listLongWork, ListLongWorkRequest())?.code,
      await client.refusal(Admin.listAudit, ListAuditRequest())?.code,
      await client.refusal(Admin.getServerStatus, GetServerStatusRequest())?.code,
    ]
  }

  @Test("The limits have their values and what uses them, and quotas those of one principal")
  func limits() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let robin = try server.client(named: "Robin")
      _ = try await robin.call(Equipment.risers.create, .of(.hoyt))
      let id = try await robin.call(Account.whoAmI, WhoAmIRequest()).principal?.id ?? 0
      let all = try await admin.call(Admin.listLimits, ListLimitsRequest()).limits
      #expect(all.first { $0.name == "maxConnections" }?.used == 2)
      #expect(all.first { $0.name == "queuedCommands" }?.used == 0)
      #expect(all.first { $0.name == "maxFrameBytes" }?.value == Int64(Limits().maxFrameBytes))
      #expect(all.first { $0.name == "maxFrameBytes" }?.used == nil)
      #expect(Set(all.map(\.name)).count == all.count)
      var request = ListLimitsRequest()
      request.principalID = id
      let quotas = try await admin.call(Admin.listLimits, request).limits
      let rows = quotas.first { $0.name == "storedRowsPerPrincipal" }
      #expect(rows?.value == StoreLimits.storedRowsPerPrincipal && (rows?.used ?? 0) > 0)
      request.principalID = 999
      #expect(await admin.refusal(Admin.listLimits, request)?.code == .notFound)
    }
  }

  @Test("The audit is listed newest first, by filters, in pages")
  func audit() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      var made: [Int64] = []
      for name in ["A", "B", "C"] {
        var request = CreatePrincipalRequest()
        request.kind = .user
        request.displayName = name
        made.append(try await admin.call(Admin.createPrincipal, request).id)
      }
      var disabling = DisablePrincipalRequest()
      disabling.id = made[1]
      _ = try await admin.call(Admin.disablePrincipal, disabling)
      let all = try await Self.audit(admin, ListAuditRequest())
      #expect(all.map(\.sequence) == all.map(\.sequence).sorted(by: >))
      let newest = try #require(all.first)
      #expect(newest.action == "principal.disable" && newest.objectKind == "principal")
      #expect(newest.objectID == made[1])
      let sheriff = try await admin.call(Account.whoAmI, WhoAmIRequest())
      #expect(newest.actorID == sheriff.principal?.id && newest.tokenID == sheriff.tokenID)

      var request = ListAuditRequest()
      request.action = "principal.create"
      request.pageSize = 1
      request.objectKind = "principal"
      #expect(try await Self.audit(admin, request).prefix(3).map(\.objectID) == made.reversed())
      request.objectID = made[0]
      #expect(try await Self.audit(admin, request).map(\.objectID) == [made[0]])
      request = ListAuditRequest()
      request.action = "principal."
      request.objectID = made[1]
      #expect(
        try await Self.audit(admin, request).map(\.action)
          == ["principal.disable", "principal.create"])
      request = ListAuditRequest()
      request.fromMilliseconds = newest.atMilliseconds + 1
      #expect(try await Self.audit(admin, request).isEmpty)
      request.fromMilliseconds = nil
      request.untilMilliseconds = newest.atMilliseconds + 1
      #expect(try await Self.audit(admin, request) == all)
      request.principalID = 999
      #expect(try await Self.audit(admin, request).isEmpty)
      request.objectKind = "arrowhead"
      #expect(await admin.refusal(Admin.listAudit, request)?.code == .invalidArgument)
    }
  }

  /// The rows of all pages.
  private static func audit(
    _ client: Client, _ first: ListAuditRequest
  ) async throws -> [QuiverAPI.AuditEntry] {
    var request = first
    var rows: [QuiverAPI.AuditEntry] = []
    repeat {
      let page = try await client.call(Admin.listAudit, request)
      rows += page.entries
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return rows
  }

  @Test("Every kind of object in the audit has one word")
  func kinds() {
    #expect(Set(AuditedKind.names).count == AuditedKind.names.count)
    for name in AuditedKind.names {
      #expect(AuditedKind.kind(named: name).map(AuditedKind.name(of:)) == name)
    }
  }

  @Test("The status counts commands and has a schedule's newest backup")
  func status() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let before = try await admin.call(Admin.getServerStatus, GetServerStatusRequest())
      let robin = try server.client(named: "Robin")
      _ = try await robin.call(Equipment.risers.create, .of(.hoyt))
      let after = try await admin.call(Admin.getServerStatus, GetServerStatusRequest())
      #expect(after.isServing && after.reason.isEmpty && after.openConnections == 2)
      #expect(after.committedCommands > before.committedCommands)
      #expect((after.commits?.count ?? 0) > (before.commits?.count ?? 0))
      #expect(after.commits?.buckets.count == after.bucketBoundsNanoseconds.count + 1)
      #expect(after.newestBackupAtMilliseconds == nil && after.backupIntervalMilliseconds == 0)
      let none = await admin.refusal(Admin.listBackups, ListBackupsRequest())
      #expect(none?.code == .failedPrecondition)

      let made = OneSignal()
      let scheduler = BackupScheduler(
        server.store, BackupSchedule(directory: server.store.directory.path + "/backups")
      ) { event in
        if case .made = event { made.signal() }
      }
      try scheduler.start()
      await made.wait()
      let listed = try await admin.call(Admin.listBackups, ListBackupsRequest())
      #expect(listed.backups.count == 1 && listed.madeCount == 1 && listed.failure.isEmpty)
      #expect(listed.backups.first?.sha256.count == 32)
      let last = try await admin.call(Admin.getServerStatus, GetServerStatusRequest())
      #expect(last.newestBackupAtMilliseconds == listed.backups.first?.madeAtMilliseconds)
      #expect(last.backupIntervalMilliseconds == 86_400_000)
      scheduler.stop()
    }
  }

  @Test("Long work is listed while it runs")
  func longWork() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      #expect(try await admin.call(Admin.listLongWork, ListLongWorkRequest()).work.isEmpty)
      var work: RunningWork? = server.store.work.begin(.dataImport, of: 7)
      work?.advance(to: 30, of: 90)
      let listed = try await admin.call(Admin.listLongWork, ListLongWorkRequest()).work
      #expect(listed.count == 1 && listed.first?.kind == .dataImport)
      #expect(listed.first?.principalID == 7)
      #expect(listed.first?.done == 30 && listed.first?.total == 90)
      work = nil
      #expect(try await admin.call(Admin.listLongWork, ListLongWorkRequest()).work.isEmpty)
    }
  }

  @Test("An event of a disabled organiser gets another one, an event of an active one does not")
  func transfer() async throws {
    try await TestServer.run { server in
      let admin = try server.client(.administrator, named: "Sheriff")
      let robin = try server.client(named: "Robin")
      let marian = try server.client(named: "Marian")
      let organiser = try await robin.call(Account.whoAmI, WhoAmIRequest()).principal?.id ?? 0
      let other = try await marian.call(Account.whoAmI, WhoAmIRequest()).principal?.id ?? 0
      let event = try await robin.call(
        Tournament.createTournament,
        .with {
          $0.name = "Nottingham"
          $0.format = .library("wa18")
        })
      var request = TransferTournamentRequest()
      request.tournamentID = event.id
      request.organiserID = other
      let active = await admin.refusal(Admin.transferTournament, request)
      #expect(active?.code == .failedPrecondition)
      var disabling = DisablePrincipalRequest()
      disabling.id = organiser
      _ = try await admin.call(Admin.disablePrincipal, disabling)
      request.organiserID = organiser
      // The same organiser changes nothing.
      #expect(
        try await admin.call(Admin.transferTournament, request).previousOrganiserID == organiser)
      request.organiserID = try await admin.call(Account.whoAmI, WhoAmIRequest()).principal?.id ?? 0
      let noUser = await admin.refusal(Admin.transferTournament, request)
      #expect(noUser?.code == .failedPrecondition)
      request.organiserID = other
      let moved = try await admin.call(Admin.transferTournament, request)
      #expect(moved.organiserID == other && moved.previousOrganiserID == organiser)
      var reading = GetTournamentRequest()
      reading.id = event.id
      #expect(try await marian.call(Tournament.getTournament, reading).organiserID == other)
      request.tournamentID = 999
      #expect(await admin.refusal(Admin.transferTournament, request)?.code == .notFound)
      #expect(try await admin.call(Admin.verify, VerifyRequest()).findings.isEmpty)
    }
  }
}

/// An event that another thread signals once.
private final class OneSignal: Sendable {
  private let state = Mutex<(isSet: Bool, waiting: CheckedContinuation<Void, Never>?)>((false, nil))

  func signal() {
    let waiting = state.withLock { state in
      state.isSet = true
      return state.waiting.take()
    }
    waiting?.resume()
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isSet = state.withLock { state in
        if !state.isSet { state.waiting = continuation }
        return state.isSet
      }
      if isSet { continuation.resume() }
    }
  }
}
