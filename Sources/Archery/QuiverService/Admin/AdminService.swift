import QuiverAPI
import QuiverRPC
import QuiverStore

/// Returns `quiver.v1.Admin`, to administrators.
struct AdminService {
  let commands: CommandCalls
  let connections: ConnectionView
  let state: ServingState
  let watches: WatchAdmission
  let process: ServerProcessView

  var routes: [Route] {
    [
      .responding(Admin.createPrincipal, createPrincipal),
      .reading(Admin.listPrincipals, commands, listPrincipals),
      .responding(Admin.createToken, createToken),
      .reading(Admin.listTokens, commands, listTokens),
      .responding(Admin.revokeToken, revokeToken),
      .reading(Admin.getPrincipal, commands, getPrincipal),
      .responding(Admin.updatePrincipal, updatePrincipal),
      .responding(Admin.disablePrincipal, disablePrincipal),
      .responding(Admin.enablePrincipal, enablePrincipal),
      .responding(Admin.createInvite, createInvite),
      .reading(Admin.listInvites, commands, listInvites),
      .responding(Admin.revokeInvite, revokeInvite),
      .asynchronous(Admin.listConnections, listConnections),
      .asynchronous(Admin.verify, verify),
      .responding(Admin.grantActing, grantActing),
      .responding(Admin.revokeActing, revokeActing),
      .reading(Admin.listActingGrants, commands, listActingGrants),
      .asynchronous(Admin.backup, backup),
      .reading(Admin.listBackups, commands, listBackups),
      .reading(Admin.listLimits, commands, listLimits),
      .reading(Admin.listLongWork, commands, listLongWork),
      .reading(Admin.listAudit, commands, listAudit),
      .reading(Admin.getServerStatus, commands, getServerStatus),
      .responding(Admin.transferTournament, transferTournament),
    ] + certificateRoutes
  }

  func createPrincipal(
    _ request: CreatePrincipalRequest, _ call: CallContext, _ responder: Responder<Principal>
  ) throws {
    let caller = try call.administrator()
    guard let kind = PrincipalRecord.Kind(rawValue: request.kind.rawValue), kind != .device else {
      throw RPCError.invalid("kind", "must be user, service or administrator")
    }
    let command = CreatePrincipal(kind: kind, displayName: request.displayName)
    commands.submit(command, by: caller, call, responder) { Principal($0) }
  }

  func listPrincipals(
    _ request: ListPrincipalsRequest, _ call: CallContext
  ) throws -> ListPrincipalsResponse {
    _ = try call.administrator()
    let page = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.principals(pageSize: request.pageSize, pageToken: request.pageToken)
    }
    var response = ListPrincipalsResponse()
    response.principals = page.items.map(Principal.init)
    response.nextPageToken = page.nextPageToken
    return response
  }

  func createToken(
    _ request: CreateTokenRequest, _ call: CallContext,
    _ responder: Responder<CreateTokenResponse>
  ) throws {
    let caller = try call.administrator()
    let scopes = try TokenScopes(request.scopes)
    let command = try CreateToken(
      principal: request.principalID, label: request.label, scopes: scopes,
      expiresAtMilliseconds: request.expiresAtMilliseconds)
    commands.submit(command, by: caller, call, responder) { made in
      var response = CreateTokenResponse()
      response.token = Token(made.record)
      response.secret = made.secret
      return response
    }
  }

  func listTokens(
    _ request: ListTokensRequest, _ call: CallContext
  ) throws -> ListTokensResponse {
    _ = try call.administrator()
    let page = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.tokens(
        principal: request.principalID, pageSize: request.pageSize,
        pageToken: request.pageToken)
    }
    var response = ListTokensResponse()
    response.tokens = page.items.map(Token.init)
    response.nextPageToken = page.nextPageToken
    return response
  }

  func revokeToken(
    _ request: RevokeTokenRequest, _ call: CallContext, _ responder: Responder<Token>
  ) throws {
    let caller = try call.administrator()
    commands.submit(RevokeToken(id: request.id), by: caller, call, responder) { Token($0) }
  }
}

extension Token {
  init(_ record: TokenRecord) {
    self.init()
    id = record.id
    principalID = record.principal.id
    label = record.label
    createdAtMilliseconds = record.createdAtMilliseconds
    expiresAtMilliseconds = record.expiresAtMilliseconds
    revokedAtMilliseconds = record.revokedAtMilliseconds
    principalName = record.principal.shownName
    principalKind = PrincipalKind(rawValue: record.principal.kind.rawValue)
    scopes = record.scopes.messages
  }
}
