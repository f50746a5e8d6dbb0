import QuiverAPI
import QuiverCalendar
import QuiverProtobuf
import QuiverRules

/// The rules of a profile's fields.
enum ProfileFields {
  /// The profile in the form that the server stores; throws the rule that it violates.
  static func normalized(_ object: DynamicMessage) throws(SessionError) -> DynamicMessage {
    var profile = try profile(object.serializedBytes())
    if !profile.displayName.isEmpty {
      do throws(RuleViolation) {
        profile.displayName = try TextLimits.checked(
          profile.displayName, length: TextLimits.displayNameLength, path: "profile.display_name")
      } catch {
        throw SessionError(.invalid, error.message, field: error.field)
      }
      guard !profile.displayName.isEmpty else {
        throw SessionError(
          .invalid, "must have 1 to \(TextLimits.displayNameLength) characters",
          field: "profile.display_name")
      }
    }
    if !profile.timeZone.isEmpty, (try? CivilZone(profile.timeZone)) == nil {
      throw SessionError(.invalid, "there is no such time zone", field: "profile.time_zone")
    }
    return try decoded(Profile.schema.core, profile.serializedBytes())
  }

  static func profile(_ bytes: [UInt8]) throws(SessionError) -> Profile {
    do throws(DecodeError) {
      return try Profile(serializedBytes: bytes)
    } catch {
      throw .unreadable("a profile")
    }
  }
}
