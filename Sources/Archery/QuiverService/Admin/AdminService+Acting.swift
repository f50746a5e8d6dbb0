import QuiverAPI
import QuiverRPC
import QuiverStore

extension AdminService {
  func grantActing(
    _ request: GrantActingRequest, _ call: CallContext, _ responder: Responder<ActingGrant>
  ) throws {
    let caller = try call.administrator()
    let command = GrantActing(
      service: request.serviceID, user: request.userID, scopes: try ActingScopes(request.scopes))
    commands.submit(command, by: caller, call, responder) { ActingGrant($0) }
  }

  func revokeActing(
    _ request: RevokeActingRequest, _ call: CallContext, _ responder: Responder<ActingGrant>
  ) throws {
    let caller = try call.administrator()
    let command = RevokeActing(service: request.serviceID, user: request.userID)
    commands.submit(command, by: caller, call, responder) { ActingGrant($0) }
  }

  func listActingGrants(
    _ request: ListActingGrantsRequest, _ call: CallContext
  ) throws -> ListActingGrantsResponse {
    _ = try call.administrator()
    let page = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.actingGrants(
        service: request.serviceID, pageSize: request.pageSize, pageToken: request.pageToken)
    }
    var response = ListActingGrantsResponse()
    response.grants = page.items.map(ActingGrant.init)
    response.nextPageToken = page.nextPageToken
    return response
  }
}

extension ActingGrant {
  init(_ record: ActingGrantRecord) {
    self.init()
    serviceID = record.service
    userID = record.user
    grantedBy = record.grantedBy
    grantedAtMilliseconds = record.grantedAtMilliseconds
    scopes = record.scopes.messages
  }
}
