package import QuiverRules

/// A stored weight entry.
package struct WeightEntryRecord: Sendable, Equatable {
  package let id: Int64

  /// The id that its client chose; empty if it chose none.
  package let clientID: [UInt8]

  /// Starts at 1; each change adds 1.
  package let revision: UInt64

  package let createdAtMilliseconds: Int64
  package let updatedAtMilliseconds: Int64

  /// When it was weighed, according to its client or the server.
  package let measuredAtMilliseconds: Int64

  /// Whether the client's time was too far ahead and was replaced.
  package let isClockAhead: Bool

  package let content: WeightEntryContent

  /// 0 if it is not deleted.
  package let deletedAtMilliseconds: Int64

  /// The approximate size of its message in bytes.
  var byteCount: Int { content.note.utf8.count + 128 }
}

/// The plan of a principal with its revision.
package struct WeightPlanRecord: Sendable, Equatable {
  /// From 1.
  package let revision: UInt64
  package let updatedAtMilliseconds: Int64
  package let plan: MilestonePlan
}

/// A weight entry from a request, before the server sets its times.
package struct WeightEntryDraft: Sendable, Equatable {
  /// Nil for the day of the instant in the time zone.
  package var day: Int32?
  /// 0 for the server's time.
  package var measuredAtMilliseconds: Int64 = 0
  /// Used if there is no day; empty for the profile's time zone.
  package var timeZone = ""
  package var thousandths: Int64 = 0
  package var unit: WeightUnit?
  package var note = ""
  package var bodyFatPercent: Double?

  package init() {}

  /// How far a client's clock may be ahead of the server's.
  static let aheadMilliseconds: Int64 = 5 * 60_000

  /// Instants of the years 1 to 9999.
  static let instantRange: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// The archer's fields, with `day` if it is known.
  func content(day: Int32) -> WeightEntryContent {
    WeightEntryContent(
      day: day, thousandths: thousandths, unit: unit, note: note, bodyFatPercent: bodyFatPercent)
  }

  /// Validates everything that needs no clock; `prefix` is the path of the entry in the request.
  func checked(prefix: String) throws(StoreError) -> WeightEntryDraft {
    let stated = content(day: day ?? 0)
    let content = try validating { () throws(RuleViolation) in try stated.validated(prefix: prefix)
    }
    guard Self.instantRange.contains(measuredAtMilliseconds) else {
      throw .invalid(prefix + ".measured_at_ms", "must be an instant of the years 1 to 9999")
    }
    var draft = self
    draft.note = content.note
    return draft
  }

  /// The canonical bytes for hashing.
  var canonicalBytes: [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.optional(day.map(Int64.init)))
    encoding.append(.integer(measuredAtMilliseconds))
    encoding.append(.text(day == nil ? timeZone : ""))
    encoding.append(.integer(thousandths))
    encoding.append(.integer(Int64(unit?.rawValue ?? 0)))
    encoding.append(.text(note))
    encoding.append(bodyFatPercent.map(SQLValue.real) ?? .null)
    return encoding.bytes
  }
}

/// The civil day of an instant in a zone, passed in because the store has no time zones; nil for an
/// unknown zone.
package typealias DayOfInstant = @Sendable (_ zone: String, _ milliseconds: Int64) -> Int32?
