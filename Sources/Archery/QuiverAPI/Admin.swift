package import QuiverProtobuf
public import QuiverRPC

/// `quiver.v1.Admin`: principals, their tokens, and invites. For administrators.
public enum Admin {
  public static let createPrincipal = UnaryMethod<CreatePrincipalRequest, Principal>(
    "quiver.v1.Admin/CreatePrincipal", id: 5377, mutating: true)
  /// By id, lowest first.
  public static let listPrincipals = UnaryMethod<ListPrincipalsRequest, ListPrincipalsResponse>(
    "quiver.v1.Admin/ListPrincipals", id: 5378)
  public static let createToken = UnaryMethod<CreateTokenRequest, CreateTokenResponse>(
    "quiver.v1.Admin/CreateToken", id: 5379, mutating: true)
  /// By id, newest first; revoked ones too.
  public static let listTokens = UnaryMethod<ListTokensRequest, ListTokensResponse>(
    "quiver.v1.Admin/ListTokens", id: 5380)
  /// Closes the token's connections within a second.
  public static let revokeToken = UnaryMethod<RevokeTokenRequest, Token>(
    "quiver.v1.Admin/RevokeToken", id: 5381, mutating: true)

  public static let getPrincipal = UnaryMethod<GetPrincipalRequest, Principal>(
    "quiver.v1.Admin/GetPrincipal", id: 5382)
  /// A stale revision is ABORTED with the principal as it stands.
  public static let updatePrincipal = UnaryMethod<UpdatePrincipalRequest, Principal>(
    "quiver.v1.Admin/UpdatePrincipal", id: 5383, mutating: true)
  /// Refuses the principal's tokens, and closes its connections within a second.
  public static let disablePrincipal = UnaryMethod<DisablePrincipalRequest, Principal>(
    "quiver.v1.Admin/DisablePrincipal", id: 5384, mutating: true)
  /// Takes the principal's tokens again.
  public static let enablePrincipal = UnaryMethod<EnablePrincipalRequest, Principal>(
    "quiver.v1.Admin/EnablePrincipal", id: 5385, mutating: true)

  public static let createInvite = UnaryMethod<CreateInviteRequest, CreateInviteResponse>(
    "quiver.v1.Admin/CreateInvite", id: 5386, mutating: true)
  /// By id, newest first; ended ones too.
  public static let listInvites = UnaryMethod<ListInvitesRequest, ListInvitesResponse>(
    "quiver.v1.Admin/ListInvites", id: 5387)
  public static let revokeInvite = UnaryMethod<RevokeInviteRequest, Invite>(
    "quiver.v1.Admin/RevokeInvite", id: 5388, mutating: true)

  /// The connections that are open now.
  public static let listConnections = UnaryMethod<ListConnectionsRequest, ListConnectionsResponse>(
    "quiver.v1.Admin/ListConnections", id: 5389)
  /// Holds what is stored against itself; it may take seconds.
  public static let verify = UnaryMethod<VerifyRequest, VerifyResponse>(
    "quiver.v1.Admin/Verify", id: 5390)

  /// Lets a service act for a user.
  public static let grantActing = UnaryMethod<GrantActingRequest, ActingGrant>(
    "quiver.v1.Admin/GrantActing", id: 5391, mutating: true)
  /// From the next call on.
  public static let revokeActing = UnaryMethod<RevokeActingRequest, ActingGrant>(
    "quiver.v1.Admin/RevokeActing", id: 5392, mutating: true)
  /// In the order in which they were made.
  public static let listActingGrants = UnaryMethod<
    ListActingGrantsRequest, ListActingGrantsResponse
  >(
    "quiver.v1.Admin/ListActingGrants", id: 5393)

  /// Copies the whole database into a new file on the server.
  public static let backup = UnaryMethod<BackupRequest, BackupResponse>(
    "quiver.v1.Admin/Backup", id: 5416)

