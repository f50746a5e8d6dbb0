/// A month of a year, by which logs are cut into sections.
public struct CivilMonth: Sendable, Hashable, Comparable {
  /// Year times twelve plus month less one: months in a row are numbers in a row.
  public let index: Int32

  /// A month of the years 1 to 9999; nil for what is none.
  public init?(year: Int32, month: Int32) {
    guard (1...9_999).contains(year), (1...12).contains(month) else { return nil }
    index = year * 12 + month - 1
  }

  /// The month that a day is in.
  public init(containing day: Int32) {
    let date = CivilDate(dayNumber: day)
    index = date.year &* 12 &+ date.month &- 1
  }

  /// The year.
  public var year: Int32 { index / 12 }
  /// From 1, January.
  public var month: Int32 { index % 12 + 1 }

  /// Its days, by their numbers.
  public var days: ClosedRange<Int32> {
    guard let first = CivilDate(year: year, month: month, day: 1)?.dayNumber else { return 0...0 }
    return first...(first + CivilDate.length(ofMonth: month, year: year) - 1)
  }

  public static func < (left: CivilMonth, right: CivilMonth) -> Bool { left.index < right.index }
}
