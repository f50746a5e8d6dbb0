import QuiverCalendar
import QuiverRPC

extension CivilZone {
  /// The time zone in the request's `field`.
  static func given(_ name: String, field: String) throws -> CivilZone {
    do throws(UnknownZone) {
      return try CivilZone(name)
    } catch {
      throw RPCError.invalid(field, "there is no time zone of this name; use an IANA name")
    }
  }
}