  package static let methods = [
    createPrincipal.info, listPrincipals.info, createToken.info, listTokens.info,
    revokeToken.info, getPrincipal.info, updatePrincipal.info, disablePrincipal.info,
    enablePrincipal.info, createInvite.info, listInvites.info, revokeInvite.info,
    listConnections.info, verify.info, grantActing.info, revokeActing.info, listActingGrants.info,
    backup.info,
  ]
  package static let schema = ServiceSchema(
    "quiver.v1.Admin", number: 21, methods.map(\.schema))
}

/// What answers ``Admin``.
public protocol AdminHandlers: Sendable {
  func createPrincipal(
    _ request: CreatePrincipalRequest, _ call: CallContext, _ responder: Responder<Principal>)
  func listPrincipals(
    _ request: ListPrincipalsRequest, _ call: CallContext
  ) throws(RPCError) -> ListPrincipalsResponse
  func createToken(
    _ request: CreateTokenRequest, _ call: CallContext,
    _ responder: Responder<CreateTokenResponse>)
  func listTokens(
    _ request: ListTokensRequest, _ call: CallContext
  ) throws(RPCError) -> ListTokensResponse
  func revokeToken(
    _ request: RevokeTokenRequest, _ call: CallContext, _ responder: Responder<Token>)

  func getPrincipal(
    _ request: GetPrincipalRequest, _ call: CallContext
  ) throws(RPCError) -> Principal
  func updatePrincipal(
    _ request: UpdatePrincipalRequest, _ call: CallContext, _ responder: Responder<Principal>)
  func disablePrincipal(
    _ request: DisablePrincipalRequest, _ call: CallContext, _ responder: Responder<Principal>)
  func enablePrincipal(
    _ request: EnablePrincipalRequest, _ call: CallContext, _ responder: Responder<Principal>)

  func createInvite(
    _ request: CreateInviteRequest, _ call: CallContext,
    _ responder: Responder<CreateInviteResponse>)
  func listInvites(
    _ request: ListInvitesRequest, _ call: CallContext
  ) throws(RPCError) -> ListInvitesResponse
  func revokeInvite(
    _ request: RevokeInviteRequest, _ call: CallContext, _ responder: Responder<Invite>)

  func listConnections(
    _ request: ListConnectionsRequest, _ call: CallContext
  ) async throws -> ListConnectionsResponse
  func verify(_ request: VerifyRequest, _ call: CallContext) async throws -> VerifyResponse

  func grantActing(
    _ request: GrantActingRequest, _ call: CallContext, _ responder: Responder<ActingGrant>)
  func revokeActing(
    _ request: RevokeActingRequest, _ call: CallContext, _ responder: Responder<ActingGrant>)
  func listActingGrants(
    _ request: ListActingGrantsRequest, _ call: CallContext
  ) throws(RPCError) -> ListActingGrantsResponse

  func backup(_ request: BackupRequest, _ call: CallContext) async throws -> BackupResponse
}

extension AdminHandlers {
  @inlinable
  public var routes: [Route] {
    [
      .responding(Admin.createPrincipal, createPrincipal),
      .synchronous(Admin.listPrincipals, listPrincipals),
      .responding(Admin.createToken, createToken),
      .synchronous(Admin.listTokens, listTokens),
      .responding(Admin.revokeToken, revokeToken),
      .synchronous(Admin.getPrincipal, getPrincipal),
      .responding(Admin.updatePrincipal, updatePrincipal),
      .responding(Admin.disablePrincipal, disablePrincipal),
      .responding(Admin.enablePrincipal, enablePrincipal),
      .responding(Admin.createInvite, createInvite),
      .synchronous(Admin.listInvites, listInvites),
      .responding(Admin.revokeInvite, revokeInvite),
      .asynchronous(Admin.listConnections, listConnections),
      .asynchronous(Admin.verify, verify),
      .responding(Admin.grantActing, grantActing),
      .responding(Admin.revokeActing, revokeActing),
      .synchronous(Admin.listActingGrants, listActingGrants),
      .asynchronous(Admin.backup, backup),
    ]
  }
}
