package import QuiverRules

/// The rows of some months with their complete entries.
package struct WeightSectionRecord: Sendable {
  package let month: CivilMonth
  /// Newest first.
  package let rows: [(row: WeightRow, entry: WeightEntryRecord)]

  var byteCount: Int { rows.reduce(64) { $0 + $1.entry.byteCount } }
}

/// A query of the weight log.
package struct WeightSectionQuery: Sendable {
  package var unit: WeightUnit
  package var average: MovingAverage
  package var filter: WeightFilter

  package init(unit: WeightUnit, average: MovingAverage, filter: WeightFilter) {
    self.unit = unit
    self.average = average
    self.filter = filter
  }
}

extension Snapshot {
  /// One month; nil if the filter hides all of it.
  ///
  /// Its cost does not depend on earlier entries.
  package func weightSection(
    _ month: CivilMonth, _ query: WeightSectionQuery, principal: Int64
  ) throws(StoreError) -> WeightSectionRecord? {
    let reached = try milestoneEntries(query, principal: principal)
    return try weightSections(month.days, query, reached, principal: principal).first.map {
      (section) throws(StoreError) in try record(of: section, principal: principal)
    }
  }

  /// A page of months that the filter shows, newest first; at least one if there is one, fewer than
  /// requested if their notes exceed `StoreLimits.exportPageByteCount`.
  package func weightSections(
    _ query: WeightSectionQuery, principal: Int64, pageSize: UInt32, pageToken: String
  ) throws(StoreError) -> (page: [WeightSectionRecord], nextPageToken: String) {
    let filter = query.filter
    let weekdays = filter.weekdays.sorted().map(String.init).joined(separator: ",")
    let token = PageToken(scope: [
      .text("weight_sections"), .integer(principal), .integer(Int64(query.unit.rawValue)),
      .integer(query.average.runInCount), .integer(filter.withNotes ? 1 : 0),
      .integer(filter.milestones ? 1 : 0), .text(weekdays),
    ])
    let size = Int(clamping: StoreLimits.pageSize(pageSize))
    // A token names the first day of the month after which the list continues.
    var before = Int32(
      clamping: try token.position(in: pageToken, key: pageTokenKey) ?? Int64(Int32.max))
    let reached = try milestoneEntries(query, principal: principal)
    var found: [WeightSection] = []
    while found.count <= size,
      let last = try weighingDay(before: before, principal: principal)
    {
      let days = try monthDays(
        upTo: last, count: size + 1 - found.count, filtered: !filter.isEmpty, principal: principal)
      found += try weightSections(days, query, reached, principal: principal)
      before = min(last, days.lowerBound)
    }
    var page: [WeightSectionRecord] = []
    var byteCount = 0
    for section in found.prefix(size) {
      let record = try record(of: section, principal: principal)
      byteCount += record.byteCount
      if !page.isEmpty, byteCount > StoreLimits.exportPageByteCount { break }
      page.append(record)
    }
    guard page.count < found.count, let shown = page.last else { return (page, "") }
    let next = token.text(position: Int64(shown.month.days.lowerBound), key: pageTokenKey)
    return (page, next)
  }

  /// The days of the requested number of months with entries, the last of them the month of `last`;
  /// four years at a time if a filter may hide most.
  private func monthDays(
    upTo last: Int32, count: Int, filtered: Bool, principal: Int64
  ) throws(StoreError) -> ClosedRange<Int32> {
    let newest = CivilMonth(containing: last).days
    var oldest = newest
    for _ in 1..<max(2, filtered ? 48 : count) {
      guard let day = try weighingDay(before: oldest.lowerBound, principal: principal) else {
        break
      }
      oldest = CivilMonth(containing: day).days
    }
    return oldest.lowerBound...newest.upperBound
  }

  private func weightSections(
    _ days: ClosedRange<Int32>, _ query: WeightSectionQuery, _ reached: Set<Int64>,
    principal: Int64
  ) throws(StoreError) -> [WeightSection] {
    let start = try runIn(to: days.lowerBound, query.average, principal: principal)
    let entries = try weighIns(ofDays: start...days.upperBound, principal: principal)
    let rows = WeightRow.all(of: entries, in: query.unit, average: query.average)
      .drop { $0.entry.day < days.lowerBound }
    return WeightSection.all(of: Array(rows), query.filter, milestoneEntries: reached)
  }

  /// A month with its complete entries; throws if they exceed one message.
  private func record(
    of section: WeightSection, principal: Int64
  ) throws(StoreError) -> WeightSectionRecord {
    let month = section.month
    let wanted = Set(section.rows.map(\.entry.id))
    var records: [Int64: WeightEntryRecord] = [:]
    var byteCount = 0
    try forEachWeightEntry(of: wanted, in: month.days, principal: principal) {
      (record) throws(StoreError) in
      byteCount += record.byteCount
      guard byteCount <= StoreLimits.sectionByteCount else {
        throw StoreError.reached(
          .sectionByteCount,
          """
          \(month.year)-\(month.month) has entries of more than \(StoreLimits.sectionByteCount) \
          bytes; list them by pages
          """, notProcessed: false)
      }
      records[record.id] = record
    }
    return WeightSectionRecord(
      month: month,
      rows: section.rows.compactMap { row in records[row.entry.id].map { (row, $0) } })
  }

  /// The ids of the entries that reached a milestone of the plan, if the filter requires them;
  /// throws without a plan.
  private func milestoneEntries(
    _ query: WeightSectionQuery, principal: Int64
  ) throws(StoreError) -> Set<Int64> {
    guard query.filter.milestones else { return [] }
    guard let plan = try weightPlan(principal: principal)?.plan else {
      throw StoreError(
        .failedPrecondition, "there is no weight plan, so there are no milestones",
        field: "filter.milestones")
    }
    let entries = try weighIns(
      ofDays: plan.startDay...CivilDate.dayRange.upperBound, principal: principal)
    return Set(plan.crossings(entries).compactMap { $0.entry?.id })
  }
}

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
