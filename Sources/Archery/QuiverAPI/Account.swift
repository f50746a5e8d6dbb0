package import QuiverProtobuf
public import QuiverRPC

/// `quiver.v1.Account`: who calls, and what it keeps here.
public enum Account {
  public static let whoAmI = UnaryMethod<WhoAmIRequest, WhoAmIResponse>(
    "quiver.v1.Account/WhoAmI", id: 5121)

  public static let getProfile = UnaryMethod<GetProfileRequest, Profile>(
    "quiver.v1.Account/GetProfile", id: 5122)
  /// A stale revision is ABORTED with the profile as it stands.
  public static let updateProfile = UnaryMethod<UpdateProfileRequest, Profile>(
    "quiver.v1.Account/UpdateProfile", id: 5123, mutating: true)

  /// All of them, by key.
  public static let getPreferences = UnaryMethod<GetPreferencesRequest, GetPreferencesResponse>(
    "quiver.v1.Account/GetPreferences", id: 5124)
  /// In place of the value before. More than 200 are RESOURCE_EXHAUSTED.
  public static let setPreference = UnaryMethod<SetPreferenceRequest, Preference>(
    "quiver.v1.Account/SetPreference", id: 5125, mutating: true)
  public static let deletePreference = UnaryMethod<
    DeletePreferenceRequest, DeletePreferenceResponse
  >(
    "quiver.v1.Account/DeletePreference", id: 5126, mutating: true)

  /// Makes a user and its token; answers without a token.
  public static let redeemInvite = UnaryMethod<RedeemInviteRequest, RedeemInviteResponse>(
    "quiver.v1.Account/RedeemInvite", id: 5127, mutating: true, anonymous: true)

  /// All that the caller keeps here, a page at a time.
  public static let exportMyData = UnaryMethod<ExportMyDataRequest, ExportMyDataResponse>(
    "quiver.v1.Account/ExportMyData", id: 5128)
  /// Erases all that the caller keeps here; there is no way back.
  public static let deleteMyAccount = UnaryMethod<DeleteMyAccountRequest, DeleteMyAccountResponse>(
    "quiver.v1.Account/DeleteMyAccount", id: 5129, mutating: true)

  package static let methods = [
    whoAmI.info, getProfile.info, updateProfile.info, getPreferences.info, setPreference.info,
    deletePreference.info, redeemInvite.info, exportMyData.info, deleteMyAccount.info,
  ]
  package static let schema = ServiceSchema(
    "quiver.v1.Account", number: 20, methods.map(\.schema))
}

/// What answers ``Account``.
package protocol AccountHandlers: Sendable {
  func whoAmI(_ request: WhoAmIRequest, _ call: CallContext) throws(RPCError) -> WhoAmIResponse

  func getProfile(_ request: GetProfileRequest, _ call: CallContext) throws(RPCError) -> Profile
  func updateProfile(
    _ request: UpdateProfileRequest, _ call: CallContext, _ responder: Responder<Profile>)

  func getPreferences(
    _ request: GetPreferencesRequest, _ call: CallContext
  ) throws(RPCError) -> GetPreferencesResponse
  func setPreference(
    _ request: SetPreferenceRequest, _ call: CallContext, _ responder: Responder<Preference>)
  func deletePreference(
    _ request: DeletePreferenceRequest, _ call: CallContext,
    _ responder: Responder<DeletePreferenceResponse>)

  func redeemInvite(
    _ request: RedeemInviteRequest, _ call: CallContext,
    _ responder: Responder<RedeemInviteResponse>)

  func exportMyData(
    _ request: ExportMyDataRequest, _ call: CallContext
  ) async throws -> ExportMyDataResponse
  func deleteMyAccount(
    _ request: DeleteMyAccountRequest, _ call: CallContext,
    _ responder: Responder<DeleteMyAccountResponse>)
}

extension AccountHandlers {
  package var routes: [Route] {
    [
      .synchronous(Account.whoAmI, whoAmI),
      .synchronous(Account.getProfile, getProfile),
      .responding(Account.updateProfile, updateProfile),
      .synchronous(Account.getPreferences, getPreferences),
      .responding(Account.setPreference, setPreference),
      .responding(Account.deletePreference, deletePreference),
      .responding(Account.redeemInvite, redeemInvite),
      .asynchronous(Account.exportMyData, exportMyData),
      .responding(Account.deleteMyAccount, deleteMyAccount),
    ]
  }
}
