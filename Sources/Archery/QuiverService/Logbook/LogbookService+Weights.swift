import QuiverAPI
import QuiverCalendar
import QuiverRPC
import QuiverRules
import QuiverStore

extension LogbookService {
  func createWeightEntry(
    _ request: CreateWeightEntryRequest, _ call: CallContext, _ responder: Responder<WeightEntry>
  ) throws {
    try commands.submit(call, responder) {
      let entry = try WeightEntry.given(request.weightEntry)
      if !request.timeZone.isEmpty {
        _ = try CivilZone.given(request.timeZone, field: "time_zone")
      }
      return try CreateWeightEntry(
        entry.draft(timeZone: request.timeZone), clientID: entry.clientID,
        prefix: WeightEntry.fieldName, dayOfInstant: Self.dayOfInstant)
    }
  }

  func getWeightEntry(
    _ request: GetWeightEntryRequest, _ call: CallContext
  ) throws -> WeightEntry {
    let principal = try call.storeCaller().principal
    let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
    return try read { (snapshot) throws(StoreError) in
      WeightEntry(try snapshot.weightEntry(reference, principal: principal))
    }
  }

  func updateWeightEntry(
    _ request: UpdateWeightEntryRequest, _ call: CallContext, _ responder: Responder<WeightEntry>
  ) throws {
    try commands.submit(call, responder) {
      let entry = try WeightEntry.given(request.weightEntry)
      try NamedFields.check(
        request.updateMask, changeable: UpdateWeightEntry.fields, of: WeightEntry.self,
        called: WeightEntry.fieldName)
      let reference = try ObjectReference.read(
        id: entry.id, clientID: entry.clientID, prefix: WeightEntry.fieldName + ".")
      return try UpdateWeightEntry(
        entry.draft(), of: reference, revision: entry.revision, mask: request.updateMask,
        prefix: WeightEntry.fieldName)
    }
  }

  func deleteWeightEntry(
    _ request: DeleteWeightEntryRequest, _ call: CallContext, _ responder: Responder<WeightEntry>
  ) throws {
    try commands.submit(call, responder) {
      DeleteWeightEntry(
        try .given(id: request.id, clientID: request.clientID), revision: request.revision)
    }
  }

  func restoreWeightEntry(
    _ request: RestoreWeightEntryRequest, _ call: CallContext, _ responder: Responder<WeightEntry>
  ) throws {
    try commands.submit(call, responder) {
      RestoreWeightEntry(
        try .given(id: request.id, clientID: request.clientID), revision: request.revision)
    }
  }

  func listWeightEntries(
    _ request: ListWeightEntriesRequest, _ call: CallContext
  ) throws -> ListWeightEntriesResponse {
    let principal = try call.storeCaller().principal
    let page = try read { (snapshot) throws(StoreError) in
      try snapshot.weightEntries(
        principal: principal, isDeleted: request.deleted, pageSize: request.pageSize,
        pageToken: request.pageToken)
    }
    var response = ListWeightEntriesResponse()
    response.entries = page.items.map(WeightEntry.init)
    response.nextPageToken = page.nextPageToken
    return response
  }

  func importWeights(
    _ request: ImportWeightsRequest, _ call: CallContext,
    _ responder: Responder<ImportWeightsResponse>
  ) throws {
    let caller = try call.storeCaller()
    let cancellation = CommandCancellation()
    responder.onCancel { cancellation.cancel() }
    // Not on the shard, because its other calls would wait.
    Task {
      let work = commands.store.work.begin(.dataImport, of: caller.principal)
      defer { withExtendedLifetime(work) {} }
      let importing = WeightImport(
        caller: caller, options: call.commandOptions(caller, cancellation), commands: commands,
        readings: longReads)
      do throws(StoreError) {
        let response = try await importTurns.run(of: caller.principal) {
          () async throws(StoreError) in
          try await importing.run(request.csv)
        }
        responder.succeed(encoded: response)
      } catch {
        responder.fail(RPCError(error))
      }
    }
  }

  func exportWeights(
    _ request: ExportWeightsRequest, _ call: CallContext
  ) async throws -> ExportWeightsResponse {
    let principal = try call.storeCaller().principal
    return try await longRead(of: principal) { (snapshot) throws(StoreError) in
      let page = try snapshot.weightEntriesForExport(
        principal: principal, pageSize: request.pageSize, pageToken: request.pageToken)
      var response = ExportWeightsResponse()
      let header = request.pageToken.isEmpty ? WeightCSV.header + "\n" : ""
      response.csv = Array(
        (header + page.items.map { WeightCSV.line($0.content) }.joined()).utf8)
      response.nextPageToken = page.nextPageToken
      return response
    }
  }
}
