import QuiverAPI
import QuiverRPC
import QuiverStore

extension AdminService {
  private static let connectionsShown = 10_000

  /// Where verifications run: one at a time.
  private static let verifications = ReadScheduler(.long)

  /// Where backups are waited for: one at a time.
  private static let backups = ReadScheduler(.long)

  func listConnections(
    _ request: ListConnectionsRequest, _ call: CallContext
  ) async throws -> ListConnectionsResponse {
    _ = try call.administrator()
    let summaries = await connections.connections()
    let now = call.connection.reactor.nowNanoseconds
    let wallMilliseconds = StoreClock.system.wallMilliseconds()
    var response = ListConnectionsResponse()
    response.openCount = UInt32(clamping: summaries.count)
    response.connections = summaries.prefix(Self.connectionsShown).map { summary in
      let age = now > summary.openedNanoseconds ? now - summary.openedNanoseconds : 0
      return OpenConnection(
        summary, connectedAtMilliseconds: wallMilliseconds - Int64(clamping: age / 1_000_000))
    }
    return response
  }

  func verify(_ request: VerifyRequest, _ call: CallContext) async throws -> VerifyResponse {
    _ = try call.administrator()
    let store = commands.store
    do throws(StoreError) {
      var response = VerifyResponse()
      response.subjects = store.verifiedSubjects.map(\.rawValue)
      let findings = try await Self.verifications.run(
        of: .server
      ) { () throws(StoreError) in
        let work = store.work.begin(.verification)
        defer { withExtendedLifetime(work) {} }
        return try store.verify()
      }
      response.findings = findings.map(Finding.init)
      return response
    } catch {
      throw RPCError(error)
    }
  }
}

extension AdminService {
  func backup(_ request: BackupRequest, _ call: CallContext) async throws -> BackupResponse {
    _ = try call.administrator()
    let store = commands.store
    let file = request.file
    let cancellation = CommandCancellation()
    let copying = { () async -> Result<BackupFile, StoreError> in
      do throws(StoreError) {
        return .success(
          try await Self.backups.run(of: .server) { () throws(StoreError) in
            try store.backup(to: file, cancellation)
          })
      } catch {
        return .failure(error)
      }
    }
    do throws(StoreError) {
      let made = try await withTaskCancellationHandler(operation: copying) {
        cancellation.cancel()
      }.get()
      var response = BackupResponse()
      response.file = made.path
      response.byteCount = made.byteCount
      response.sha256 = made.sha256
      return response
    } catch {
      throw RPCError(error)
    }
  }
}

extension OpenConnection {
  init(_ summary: ConnectionSummary, connectedAtMilliseconds: Int64) {
    self.init()
    id = summary.id
    address = summary.address
    principalID = summary.caller?.principalID ?? 0
    // That of a spectator is not stored.
    tokenID = max(0, summary.caller?.tokenID ?? 0)
    openCalls = UInt32(clamping: summary.openCallCount)
    self.connectedAtMilliseconds = connectedAtMilliseconds
  }
}

extension Finding {
  init(_ finding: VerifyFinding) {
    self.init()
    subject = finding.subject.rawValue
    message = finding.message
  }
}
