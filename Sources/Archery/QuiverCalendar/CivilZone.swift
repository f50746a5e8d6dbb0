#if canImport(FoundationEssentials)
  import FoundationEssentials
  // Without it FoundationEssentials has no zone except GMT.
  import FoundationInternationalization
#else
  import Foundation
#endif

/// One IANA time zone, which makes civil days of instants.
package struct CivilZone: Sendable, Hashable {
  /// The name as it was given, as in `Europe/Tallinn`.
  package let name: String

  private let zone: TimeZone

  /// Names for GMT that the time zone database does not have.
  private static let otherNamesOfGMT: Set<String> = [
    "UTC", "Etc/UTC", "Zulu", "Etc/Zulu", "UCT", "Etc/UCT", "Universal", "Etc/Universal",
    "Greenwich", "Etc/Greenwich", "Etc/GMT", "GMT0", "GMT+0", "GMT-0", "Etc/GMT0", "Etc/GMT+0",
    "Etc/GMT-0",
  ]

  /// Throws where there is no such zone; letters count as they are written.
  package init(_ name: String) throws(UnknownZone) {
    self.name = name
    if Self.otherNamesOfGMT.contains(name) {
      zone = .gmt
      return
    }
    // An offset as in GMT+3 makes a zone too, but is the name of none.
    guard !name.hasPrefix("GMT+"), !name.hasPrefix("GMT-"), name.utf8.count <= 64,
      let zone = TimeZone(identifier: name), zone.identifier == name
    else { throw UnknownZone() }
    self.zone = zone
  }

  /// The civil day there at an instant, both since 1970-01-01; clamped to the days of `Int32`.
  ///
  /// By the zone's rules as this machine's calendar data have them, summer time included.
  package func day(ofMilliseconds instant: Int64) -> Int32 {
    Self.utcDay(ofMilliseconds: localMilliseconds(of: instant))
  }

  /// The time there at an instant, as milliseconds since 1970-01-01 00:00 there.
  package func localMilliseconds(of instant: Int64) -> Int64 {
    let seconds = Double(instant) / 1_000
    let offset = Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
    let (local, isTooFar) = instant.addingReportingOverflow(offset * 1_000)
    return isTooFar ? instant : local
  }

  /// The first instant of a civil day there, in milliseconds since 1970-01-01.
  ///
  /// By the zone's rules as this machine's calendar data have them: the day may begin after
  /// midnight, where clocks are put forward then.
  package func startMilliseconds(ofDay day: Int32) -> Int64 {
    // Zones are at most 15 hours from UTC, and days follow each other.
    let midnight = Self.utcStartMilliseconds(ofDay: day)
    var before = midnight - Self.farthestMilliseconds
    var after = midnight + Self.farthestMilliseconds
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if self.day(ofMilliseconds: middle) < day { before = middle } else { after = middle }
    }
    return after
  }

  private static let farthestMilliseconds: Int64 = 16 * 3_600_000

  /// The first instant of a civil day of UTC.
  package static func utcStartMilliseconds(ofDay day: Int32) -> Int64 {
    Int64(day) * 86_400_000
  }

  /// The civil day of UTC at an instant, both since 1970-01-01; clamped to the days of `Int32`.
  package static func utcDay(ofMilliseconds instant: Int64) -> Int32 {
    let (days, rest) = instant.quotientAndRemainder(dividingBy: 86_400_000)
    return Int32(clamping: rest < 0 ? days - 1 : days)
  }
}

/// There is no time zone of that name.
package struct UnknownZone: Error, Sendable {
  package init() {}
}
