public import QuiverProtobuf
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

    /// Lets a client certificate with a name call as a principal.
    public let bindCertificate = UnaryMethod<BindCertificateRequest, CertificateBinding>(
      "quiver.v1.Admin/BindCertificate", id: 5394, mutating: true)
    /// Newest first.
    public let listCertificateBindings = UnaryMethod<
      ListCertificateBindingsRequest, ListCertificateBindingsResponse
    >(
      "quiver.v1.Admin/ListCertificateBindings", id: 5395)
    public let removeCertificateBinding = UnaryMethod<
      RemoveCertificateBindingRequest, CertificateBinding
    >("quiver.v1.Admin/RemoveCertificateBinding", id: 5396, mutating: true)

    /// Copies the whole database into a new file on the server.
    public let backup = UnaryMethod<BackupRequest, BackupResponse>(
      "quiver.v1.Admin/Backup", id: 5416)
  }

  public static let methods = Methods()
}

/// The kind of a subject alternative name.
public struct CertificateNameKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: 0)
  public static let dns = Self(rawValue: 1)
  public static let uri = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.CertificateNameKind",
    [
      (0, "CERTIFICATE_NAME_KIND_UNSPECIFIED"), (1, "CERTIFICATE_NAME_KIND_DNS"),
      (2, "CERTIFICATE_NAME_KIND_URI"),
    ])
}

/// A name in client certificates that stands for a principal.
public struct CertificateBinding: Message {
  public var id: Int64 = 0
  public var principalID: Int64 = 0
  public var kind = CertificateNameKind.unspecified
  /// A DNS name in lower case without a wildcard, or an absolute URI.
  public var name = ""
  public var label = ""
  /// The id of the administrator.
  public var createdBy: Int64 = 0
  /// Since 1970-01-01 UTC.
  public var createdAtMilliseconds: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.CertificateBinding", .int64(1, "id", \.id),
    .int64(2, "principal_id", \.principalID), .enum(3, "kind", \.kind),
    .string(4, "name", \.name), .string(5, "label", \.label),
    .int64(6, "created_by", \.createdBy), .int64(7, "created_at_ms", \.createdAtMilliseconds))
}

/// Binds a certificate name to a principal.
public struct BindCertificateRequest: Message {
  public var principalID: Int64 = 0
  public var kind = CertificateNameKind.unspecified
  public var name = ""
  /// At most 200 characters.
  public var label = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.BindCertificateRequest", .int64(1, "principal_id", \.principalID),
    .enum(2, "kind", \.kind), .string(3, "name", \.name), .string(4, "label", \.label))
}

/// Removes a certificate binding.
public struct RemoveCertificateBindingRequest: Message {
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RemoveCertificateBindingRequest", .int64(1, "id", \.id))
}

/// Asks for a page of certificate bindings.
public struct ListCertificateBindingsRequest: Message {
  /// 0: of all principals.
  public var principalID: Int64 = 0
  /// 0: 50; above 500: 500.
  public var pageSize: UInt32 = 0
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListCertificateBindingsRequest", .int64(1, "principal_id", \.principalID),
    .uint32(2, "page_size", \.pageSize), .string(3, "page_token", \.pageToken))
}

/// A page of certificate bindings, newest first.
public struct ListCertificateBindingsResponse: Message {
  public var bindings: [CertificateBinding] = []
  /// Empty: this was the last page.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListCertificateBindingsResponse", .messages(1, "bindings", \.bindings),
    .string(2, "next_page_token", \.nextPageToken))
}
