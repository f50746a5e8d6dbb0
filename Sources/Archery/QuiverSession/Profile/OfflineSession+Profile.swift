public import QuiverAPI
import QuiverProtobuf
import QuiverRPC

/// The profile. Each change is stored on this device first and sent in order.
extension OfflineSession {
  /// Stores the fields that differ from this device's profile; does nothing if none do.
  ///
  /// Throws for a value that is not valid, with the path of the field, and before the profile was
  /// loaded for the first time; nothing is stored then. Fields that another device changed
  /// meanwhile stay as that device set them, unless both changed the same one.
  public func updateProfile(to profile: Profile) async throws(SessionError) {
    try await edited { (edits) throws(SessionError) in
      try edits.updateSingle(Self.kind(Profile.self), to: Self.dynamic(profile), creates: false)
    }
  }

  /// This device's profile with its pending changes; nil if it was never loaded.
  public func profile() async throws(SessionError) -> Profile? {
    try await single(Profile.self)?.message
  }

  /// Fetches the profile.
  func fetchProfile(_ store: LocalStore) async throws(SessionError) {
    let profile = try await call(Account.getProfile, GetProfileRequest())
    try await take(profile, Self.kind(Profile.self), store)
  }
}
