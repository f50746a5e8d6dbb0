import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension EquipmentService {
  var bowSetupRoutes: [Route] {
    [
      .responding(Equipment.createBowSetup, createBowSetup),
      .readingOwn(Equipment.getBowSetup, commands, getBowSetup),
      .readingOwn(Equipment.listBowSetups, commands, listBowSetups),
      .responding(Equipment.updateBowSetup, updateBowSetup),
      .responding(Equipment.deleteBowSetup, deleteBowSetup),
      .responding(Equipment.copyBowSetup, copyBowSetup),
      .responding(Equipment.setDefaultBowSetup, setDefaultBowSetup),
      .responding(Equipment.activateBowSetup, activateBowSetup),
      .responding(Equipment.deactivateBowSetup, deactivateBowSetup),
      .responding(Equipment.addBowSetupComponent, addBowSetupComponent),
      .responding(Equipment.removeBowSetupComponent, removeBowSetupComponent),
    ]
  }

  func createBowSetup(
    _ request: CreateBowSetupRequest, _ call: CallContext, _ responder: Responder<BowSetup>
  ) throws {
    try commands.submit(call, responder) {
      let setup = try BowSetup.given(request.bowSetup)
      let draft = try setup.draft()
      return try CreateBowSetup(draft, clientID: setup.clientID, prefix: BowSetup.fieldName)
    }
  }

  func getBowSetup(
    _ request: GetBowSetupRequest, _ call: CallContext
  ) throws -> BowSetup {
    let caller = try call.storeCaller()
    let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
    return try commands.store.read { (snapshot) throws(StoreError) in
      BowSetup(
        try snapshot.bowSetup(
          reference, version: Int64(request.version), principal: caller.principal))
    }
  }

  func listBowSetups(
    _ request: ListBowSetupsRequest, _ call: CallContext
  ) throws -> ListBowSetupsResponse {
    let caller = try call.storeCaller()
    let page = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.bowSetups(
        principal: caller.principal, includesInactive: request.includeInactive,
        pageSize: request.pageSize, pageToken: request.pageToken)
    }
    var response = ListBowSetupsResponse()
    response.setups = page.items.map(BowSetupItem.init)
    response.nextPageToken = page.nextPageToken
    return response
  }

  func updateBowSetup(
    _ request: UpdateBowSetupRequest, _ call: CallContext, _ responder: Responder<BowSetup>
  ) throws {
    try commands.submit(call, responder) {
      let setup = try BowSetup.given(request.bowSetup)
      try NamedFields.check(
        request.updateMask, changeable: UpdateBowSetup.fields, of: BowSetup.self,
        called: BowSetup.fieldName)
      guard setup.isActive != nil || !request.updateMask.contains("is_active") else {
        throw RPCError.invalid(
          BowSetup.fieldName + ".is_active", "must be given where the mask names it")
      }
      let reference = try ObjectReference.read(
        id: setup.id, clientID: setup.clientID, prefix: BowSetup.fieldName + ".")
      var named = setup
      // Fields that the mask does not name are ignored.
      if !request.updateMask.contains("components") { named.components = [] }
      let draft = try named.draft()
      return try UpdateBowSetup(
        draft, of: reference, revision: setup.revision, mask: request.updateMask,
        prefix: BowSetup.fieldName)
    }
  }

  func deleteBowSetup(
    _ request: DeleteBowSetupRequest, _ call: CallContext,
    _ responder: Responder<DeleteBowSetupResponse>
  ) throws {
    let caller = try call.storeCaller()
    let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
    commands.submit(
      DeleteBowSetup(reference, revision: request.revision), by: caller, call, responder
    ) { _ in DeleteBowSetupResponse() }
  }

  func copyBowSetup(
    _ request: CopyBowSetupRequest, _ call: CallContext, _ responder: Responder<BowSetup>
  ) throws {
    try commands.submit(call, responder) {
      let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
      return try CopyBowSetup(
        reference, version: Int64(request.version), name: request.name,
        clientID: request.copyClientID)
    }
  }

  func setDefaultBowSetup(
    _ request: SetDefaultBowSetupRequest, _ call: CallContext, _ responder: Responder<BowSetup>
  ) throws {
    try commands.submit(call, responder) {
      SetDefaultBowSetup(
        try .given(id: request.id, clientID: request.clientID), revision: request.revision)
    }
  }

  func activateBowSetup(
    _ request: ActivateBowSetupRequest, _ call: CallContext, _ responder: Responder<BowSetup>
  ) throws {
    try commands.submit(call, responder) {
      ActivateBowSetup(
        try .given(id: request.id, clientID: request.clientID), revision: request.revision)
    }
  }

  func deactivateBowSetup(
    _ request: DeactivateBowSetupRequest, _ call: CallContext, _ responder: Responder<BowSetup>
  ) throws {
    try commands.submit(call, responder) {
      ActivateBowSetup(
        try .given(id: request.id, clientID: request.clientID), revision: request.revision,
        isActive: false)
    }
  }

  func addBowSetupComponent(
    _ request: AddBowSetupComponentRequest, _ call: CallContext, _ responder: Responder<BowSetup>
  ) throws {
    try commands.submit(call, responder) {
      let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
      guard let component = request.component else {
        throw RPCError.invalid("component", "must be given")
      }
      return AddSetupComponent(
        try component.draft(path: "component"), to: reference, revision: request.revision)
    }
  }

  func removeBowSetupComponent(
    _ request: RemoveBowSetupComponentRequest, _ call: CallContext,
    _ responder: Responder<BowSetup>
  ) throws {
    try commands.submit(call, responder) {
      let reference = try ObjectReference.given(id: request.id, clientID: request.clientID)
      let item = try ObjectReference.read(
        id: request.equipmentID, clientID: request.equipmentClientID, prefix: "equipment_")
      return RemoveSetupComponent(item, from: reference, revision: request.revision)
    }
  }
}
