import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension EquipmentService {
  var sightMarkRoutes: [Route] {
    [
      .responding(Equipment.createSightMark, createSightMark),
      .readingOwn(Equipment.listSightMarks, commands, listSightMarks),
      .responding(Equipment.updateSightMark, updateSightMark),
      .responding(Equipment.deleteSightMark, deleteSightMark),
    ]
  }

  func createSightMark(
    _ request: CreateSightMarkRequest, _ call: CallContext, _ responder: Responder<SightMark>
  ) throws {
    try commands.submit(call, responder) {
      let mark = try SightMark.given(request.sightMark)
      let owner = try SightMarkOwner.given(
        sight: mark.sightID, mark.sightClientID, setup: mark.setupID, mark.setupClientID,
        prefix: SightMark.fieldName + ".")
      return try CreateSightMark(
        mark.content, of: owner, clientID: mark.clientID, prefix: SightMark.fieldName)
    }
  }

  func listSightMarks(
    _ request: ListSightMarksRequest, _ call: CallContext
  ) throws -> ListSightMarksResponse {
    let caller = try call.storeCaller()
    let owner = try SightMarkOwner.given(
      sight: request.sightID, request.sightClientID, setup: request.setupID,
      request.setupClientID, prefix: "")
    var response = ListSightMarksResponse()
    response.sightMarks = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.sightMarks(of: owner, principal: caller.principal).map(SightMark.init)
    }
    return response
  }

  func updateSightMark(
    _ request: UpdateSightMarkRequest, _ call: CallContext, _ responder: Responder<SightMark>
  ) throws {
    try commands.submit(call, responder) {
      let mark = try SightMark.given(request.sightMark)
      try NamedFields.check(
        request.updateMask, changeable: UpdateSightMark.fields, of: SightMark.self,
        called: SightMark.fieldName)
      let reference = try ObjectReference.read(
        id: mark.id, clientID: mark.clientID, prefix: SightMark.fieldName + ".")
      return try UpdateSightMark(
        mark.content, of: reference, revision: mark.revision, mask: request.updateMask,
        prefix: SightMark.fieldName)
    }
  }

  func deleteSightMark(
    _ request: DeleteSightMarkRequest, _ call: CallContext,
    _ responder: Responder<DeleteSightMarkResponse>
  ) throws {
    let caller = try call.storeCaller()
    let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
    commands.submit(
      DeleteSightMark(reference, revision: request.revision), by: caller, call, responder
    ) { _ in DeleteSightMarkResponse() }
  }
}

extension SightMarkOwner {
  /// The owner of a sight mark in a request; a sight mark that was read may have both of its ids.
  fileprivate static func given(
    sight sightID: Int64, _ sightClientID: [UInt8], setup setupID: Int64,
    _ setupClientID: [UInt8], prefix: String
  ) throws -> SightMarkOwner {
    let namesSight = sightID != 0 || !sightClientID.isEmpty
    let namesSetup = setupID != 0 || !setupClientID.isEmpty
    guard !namesSight || !namesSetup else {
      throw RPCError.invalid(
        prefix + "setup_id", "must not be given beside a sight; name one owner")
    }
    if namesSetup {
      return .setup(try .read(id: setupID, clientID: setupClientID, prefix: prefix + "setup_"))
    }
    guard namesSight else {
      throw RPCError.invalid(
        prefix + "sight_id", "must be given, or setup_id, or a client_id of either")
    }
    return .sight(try .read(id: sightID, clientID: sightClientID, prefix: prefix + "sight_"))
  }
}

extension SightMark: ObjectMessage {
  /// The proto field that holds a mark.
  static let fieldName = "sight_mark"

  init(_ record: SightMarkRecord) {
    self.init()
    id = record.id
    clientID = record.clientID
    switch record.owner {
    case .sight:
      sightID = record.ownerID
      sightClientID = record.ownerClientID
    case .setup:
      setupID = record.ownerID
      setupClientID = record.ownerClientID
    }
    distance = record.content.distance
    unit = QuiverAPI.DistanceUnit(rawValue: record.content.unit?.rawValue ?? 0)
    markValue = record.content.markValue
    notes = record.content.notes
    createdAtMilliseconds = record.createdAtMilliseconds
    updatedAtMilliseconds = record.updatedAtMilliseconds
    revision = record.revision
  }

  /// The owner's fields.
  fileprivate var content: SightMarkContent {
    SightMarkContent(
      distance: distance, unit: QuiverRules.DistanceUnit(rawValue: unit.rawValue),
      markValue: markValue, notes: notes)
  }
}
