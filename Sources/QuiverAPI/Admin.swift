package import QuiverProtobuf
public import QuiverRPC

/// `quiver.v1.Admin`: principals and their tokens. For administrators.
public enum Admin {
  public static let createPrincipal = Method<CreatePrincipalRequest, Principal>(
    "quiver.v1.Admin/CreatePrincipal", id: 5377, mutating: true)
  /// By id, lowest first.
  public static let listPrincipals = Method<ListPrincipalsRequest, ListPrincipalsResponse>(
    "quiver.v1.Admin/ListPrincipals", id: 5378)
  public static let createToken = Method<CreateTokenRequest, CreateTokenResponse>(
    "quiver.v1.Admin/CreateToken", id: 5379, mutating: true)
  /// By id, newest first; revoked ones too.
  public static let listTokens = Method<ListTokensRequest, ListTokensResponse>(
    "quiver.v1.Admin/ListTokens", id: 5380)
  /// Closes the token's connections within a second.
  public static let revokeToken = Method<RevokeTokenRequest, Token>(
    "quiver.v1.Admin/RevokeToken", id: 5381, mutating: true)

  package static let methods = [
    createPrincipal.info, listPrincipals.info, createToken.info, listTokens.info,
    revokeToken.info,
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
    ]
  }
}
