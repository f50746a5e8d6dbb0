public import QuiverRPC

/// `quiver.v1.Account`: who calls, and what it keeps here.
public enum Account: RPCService {
  public struct Methods: Sendable {
    public let whoAmI = UnaryMethod<WhoAmIRequest, WhoAmIResponse>(
      "quiver.v1.Account/WhoAmI", id: 5121)

    public let getProfile = UnaryMethod<GetProfileRequest, Profile>(
      "quiver.v1.Account/GetProfile", id: 5122)
    /// A stale revision is ABORTED with the profile as it stands.
    public let updateProfile = UnaryMethod<UpdateProfileRequest, Profile>(
      "quiver.v1.Account/UpdateProfile", id: 5123, mutating: true)

    /// All of them, by key.
    public let getPreferences = UnaryMethod<GetPreferencesRequest, GetPreferencesResponse>(
      "quiver.v1.Account/GetPreferences", id: 5124)
    /// In place of the value before. More than 200 are RESOURCE_EXHAUSTED.
    public let setPreference = UnaryMethod<SetPreferenceRequest, Preference>(
      "quiver.v1.Account/SetPreference", id: 5125, mutating: true)
    public let deletePreference = UnaryMethod<
      DeletePreferenceRequest, DeletePreferenceResponse
    >(
      "quiver.v1.Account/DeletePreference", id: 5126, mutating: true)

    /// Makes a user and its token; answers without a token.
    public let redeemInvite = UnaryMethod<RedeemInviteRequest, RedeemInviteResponse>(
      "quiver.v1.Account/RedeemInvite", id: 5127, mutating: true, anonymous: true)

    /// Replaces the token of the connection; the old one stays valid for an overlap.
    public let rotateToken = UnaryMethod<RotateTokenRequest, RotateTokenResponse>(
      "quiver.v1.Account/RotateToken", id: 5130, mutating: true)

    /// All that the caller keeps here, a page at a time.
    public let exportMyData = UnaryMethod<ExportMyDataRequest, ExportMyDataResponse>(
      "quiver.v1.Account/ExportMyData", id: 5128)
    /// Erases all that the caller keeps here; there is no way back.
    public let deleteMyAccount = UnaryMethod<DeleteMyAccountRequest, DeleteMyAccountResponse>(
      "quiver.v1.Account/DeleteMyAccount", id: 5129, mutating: true)
  }

  public static let methods = Methods()
}
