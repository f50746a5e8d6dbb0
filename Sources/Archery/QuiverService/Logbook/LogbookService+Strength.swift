import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension LogbookService {
  func createSet(
    _ request: CreateSetRequest, _ call: CallContext, _ responder: Responder<QuiverAPI.LiftSet>
  ) throws {
    try commands.submit(call, responder) {
      let set = try QuiverAPI.LiftSet.given(request.set)
      let content = try set.content()
      return try CreateLiftSet(content, clientID: set.clientID, prefix: QuiverAPI.LiftSet.fieldName)
    }
  }

  func getSet(
    _ request: GetSetRequest, _ call: CallContext
  ) throws -> QuiverAPI.LiftSet {
    let principal = try call.storeCaller().principal
    let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
    return try read { (snapshot) throws(StoreError) in
      QuiverAPI.LiftSet(try snapshot.liftSet(reference, principal: principal))
    }
  }

  func updateSet(
    _ request: UpdateSetRequest, _ call: CallContext, _ responder: Responder<QuiverAPI.LiftSet>
  ) throws {
    try commands.submit(call, responder) {
      let set = try QuiverAPI.LiftSet.given(request.set)
      try NamedFields.check(
        request.updateMask, changeable: UpdateLiftSet.fields, of: QuiverAPI.LiftSet.self,
        called: QuiverAPI.LiftSet.fieldName)
      let reference = try ObjectReference.read(
        id: set.id, clientID: set.clientID, prefix: QuiverAPI.LiftSet.fieldName + ".")
      let content = try set.content(mask: Set(request.updateMask))
      return try UpdateLiftSet(
        content, of: reference, revision: set.revision, mask: request.updateMask,
        prefix: QuiverAPI.LiftSet.fieldName)
    }
  }

  func deleteSet(
    _ request: DeleteSetRequest, _ call: CallContext, _ responder: Responder<DeleteSetResponse>
  ) throws {
    let caller = try call.storeCaller()
    let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
    commands.submit(
      DeleteLiftSet(reference, revision: request.revision), by: caller, call, responder
    ) { _ in DeleteSetResponse() }
  }

  func listSets(
    _ request: ListSetsRequest, _ call: CallContext
  ) async throws -> ListSetsResponse {
    let principal = try call.storeCaller().principal
    let page = try await longRead(of: principal) { (snapshot) throws(StoreError) in
      try snapshot.liftSets(
        of: request.exercise, principal: principal, pageSize: request.pageSize,
        pageToken: request.pageToken)
    }
    var response = ListSetsResponse()
    response.sets = page.items.map(QuiverAPI.LiftSet.init)
    response.nextPageToken = page.nextPageToken
    return response
  }

  func exportSets(
    _ request: ExportSetsRequest, _ call: CallContext
  ) async throws -> ExportSetsResponse {
    let principal = try call.storeCaller().principal
    try QuiverRules.WeightUnit.check(request.unit)
    return try await longRead(of: principal) { (snapshot) throws(StoreError) in
      let unit = try QuiverRules.WeightUnit.shown(
        request.unit, snapshot, principal: principal)
      let page = try snapshot.liftSetsForExport(
        principal: principal, pageSize: request.pageSize, pageToken: request.pageToken)
      var response = ExportSetsResponse()
      response.log = Array(page.items.map { $0.set.line(in: unit) }.joined().utf8)
      response.nextPageToken = page.nextPageToken
      response.unit = unit.message
      return response
    }
  }
}
