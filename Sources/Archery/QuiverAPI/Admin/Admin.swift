public import QuiverProtobuf
public import QuiverRPC

/// The service `quiver.v1.Admin`: principals, their tokens, invites, and the server itself. It is
/// for administrators with a token of the scope ``TokenScope/admin``.
public enum Admin: RPCService {
  /// The methods of ``Admin``.
  public struct Methods: Sendable {
    /// Creates a user, a service or an administrator.
    public let createPrincipal = UnaryMethod<CreatePrincipalRequest, Principal>(
      "quiver.v1.Admin/CreatePrincipal", id: 5377, mutating: true)
    /// Lists all principals by id, ascending.
    public let listPrincipals = UnaryMethod<ListPrincipalsRequest, ListPrincipalsResponse>(
      "quiver.v1.Admin/ListPrincipals", id: 5378)
    /// Creates a token of a principal and returns it, once.
    public let createToken = UnaryMethod<CreateTokenRequest, CreateTokenResponse>(
      "quiver.v1.Admin/CreateToken", id: 5379, mutating: true)
    /// Lists tokens by id, newest first, including revoked tokens.
    public let listTokens = UnaryMethod<ListTokensRequest, ListTokensResponse>(
      "quiver.v1.Admin/ListTokens", id: 5380)
    /// Revokes a token and closes its connections within a second.
    public let revokeToken = UnaryMethod<RevokeTokenRequest, Token>(
      "quiver.v1.Admin/RevokeToken", id: 5381, mutating: true)

    /// Returns one principal.
    public let getPrincipal = UnaryMethod<GetPrincipalRequest, Principal>(
      "quiver.v1.Admin/GetPrincipal", id: 5382)
    /// Changes the fields of a principal that the mask names. A stale revision is ABORTED with the
    /// current principal as a detail.
    public let updatePrincipal = UnaryMethod<UpdatePrincipalRequest, Principal>(
      "quiver.v1.Admin/UpdatePrincipal", id: 5383, mutating: true)
    /// Rejects the principal's tokens and closes its connections within a second. The last
    /// administrator is FAILED_PRECONDITION. Disabling a disabled principal changes nothing.
    public let disablePrincipal = UnaryMethod<DisablePrincipalRequest, Principal>(
      "quiver.v1.Admin/DisablePrincipal", id: 5384, mutating: true)
    /// Accepts the principal's tokens again.
    public let enablePrincipal = UnaryMethod<EnablePrincipalRequest, Principal>(
      "quiver.v1.Admin/EnablePrincipal", id: 5385, mutating: true)

    /// Creates an invite and returns its code, once.
    public let createInvite = UnaryMethod<CreateInviteRequest, CreateInviteResponse>(
      "quiver.v1.Admin/CreateInvite", id: 5386, mutating: true)
    /// Lists invites by id, newest first, including expired and used ones.
    public let listInvites = UnaryMethod<ListInvitesRequest, ListInvitesResponse>(
      "quiver.v1.Admin/ListInvites", id: 5387)
    /// Revokes an invite. Revoking a revoked invite changes nothing.
    public let revokeInvite = UnaryMethod<RevokeInviteRequest, Invite>(
      "quiver.v1.Admin/RevokeInvite", id: 5388, mutating: true)

    /// The open connections, by id, ascending; at most 10,000.
    public let listConnections = UnaryMethod<ListConnectionsRequest, ListConnectionsResponse>(
      "quiver.v1.Admin/ListConnections", id: 5389)
    /// Checks the stored data: pages, the hash chain of the audit log, the journal, counts. It may
    /// take seconds while other calls continue. One verification runs at a time.
    public let verify = UnaryMethod<VerifyRequest, VerifyResponse>(
      "quiver.v1.Admin/Verify", id: 5390)

    /// Allows a service to act for a user: calls with the user's id in the metadata key quiver-user
    /// have the user's permission and idempotency keys. Granting it again changes nothing.
    public let grantActing = UnaryMethod<GrantActingRequest, ActingGrant>(
      "quiver.v1.Admin/GrantActing", id: 5391, mutating: true)
    /// Removes a grant, effective from the next call. A grant that does not exist is NOT_FOUND.
    public let revokeActing = UnaryMethod<RevokeActingRequest, ActingGrant>(
      "quiver.v1.Admin/RevokeActing", id: 5392, mutating: true)
    /// Lists grants in the order of creation.
    public let listActingGrants = UnaryMethod<
      ListActingGrantsRequest, ListActingGrantsResponse
    >(
      "quiver.v1.Admin/ListActingGrants", id: 5393)

    /// Lets a client certificate with this name call as the principal. The same binding again
    /// returns the one that exists; a name of another principal is ALREADY_EXISTS.
    public let bindCertificate = UnaryMethod<BindCertificateRequest, CertificateBinding>(
      "quiver.v1.Admin/BindCertificate", id: 5394, mutating: true)
    /// Lists certificate bindings, newest first.
    public let listCertificateBindings = UnaryMethod<
      ListCertificateBindingsRequest, ListCertificateBindingsResponse
    >(
      "quiver.v1.Admin/ListCertificateBindings", id: 5395)
    /// Removes a certificate binding and closes the connections that use it.
    public let removeCertificateBinding = UnaryMethod<
      RemoveCertificateBindingRequest, CertificateBinding
    >("quiver.v1.Admin/RemoveCertificateBinding", id: 5396, mutating: true)

