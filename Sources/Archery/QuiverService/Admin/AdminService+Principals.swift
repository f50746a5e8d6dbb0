import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverStore

extension AdminService {
  func getPrincipal(
    _ request: GetPrincipalRequest, _ call: CallContext
  ) throws -> Principal {
    _ = try call.administrator()
    return try commands.store.read { (snapshot) throws(StoreError) in
      Principal(try snapshot.principal(id: request.id))
    }
  }

  func updatePrincipal(
    _ request: UpdatePrincipalRequest, _ call: CallContext, _ responder: Responder<Principal>
  ) throws {
    let caller = try call.administrator()
    guard let principal = request.principal else {
      throw RPCError.invalid("principal", "must be given")
    }
    try NamedFields.check(
      request.updateMask, changeable: ["display_name"], of: Principal.self, called: "principal")
    var change = UpdateProfile.Change()
    change.displayName = principal.displayName
    let command = try UpdateProfile(
      of: principal.id, revision: principal.revision, change, prefix: "principal")
    commands.submit(
      command, by: caller, call, responder
    ) { Principal($0) }
  }

  func disablePrincipal(
    _ request: DisablePrincipalRequest, _ call: CallContext, _ responder: Responder<Principal>
  ) throws {
    try setDisabled(request.id, true, call, responder)
  }

  func enablePrincipal(
    _ request: EnablePrincipalRequest, _ call: CallContext, _ responder: Responder<Principal>
  ) throws {
    try setDisabled(request.id, false, call, responder)
  }

  private func setDisabled(
    _ id: Int64, _ isDisabled: Bool, _ call: CallContext, _ responder: Responder<Principal>
  ) throws {
    let caller = try call.administrator()
    let command = SetPrincipalDisabled(id: id, isDisabled: isDisabled)
    commands.submit(command, by: caller, call, responder) { Principal($0) }
  }
}

extension Principal {
  init(_ record: PrincipalRecord) {
    self.init()
    id = record.id
    kind = PrincipalKind(rawValue: record.kind.rawValue)
    displayName = record.displayName
    createdAtMilliseconds = record.createdAtMilliseconds
    revision = record.revision
    disabledAtMilliseconds = record.disabledAtMilliseconds
    deletedAtMilliseconds = record.deletedAtMilliseconds
    shownName = record.shownName
  }
}
