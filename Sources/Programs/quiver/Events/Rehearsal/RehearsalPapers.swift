import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Rehearsal {
  private static let papers: [EventDocumentKind] = [
    .startList, .targetList, .scoreCards, .standings, .brackets, .medals, .resultBook,
    .entriesCSV, .standingsCSV, .matchesCSV, .sessionsCalendar,
  ]

  /// Writes all papers and files of the event to a new folder.
  func writePapers(to folder: String) async throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    for kind in Self.papers {
      let (name, content) = try await document(kind)
      let file = try OutputFile.make(path: "\(folder)/\(name)")
      try file.write(text: content)
      try file.keep()
    }
  }

  /// Compares the exported standings with the fold of the operations, and counts the matches.
  func checkFiles(_ stages: [PlayedStage]) async throws {
    let expected = expectedScores
    let bibs = Dictionary(
      uniqueKeysWithValues: zip(plan.archers.map(\.bib), event.participants))
    var lines = Self.records(try await document(.standingsCSV).content)
    let head = lines.removeFirst()
    guard let bib = head.firstIndex(of: "bib"), let total = head.firstIndex(of: "total") else {
      return findings.note("the file of the standings has no columns bib and total")
    }
    findings.compare("lines of the file of the standings", lines.count, plan.archers.count)
    for line in lines where line.count == head.count {
      let tally = bibs[line[bib]].flatMap { expected.tallies[$0] }
      findings.compare(
        "the total of bib \(line[bib]) in the file", Int(line[total]), tally?.total)
    }
    var matchCount = 0
    for stage in stages {
      matchCount += try await spectator.call(
        Elimination.getBracket, .with { $0.stageID = stage.id }
      ).matches.count
    }
    let matches = Self.records(try await document(.matchesCSV).content)
    findings.compare("lines of the file of the matches", matches.count - 1, matchCount)
  }

  private func document(
    _ kind: EventDocumentKind
  ) async throws -> (name: String, content: [UInt8]) {
    var request = GetEventDocumentRequest()
    request.tournamentID = event.id
    request.kind = kind
    var content: [UInt8] = []
    while true {
      let part = try await staff.organiser.way.call(Events.getEventDocument, request)
      content += part.content
      request.pageToken = part.nextPageToken
      if request.pageToken.isEmpty { return (part.fileName, content) }
    }
  }

  /// The fields of comma-separated values without line ends in them.
  private static func records(_ bytes: [UInt8]) -> [[String]] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map { line in
      var fields = [""]
      var isQuoted = false
      for character in line {
        switch character {
        case "\"": isQuoted.toggle()
        case "," where !isQuoted: fields.append("")
        default: fields[fields.count - 1].append(character)
        }
      }
      return fields
    }
  }
}
