public import QuiverRPC

/// The service `quiver.v1.Account`: the caller's identity, profile, preferences, and all of its
/// data.
public enum Account: RPCService {
  /// The methods of ``Account``.
  public struct Methods: Sendable {
    /// Returns the caller's principal, the scopes of its token, and the store's epoch.
    public let whoAmI = UnaryMethod<WhoAmIRequest, WhoAmIResponse>(
      "quiver.v1.Account/WhoAmI", id: 5121)

    /// Returns the caller's profile. Its fields are empty until the caller sets them.
    public let getProfile = UnaryMethod<GetProfileRequest, Profile>(
      "quiver.v1.Account/GetProfile", id: 5122)
    /// Changes the fields of the caller's profile that the mask names. A stale revision is ABORTED
    /// with the current profile as a detail.
    public let updateProfile = UnaryMethod<UpdateProfileRequest, Profile>(
      "quiver.v1.Account/UpdateProfile", id: 5123, mutating: true)

    /// Returns all preferences of the caller, by key.
    public let getPreferences = UnaryMethod<GetPreferencesRequest, GetPreferencesResponse>(
      "quiver.v1.Account/GetPreferences", id: 5124)
    /// Sets the value of a preference. More than 200 keys are RESOURCE_EXHAUSTED.
    public let setPreference = UnaryMethod<SetPreferenceRequest, Preference>(
      "quiver.v1.Account/SetPreference", id: 5125, mutating: true)
    /// Deletes a preference. A key that does not exist is NOT_FOUND.
    public let deletePreference = UnaryMethod<
      DeletePreferenceRequest, DeletePreferenceResponse
    >(
      "quiver.v1.Account/DeletePreference", id: 5126, mutating: true)

    /// Creates a user and its token. It needs no token. After 10 rejected codes within a minute,
    /// calls from the address are RESOURCE_EXHAUSTED until the minute is over.
    public let redeemInvite = UnaryMethod<RedeemInviteRequest, RedeemInviteResponse>(
      "quiver.v1.Account/RedeemInvite", id: 5127, mutating: true, anonymous: true)

    /// Replaces the token of this connection with a new one of the same label, scopes and expiry.
    /// The old token stays valid for `overlap_ms`, so that all programs that use it can be given
    /// the new one; then its connections are closed. A caller without a token of its own, and a
    /// service that acts for a user, is FAILED_PRECONDITION. More than 10,000 tokens of one
    /// principal, those that ended in the last 90 days included, are RESOURCE_EXHAUSTED. A repeated
    /// call with the same idempotency key is FAILED_PRECONDITION, since tokens are not stored: call
    /// again with another key while the old token is valid.
    public let rotateToken = UnaryMethod<RotateTokenRequest, RotateTokenResponse>(
      "quiver.v1.Account/RotateToken", id: 5130, mutating: true)

    /// Returns what the caller stores, and its limits.
    public let getUsage = UnaryMethod<GetUsageRequest, Usage>(
      "quiver.v1.Account/GetUsage", id: 5131)
    /// Returns a code that the caller shows to an organiser, who can then appoint it. Codes are not
    /// stored, and end by themselves.
    public let getIntroductionCode = UnaryMethod<GetIntroductionCodeRequest, IntroductionCode>(
      "quiver.v1.Account/GetIntroductionCode", id: 5132)

    /// Lets another principal read parts of the caller's data until the end of a day. The reader
    /// names the caller in the metadata key `quiver-user` of its calls. It may read nothing else,
    /// change nothing, and pass nothing on.
    public let shareData = UnaryMethod<ShareDataRequest, Share>(
      "quiver.v1.Account/ShareData", id: 5133, mutating: true)
    /// Makes an invitation to read parts of the caller's data. Its code is shown once, is valid for
    /// 7 days and for one principal.
    public let createShareInvite = UnaryMethod<
      CreateShareInviteRequest, CreateShareInviteResponse
    >(
      "quiver.v1.Account/CreateShareInvite", id: 5134, mutating: true)
    /// Accepts an invitation by its code: the caller may read what it names.
    public let acceptShareInvite = UnaryMethod<AcceptShareInviteRequest, Share>(
      "quiver.v1.Account/AcceptShareInvite", id: 5135, mutating: true)
    /// Ends an invitation of the caller that nobody has accepted.
    public let endShareInvite = UnaryMethod<EndShareInviteRequest, ShareInvite>(
      "quiver.v1.Account/EndShareInvite", id: 5136, mutating: true)
    /// Lists the invitations of the caller that wait, without their codes.
    public let listShareInvites = UnaryMethod<
      ListShareInvitesRequest, ListShareInvitesResponse
    >(
      "quiver.v1.Account/ListShareInvites", id: 5137)
    /// Lists what the caller shares and what others share with it, as far as it is in force.
    public let listShares = UnaryMethod<ListSharesRequest, ListSharesResponse>(
      "quiver.v1.Account/ListShares", id: 5138)
    /// Ends a share, by the one who gave it or by the one who received it.
    public let endShare = UnaryMethod<EndShareRequest, Share>(
      "quiver.v1.Account/EndShare", id: 5139, mutating: true)

    /// Returns what the archers who share with the caller have shot and changed in the last weeks,
    /// each as far as its share goes, in the order in which they began to share.
    public let getSquad = UnaryMethod<GetSquadRequest, GetSquadResponse>(
      "quiver.v1.Account/GetSquad", id: 5140)

    /// Returns all data of the caller, page by page, in this order: the profile, preferences, items
    /// of equipment by id, bow setups by id with each version from the first to the latest, sight
    /// marks by id, custom round formats by id, practice sessions and events that the caller
    /// organises by id, scorecards of the caller, its guests and the entries of its events with all
    /// arrows and their history, its rulings, the weight plan, weight entries by id, sets of
    /// strength by exercise; then by event the categories, sessions and elimination stages of
    /// events that the caller organises, the roles of the caller and those in its events, entries
    /// with their bibs and clubs, and the matches of these entries with both cards.
    ///
    /// To restore the data on another server, send each record to the create method of its type,
    /// with its client id, then archive the archived ones. Send setups from their first version to
    /// their latest, with the new ids of the items or their client ids. Ids, revisions and times of
    /// the records are those of this server, and create methods ignore them. Deleted items that an
    /// old version contains are not among the records.
    public let exportMyData = UnaryMethod<ExportMyDataRequest, ExportMyDataResponse>(
      "quiver.v1.Account/ExportMyData", id: 5128)
    /// Erases the caller's profile, preferences, equipment, setups, sight marks, body weight and
    /// strength, revokes its tokens and closes its connections. This cannot be undone. Scores stay
    /// under a neutral name and without texts, because leaderboards depend on them, and the
    /// principal's id stays for the audit log. The last administrator is FAILED_PRECONDITION.
    /// Deleting a deleted account returns the same answer.
    public let deleteMyAccount = UnaryMethod<DeleteMyAccountRequest, DeleteMyAccountResponse>(
      "quiver.v1.Account/DeleteMyAccount", id: 5129, mutating: true)
  }

  /// The methods of the service.
  public static let methods = Methods()
}