    /// Copies the whole database into a new file on the server while other calls continue, and
    /// checks every page of the copy. An existing file is ALREADY_EXISTS. One backup runs at a
    /// time. Cancelling the call removes the incomplete copy.
    public let backup = UnaryMethod<BackupRequest, BackupResponse>(
      "quiver.v1.Admin/Backup", id: 5416)
    /// Lists the backups that the server makes by itself, newest first, at most 1,000, and says
    /// when the next one is due. FAILED_PRECONDITION if it makes none.
    public let listBackups = UnaryMethod<ListBackupsRequest, ListBackupsResponse>(
      "quiver.v1.Admin/ListBackups", id: 5417)

    /// Lists the limits of the server with their values, and what uses them now; or the quotas of
    /// one principal with its usage.
    public let listLimits = UnaryMethod<ListLimitsRequest, ListLimitsResponse>(
      "quiver.v1.Admin/ListLimits", id: 5418)
    /// Lists the backups, verifications, imports, exports and erasures that run now, oldest first.
    public let listLongWork = UnaryMethod<ListLongWorkRequest, ListLongWorkResponse>(
      "quiver.v1.Admin/ListLongWork", id: 5419)
    /// Lists who changed what and when, newest first. A page can have fewer rows than its size, or
    /// none, although another one follows.
    public let listAudit = UnaryMethod<ListAuditRequest, ListAuditResponse>(
      "quiver.v1.Admin/ListAudit", id: 5420)
    /// Returns what the server does now, and what it has done since it started.
    public let getServerStatus = UnaryMethod<GetServerStatusRequest, ServerStatus>(
      "quiver.v1.Admin/GetServerStatus", id: 5421)
    /// Makes a user the organiser of an event whose organiser was disabled or deleted; of another
    /// event FAILED_PRECONDITION. The same organiser again changes nothing.
    public let transferTournament = UnaryMethod<
      TransferTournamentRequest, TransferTournamentResponse
    >("quiver.v1.Admin/TransferTournament", id: 5422, mutating: true)
  }

  /// The methods of the service.
  public static let methods = Methods()
}

/// The kind of a subject alternative name in a certificate.
public struct CertificateNameKind: OpenEnum {
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The value of a field that was not set.
  public static let unspecified = Self(rawValue: 0)
  /// A DNS name.
  public static let dns = Self(rawValue: 1)
  /// A URI, for example a SPIFFE id.
  public static let uri = Self(rawValue: 2)

  public static let schema = EnumSchema(
    "quiver.v1.CertificateNameKind",
    [
      (0, "CERTIFICATE_NAME_KIND_UNSPECIFIED"), (1, "CERTIFICATE_NAME_KIND_DNS"),
      (2, "CERTIFICATE_NAME_KIND_URI"),
    ])
}

/// A name in client certificates that identifies a principal.
public struct CertificateBinding: Message {
  /// The id of the certificate binding, assigned by the server.
  public var id: Int64 = 0
  /// The id of the principal that a certificate with the name identifies.
  public var principalID: Int64 = 0
  /// The kind of the name.
  public var kind = CertificateNameKind.unspecified
  /// A DNS name in lower case without a wildcard, or an absolute URI; unique among all bindings.
  public var name = ""
  /// A description for administrators; at most 200 characters.
  public var label = ""
  /// The id of the administrator who created it.
  public var createdBy: Int64 = 0
  /// The time of creation, in milliseconds since 1970-01-01 UTC.
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
  /// The id of the principal.
  public var principalID: Int64 = 0
  /// The kind of the name.
  public var kind = CertificateNameKind.unspecified
  /// A DNS name in lower case without a wildcard, or an absolute URI of at most 1,024 bytes.
  public var name = ""
  /// A description for administrators; at most 200 characters.
  public var label = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.BindCertificateRequest", .int64(1, "principal_id", \.principalID),
    .enum(2, "kind", \.kind), .string(3, "name", \.name), .string(4, "label", \.label))
}

/// Removes a certificate binding.
public struct RemoveCertificateBindingRequest: Message {
  /// The id of the certificate binding.
  public var id: Int64 = 0

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.RemoveCertificateBindingRequest", .int64(1, "id", \.id))
}

/// Requests a page of certificate bindings.
public struct ListCertificateBindingsRequest: Message {
  /// Only the bindings of this principal; 0: of all principals.
  public var principalID: Int64 = 0
  /// The largest number of results on the page. 0 means 50; a value above 500 means 500.
  public var pageSize: UInt32 = 0
  /// The next page token of the previous page; empty for the first page. A token of another method,
  /// filter or principal is INVALID_ARGUMENT.
  public var pageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListCertificateBindingsRequest", .int64(1, "principal_id", \.principalID),
    .uint32(2, "page_size", \.pageSize), .string(3, "page_token", \.pageToken))
}

/// A page of certificate bindings, newest first.
public struct ListCertificateBindingsResponse: Message {
  /// The bindings of the page.
  public var bindings: [CertificateBinding] = []
  /// The token of the next page; empty if this page is the last one.
  public var nextPageToken = ""

  public init() {}

  public static let schema = Schema<Self>(
    "quiver.v1.ListCertificateBindingsResponse", .messages(1, "bindings", \.bindings),
    .string(2, "next_page_token", \.nextPageToken))
}
