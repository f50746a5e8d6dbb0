package import QuiverRules

extension Snapshot {
  /// A page of the chart's points, oldest first.
  package func weightChart(
    _ days: ClosedRange<Int32>, in unit: WeightUnit, _ average: MovingAverage, principal: Int64,
    pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> Page<WeightChartPoint> {
    let token = PageToken(scope: [
      .text("weight_chart"), .integer(principal), .integer(Int64(unit.rawValue)),
      .text("\(average)"), .integer(Int64(days.lowerBound)), .integer(Int64(days.upperBound)),
    ])
    let place = try token.position(in: pageToken, key: pageTokenKey)
    let first = place.map { Int32(clamping: $0 + 1) } ?? days.lowerBound
    let size = StoreLimits.pageSize(pageSize)
    let end = try weighingDay(from: first, count: size, principal: principal)
    let last = min(days.upperBound, end ?? days.upperBound)
    let start = try runIn(to: first, average, principal: principal)
    guard start <= last else { return Page(items: [], nextPageToken: "") }
    let entries = try weighIns(ofDays: start...last, principal: principal)
    let points = WeightChartPoint.all(of: entries, in: unit, average).filter { $0.day >= first }
    return token.page(points, size: size, key: pageTokenKey) { Int64($0.day) }
  }
}
