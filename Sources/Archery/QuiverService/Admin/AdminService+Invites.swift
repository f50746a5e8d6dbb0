import QuiverAPI
import QuiverRPC
import QuiverStore

extension AdminService {
  func createInvite(
    _ request: CreateInviteRequest, _ call: CallContext,
    _ responder: Responder<CreateInviteResponse>
  ) throws {
    let caller = try call.administrator()
    let command = try CreateInvite(
      label: request.label, uses: Int64(request.uses),
      expiresAtMilliseconds: request.expiresAtMilliseconds)
    commands.submit(command, by: caller, call, responder) { made in
      var response = CreateInviteResponse()
      response.invite = Invite(made.record)
      response.code = InviteCode.grouped(made.code)
      return response
    }
  }

  func listInvites(
    _ request: ListInvitesRequest, _ call: CallContext
  ) throws -> ListInvitesResponse {
    _ = try call.administrator()
    let page = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.invites(pageSize: request.pageSize, pageToken: request.pageToken)
    }
    var response = ListInvitesResponse()
    response.invites = page.items.map(Invite.init)
    response.nextPageToken = page.nextPageToken
    return response
  }

  func revokeInvite(
    _ request: RevokeInviteRequest, _ call: CallContext, _ responder: Responder<Invite>
  ) throws {
    let caller = try call.administrator()
    commands.submit(RevokeInvite(id: request.id), by: caller, call, responder) { Invite($0) }
  }
}

extension Invite {
  init(_ record: InviteRecord) {
    self.init()
    id = record.id
    label = record.label
    uses = UInt32(clamping: record.uses)
    usesLeft = UInt32(clamping: record.usesLeft)
    createdBy = record.createdBy
    createdAtMilliseconds = record.createdAtMilliseconds
    expiresAtMilliseconds = record.expiresAtMilliseconds
    revokedAtMilliseconds = record.revokedAtMilliseconds
  }
}
