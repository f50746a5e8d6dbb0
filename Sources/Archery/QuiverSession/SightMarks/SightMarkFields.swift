import QuiverAPI
import QuiverProtobuf
import QuiverRules

/// Sight marks as values of the rules.
enum SightMarkFields {
  /// The mark in the form that the server stores; throws the rule that it violates.
  static func normalized(_ object: DynamicMessage) throws(SessionError) -> DynamicMessage {
    var mark = try mark(object.serializedBytes())
    do throws(RuleViolation) {
      let content = try mark.content.validated(prefix: "sight_mark")
      mark.markValue = content.markValue
      mark.notes = content.notes
    } catch {
      throw SessionError(.invalid, error.message, field: error.field)
    }
    return try decoded(SightMark.schema.core, mark.serializedBytes())
  }

  /// The distance of a mark, for example "70 m".
  static func title(of object: DynamicMessage) -> String {
    guard let mark = try? mark(object.serializedBytes()), let unit = mark.content.unit else {
      return ""
    }
    return PlainDecimal.text(mark.distance) + (unit == .metre ? " m" : " yd")
  }

  static func mark(_ bytes: [UInt8]) throws(SessionError) -> SightMark {
    do throws(DecodeError) {
      return try SightMark(serializedBytes: bytes)
    } catch {
      throw .unreadable("a sight mark")
    }
  }
}

/// The sight or the setup to which marks belong.
struct SightMarkOwner: Sendable {
  let isSetup: Bool
  /// 0 if it is not known.
  var serverID: Int64
  /// Empty if it has none.
  var clientID: [UInt8]
}

extension SightMark {
  /// The owner; nil if the mark names none.
  var owner: SightMarkOwner? {
    if sightID != 0 || !sightClientID.isEmpty {
      return SightMarkOwner(isSetup: false, serverID: sightID, clientID: sightClientID)
    }
    guard setupID != 0 || !setupClientID.isEmpty else { return nil }
    return SightMarkOwner(isSetup: true, serverID: setupID, clientID: setupClientID)
  }

  /// Whether the mark belongs to `owner`, by its client_id or by its id.
  func belongs(to owner: SightMarkOwner) -> Bool {
    guard let own = self.owner, own.isSetup == owner.isSetup else { return false }
    if !owner.clientID.isEmpty && own.clientID == owner.clientID { return true }
    return owner.serverID != 0 && own.serverID == owner.serverID
  }

  /// The fields that the user edits.
  var content: SightMarkContent {
    SightMarkContent(
      distance: distance, unit: LengthUnit(rawValue: unit.rawValue), markValue: markValue,
      notes: notes)
  }
}
