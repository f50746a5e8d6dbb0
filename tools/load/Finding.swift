/// The result of verifying one kind of write.
struct Finding: Sendable {
  /// For example "accessories".
  let subject: String
  /// The acknowledged writes that were verified.
  var acknowledged = 0
  /// Writes without a reply: they may be stored or not.
  var unclear = 0
  /// Acknowledged writes above the limit of those that are remembered; they were not verified.
  var unseen = 0
  var lost = Names()
  var doubled = Names()
  var reordered = Names()
  /// Sums that differ from those of their parts.
  var wrongTotals = Names()

  /// The number of names, and the first of them.
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

  /// One line, and another for each kind of fault.
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

  /// The indexes of events that began after another had ended, but have a lower number.
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
