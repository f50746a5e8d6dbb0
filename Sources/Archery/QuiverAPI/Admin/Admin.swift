public import QuiverRPC

/// `quiver.v1.Admin`: principals, their tokens, and invites. For administrators.
public enum Admin: RPCService {
  public struct Methods: Sendable {
    public let createPrincipal = UnaryMethod<CreatePrincipalRequest, Principal>(
      "quiver.v1.Admin/CreatePrincipal", id: 5377, mutating: true)
    /// By id, lowest first.
    public let listPrincipals = UnaryMethod<ListPrincipalsRequest, ListPrincipalsResponse>(
      "quiver.v1.Admin/ListPrincipals", id: 5378)
    public let createToken = UnaryMethod<CreateTokenRequest, CreateTokenResponse>(
      "quiver.v1.Admin/CreateToken", id: 5379, mutating: true)
    /// By id, newest first; revoked ones too.
    public let listTokens = UnaryMethod<ListTokensRequest, ListTokensResponse>(
      "quiver.v1.Admin/ListTokens", id: 5380)
    /// Closes the token's connections within a second.
    public let revokeToken = UnaryMethod<RevokeTokenRequest, Token>(
      "quiver.v1.Admin/RevokeToken", id: 5381, mutating: true)

    public let getPrincipal = UnaryMethod<GetPrincipalRequest, Principal>(
      "quiver.v1.Admin/GetPrincipal", id: 5382)
    /// A stale revision is ABORTED with the principal as it stands.
    public let updatePrincipal = UnaryMethod<UpdatePrincipalRequest, Principal>(
      "quiver.v1.Admin/UpdatePrincipal", id: 5383, mutating: true)
    /// Refuses the principal's tokens, and closes its connections within a second.
    public let disablePrincipal = UnaryMethod<DisablePrincipalRequest, Principal>(
      "quiver.v1.Admin/DisablePrincipal", id: 5384, mutating: true)
    /// Takes the principal's tokens again.
    public let enablePrincipal = UnaryMethod<EnablePrincipalRequest, Principal>(
      "quiver.v1.Admin/EnablePrincipal", id: 5385, mutating: true)

    public let createInvite = UnaryMethod<CreateInviteRequest, CreateInviteResponse>(
      "quiver.v1.Admin/CreateInvite", id: 5386, mutating: true)
    /// By id, newest first; ended ones too.
    public let listInvites = UnaryMethod<ListInvitesRequest, ListInvitesResponse>(
      "quiver.v1.Admin/ListInvites", id: 5387)
    public let revokeInvite = UnaryMethod<RevokeInviteRequest, Invite>(
      "quiver.v1.Admin/RevokeInvite", id: 5388, mutating: true)

    /// The connections that are open now.
    public let listConnections = UnaryMethod<ListConnectionsRequest, ListConnectionsResponse>(
      "quiver.v1.Admin/ListConnections", id: 5389)
    /// Holds what is stored against itself; it may take seconds.
    public let verify = UnaryMethod<VerifyRequest, VerifyResponse>(
      "quiver.v1.Admin/Verify", id: 5390)

    /// Lets a service act for a user.
    public let grantActing = UnaryMethod<GrantActingRequest, ActingGrant>(
      "quiver.v1.Admin/GrantActing", id: 5391, mutating: true)
    /// From the next call on.
    public let revokeActing = UnaryMethod<RevokeActingRequest, ActingGrant>(
      "quiver.v1.Admin/RevokeActing", id: 5392, mutating: true)
    /// In the order in which they were made.
    public let listActingGrants = UnaryMethod<
      ListActingGrantsRequest, ListActingGrantsResponse
    >(
      "quiver.v1.Admin/ListActingGrants", id: 5393)

    /// Copies the whole database into a new file on the server.
    public let backup = UnaryMethod<BackupRequest, BackupResponse>(
      "quiver.v1.Admin/Backup", id: 5416)
  }

  public static let methods = Methods()
}
