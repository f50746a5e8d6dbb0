import QuiverAPI
import QuiverCalendar
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore

/// Returns `quiver.v1.Account`.
struct AccountService {
  let commands: CommandCalls
  /// Codes that addresses have tried.
  let invites: CodeAttempts
  /// The tokens whose connections are closed when they expire.
  let tokens: ExpiringTokens

  var routes: [Route] {
    [
      .reading(Account.whoAmI, commands, whoAmI),
      .reading(Account.getProfile, commands, getProfile),
      .responding(Account.updateProfile, updateProfile),
      .reading(Account.getPreferences, commands, getPreferences),
      .responding(Account.setPreference, setPreference),
      .responding(Account.deletePreference, deletePreference),
      .responding(Account.redeemInvite, redeemInvite),
      .responding(Account.rotateToken, rotateToken),
      .reading(Account.getUsage, commands, getUsage),
      .reading(Account.getIntroductionCode, commands, getIntroductionCode),
      .responding(Account.shareData, shareData),
      .responding(Account.createShareInvite, createShareInvite),
      .responding(Account.acceptShareInvite, acceptShareInvite),
      .responding(Account.endShareInvite, endShareInvite),
      .reading(Account.listShareInvites, commands, listShareInvites),
      .reading(Account.listShares, commands, listShares),
      .responding(Account.endShare, endShare),
      .asynchronous(Account.getSquad, getSquad),
      .asynchronous(Account.exportMyData, exportMyData),
      .responding(Account.deleteMyAccount, deleteMyAccount),
    ]
  }

  func whoAmI(_ request: WhoAmIRequest, _ call: CallContext) throws -> WhoAmIResponse {
    let caller = try call.storeCaller()
    return try commands.store.read { (snapshot) throws(StoreError) in
      let principal = try snapshot.principal(id: caller.principal)
      var response = WhoAmIResponse()
      response.principal = Principal(principal)
      response.tokenID = caller.tokenID
      response.storeEpoch = commands.store.epoch
      guard caller.tokenID != 0 else {
        response.scopes = TokenScopes.all(of: principal.kind).messages
        return response
      }
      let token = try snapshot.token(id: caller.tokenID)
      response.scopes = token.scopes.messages
      response.tokenExpiresAtMilliseconds = token.expiresAtMilliseconds
      return response
    }
  }

  func getUsage(_ request: GetUsageRequest, _ call: CallContext) throws -> Usage {
    let caller = try call.storeCaller()
    let store = commands.store
    return try store.read { (snapshot) throws(StoreError) in
      Usage(try snapshot.usage(principal: caller.principal), store.quotas)
    }
  }

  func getIntroductionCode(
    _ request: GetIntroductionCodeRequest, _ call: CallContext
  ) throws -> IntroductionCode {
    let caller = try call.storeCaller()
    let store = commands.store
    var response = IntroductionCode()
    (response.code, response.expiresAtMilliseconds) = try store.read {
      (snapshot) throws(StoreError) in
      snapshot.introductionCode(of: caller.principal, nowMilliseconds: store.nowMilliseconds)
    }
    return response
  }

  func getProfile(_ request: GetProfileRequest, _ call: CallContext) throws -> Profile {
    let caller = try call.storeCaller()
    return try commands.store.read { (snapshot) throws(StoreError) in
      Profile(try snapshot.principal(id: caller.principal))
    }
  }

  func updateProfile(
    _ request: UpdateProfileRequest, _ call: CallContext, _ responder: Responder<Profile>
  ) throws {
    let caller = try call.storeCaller()
    guard let profile = request.profile else { throw RPCError.invalid("profile", "must be given") }
    let command = try Self.command(profile, mask: request.updateMask)
    commands.submit(
      command, by: caller, call, responder
    ) { Profile($0) }
  }

  func getPreferences(
    _ request: GetPreferencesRequest, _ call: CallContext
  ) throws -> GetPreferencesResponse {
    let caller = try call.storeCaller()
    var response = GetPreferencesResponse()
    response.preferences = try commands.store.read { (snapshot) throws(StoreError) in
      try snapshot.preferences(principal: caller.principal).map(Preference.init)
    }
    return response
  }

  func setPreference(
    _ request: SetPreferenceRequest, _ call: CallContext, _ responder: Responder<Preference>
  ) throws {
    let caller = try call.storeCaller()
    guard let preference = request.preference else {
      throw RPCError.invalid("preference", "must be given")
    }
    let command = try SetPreference(key: preference.key, value: preference.value)
    commands.submit(command, by: caller, call, responder) { Preference($0) }
  }

  func deletePreference(
    _ request: DeletePreferenceRequest, _ call: CallContext,
    _ responder: Responder<DeletePreferenceResponse>
  ) throws {
    let caller = try call.storeCaller()
    let command = try DeletePreference(key: request.key)
    commands.submit(command, by: caller, call, responder) { _ in DeletePreferenceResponse() }
  }

  private static func command(
    _ profile: Profile, mask: [String]
  ) throws -> UpdateProfile {
    try NamedFields.check(
      mask,
      changeable: ["display_name", "time_zone", "units", "bowstyle", "gender", "age_group"],
      of: Profile.self, called: "profile")
    var change = UpdateProfile.Change()
    if mask.contains("display_name") { change.displayName = profile.displayName }
    if mask.contains("time_zone") { change.timeZone = profile.timeZone }
    if mask.contains("units") { change.units = profile.units.rawValue }
    if mask.contains("bowstyle") { change.bow = profile.bowstyle.rawValue }
    if mask.contains("gender") { change.gender = profile.gender.rawValue }
    if mask.contains("age_group") { change.age = profile.ageGroup.rawValue }
    let command = try UpdateProfile(revision: profile.revision, change)
    if let zone = change.timeZone, !zone.isEmpty {
      _ = try CivilZone.given(zone, field: "profile.time_zone")
    }
    return command
  }
}

extension Profile {
  init(_ record: PrincipalRecord) {
    self.init()
    principalID = record.id
    displayName = record.displayName
    timeZone = record.timeZone
    units = Units(rawValue: record.units.rawValue)
    revision = record.revision
    updatedAtMilliseconds = record.updatedAtMilliseconds
    shownName = record.shownName
    bowstyle = Bowstyle(rawValue: record.bow?.rawValue ?? 0)
    gender = ArcherGender(rawValue: record.gender?.rawValue ?? 0)
    ageGroup = AgeGroup(rawValue: record.age?.rawValue ?? 0)
  }
}

extension Usage {
  init(_ record: UsageRecord, _ quotas: StoreQuotas) {
    self.init()
    storedBytes = record.storedBytes
    storedBytesLimit = quotas.storedBytes
    storedRows = record.rows
    storedRowsLimit = quotas.storedRows
    storedBytesPerMinuteLimit = quotas.storedBytesPerMinute
    idempotencyKeys = record.keys
    idempotencyKeysLimit = quotas.idempotencyKeys
    idempotencyKeyBytes = record.keyBytes
    idempotencyKeyBytesLimit = quotas.keyBytes
  }
}

extension Preference {
  init(_ record: PreferenceRecord) {
    self.init()
    key = record.key
    value = record.value
    updatedAtMilliseconds = record.updatedAtMilliseconds
  }
}
