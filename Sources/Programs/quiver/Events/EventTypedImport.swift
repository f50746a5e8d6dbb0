import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverWire

/// The totals of a file, typed as those of the distances or of the round of its archers.
struct EventTypedImport {
  /// What is typed for an archer.
  private struct Part {
    let match: EventResultsCommand.Match
    let number: UInt32
    let score: TypedScore
  }

  private let parts: [Part]
  private let path: String

  /// Throws for the first line whose sums no arrows of its round can have.
  init(
    _ matches: [EventResultsCommand.Match], _ format: ResultList.Format, _ event: EventResultRows,
    _ path: String
  ) throws(Failure) {
    var parts: [Part] = []
    for match in matches {
      guard let entry = match.standing.entry, let category = event.category(of: entry) else {
        throw .input("\(path): line \(match.row.line) is of an archer without a category")
      }
      let tops = (category.format?.passes ?? []).map { pass in
        TargetFace(rawValue: pass.face.rawValue)?.specification.topValue ?? 10
      }
      let row = match.row
      let distances = row.distances.prefix { !$0.isEmpty }
      let isDivided =
        tops.count > 1 && distances.count == tops.count
        && row.distances.dropFirst(tops.count).allSatisfy(\.isEmpty)
      if isDivided {
        for (index, distance) in distances.enumerated() {
          parts.append(
            Part(
              match: match, number: UInt32(index + 1),
              score: ResultList.score(distance.score, distance.counts, top: tops[index], format)))
        }
      } else {
        guard category.rounds.count <= 1 else {
          throw .input(
            "\(path): line \(row.line) has no total for each of the \(tops.count) distances of"
              + " category \(category.code), whose qualification has several rounds")
        }
        let counts = Set(tops).count == 1 ? row.counts : row.counts.filter { $0.key == "x" }
        parts.append(
          Part(
            match: match, number: tops.count == 1 ? 1 : 0,
            score: ResultList.score(row.total, counts, top: tops.first ?? 10, format)))
      }
    }
    self.parts = parts
    self.path = path
  }

  /// Types what is not typed already, or only counts it.
  func run(
    _ isDry: Bool, emptyCount: Int, _ tournament: Int64, _ access: Access
  ) async throws(Failure) {
    let known = try await Self.known(tournament, access)
    var refused: [String] = []
    var (new, changed) = (0, 0)
    for part in parts {
      let id = part.match.participant
      let before = known.first { $0.participantID == id && $0.part == part.number }
      guard before?.sums.map({ Self.isEqual($0, part.score) }) != true else { continue }
      if before == nil { new += 1 } else { changed += 1 }
      guard !isDry else { continue }
      let request = request(part, replacing: before)
      do throws(RPCError) {
        _ = try await access.client.call(Events.setTypedTotal, request)
      } catch {
        switch error.code {
        // Of one card; other errors hold for all of them.
        case .failedPrecondition, .notFound, .invalidArgument, .alreadyExists:
          refused.append("line \(part.match.row.line): \(part.match.row.code): \(error.message)")
        default:
          EventResultsCommand.list(refused)
          throw access.plainFailure(error)
        }
      }
    }
    let report =
      "\(parts.count) typed totals: \(new) new, \(changed) changed,"
      + " \(parts.count - new - changed) as before; \(emptyCount) lines without a result"
    if isDry { return try Terminal.print("\(report); nothing was stored") }
    guard !refused.isEmpty else { return try Terminal.confirm(report) }
    throw EventResultsCommand.failure(refused, "of \(new + changed) typed totals")
  }

  private func request(_ part: Part, replacing before: TypedTotal?) -> SetTypedTotalRequest {
    var request = SetTypedTotalRequest()
    request.participantID = part.match.participant
    request.part = part.number
    var sums = PartSums()
    sums.total = UInt32(clamping: part.score.total)
    sums.hits = part.score.hits.map { UInt32(clamping: $0) }
    sums.golds = part.score.golds.map { UInt32(clamping: $0) }
    sums.xCount = part.score.xCount.map { UInt32(clamping: $0) }
    request.sums = sums
    let name = path == "-" ? "standard input" : String(path.split(separator: "/").last ?? "")
    request.paper = "line \(part.match.row.line) of \(name.prefix(150))"
    if let before {
      (request.replacesID, request.reason) = (before.id, "imported again")
    }
    return request
  }

  /// Whether what is typed has these sums; a count that follows from others is not in the file.
  private static func isEqual(_ sums: PartSums, _ score: TypedScore) -> Bool {
    func agrees(_ known: UInt32?, _ count: Int?) -> Bool {
      count.map { known == UInt32(clamping: $0) } ?? true
    }
    return sums.total == UInt32(clamping: score.total) && agrees(sums.hits, score.hits)
      && agrees(sums.golds, score.golds) && agrees(sums.xCount, score.xCount)
  }

  /// The typed totals of an event that count.
  private static func known(
    _ tournament: Int64, _ access: Access
  ) async throws(Failure) -> [TypedTotal] {
    var request = ListTypedTotalsRequest()
    (request.tournamentID, request.pageSize) = (tournament, 500)
    var totals: [TypedTotal] = []
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Events.listTypedTotals, wanted)
      }
      totals += page.totals
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return totals
  }
}
