/// What reading back has found of one kind of write.
struct Finding: Sendable {
  /// As in "accessories".
  let subject: String
  /// Acknowledged writes that were looked for.
  var acknowledged = 0
  /// Sent, and never answered: they may be there or not.
  var unclear = 0
  /// Acknowledged beyond what is remembered, and so not looked for.
  var unseen = 0
  var lost = Names()
  var doubled = Names()
  var reordered = Names()
  /// Sums that are not those of their parts.
  var wrongTotals = Names()

  /// How many there are, and the first of them.
  struct Names: Sendable, Equatable {
    static let shownCount = 10

    private(set) var count = 0
    private(set) var shown: [String] = []

    mutating func add(_ name: String) {
      count += 1
      if shown.count < Self.shownCount { shown.append(name) }
    }
  }

  var isClean: Bool {
    lost.count + doubled.count + reordered.count + wrongTotals.count == 0
  }

  private var groups: [(name: String, names: Names)] {
    [("lost", lost), ("doubled", doubled), ("reordered", reordered), ("wrong totals", wrongTotals)]
  }

  /// A line, and one more for each kind of fault that was found.
  var text: String {
    let counts = groups.map { "\($0.names.count) \($0.name)" }.joined(separator: ", ")
    var lines = [
      "verified   \(subject): \(acknowledged) acknowledged, \(unclear) of unclear outcome:"
        + " \(counts)"
    ]
    if unseen > 0 { lines.append("           \(unseen) more were not looked for") }
    for (name, names) in groups where names.count > 0 {
      let more = names.count > names.shown.count ? " …" : ""
      lines.append("           \(name): \(names.shown.joined(separator: ", "))\(more)")
    }
    return lines.joined(separator: "\n")
  }

  /// As JSON.
  var json: String {
    var fields = [
      ("subject", JSONReport.string(subject)), ("acknowledged", "\(acknowledged)"),
      ("unclear", "\(unclear)"), ("unseen", "\(unseen)"),
    ]
    fields += groups.map { ($0.name.replacing(" ", with: "_"), "\($0.names.count)") }
    return "{" + fields.map { "\(JSONReport.string($0.0)): \($0.1)" }.joined(separator: ", ") + "}"
  }

  /// The places of events that began after another had ended, and yet have a lower number.
  static func reordered(_ events: [(began: UInt64, ended: UInt64, number: Int64)]) -> [Int] {
    let byStart = events.indices.sorted { events[$0].began < events[$1].began }
    let byEnd = events.sorted { $0.ended < $1.ended }
    var highest = Int64.min
    var next = 0
    var result: [Int] = []
    for index in byStart {
      while next < byEnd.count, byEnd[next].ended < events[index].began {
        highest = max(highest, byEnd[next].number)
        next += 1
      }
      if events[index].number < highest { result.append(index) }
    }
    return result.sorted()
  }
}
