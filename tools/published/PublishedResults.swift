import Foundation
import QuiverCommandLine

/// Replays published results of events with the rules of this package, and compares them.
@main
struct PublishedResults {
  static let usage = """
    usage: tools/published-results [--quiet] DIR…

    Replays published individual events with Quiver's own rules: the order of the qualification, the
    bracket that follows from it, each match at its place, between its seeds and on its side, the
    byes, who advances, and the final ranks. Prints for each event the number of comparisons, what
    the source does not decide, and each disagreement.

    A DIR is searched for files named N-Individual_{Qualification,Brackets,Final}-CATEGORY.csv, as
    IanseoParse (github.com/Alcalol/IanseoParse, MIT) writes them from the pages of ianseo.net. The
    events of 2019 that docs/reliability.md reports on are in the folders 4792, 4795, 4797 and 4803
    of github.com/shermanlo77/archeryrating at commit d7bfefa35652bf418a559c7b5c1b0875ebde3d79.
    They are licensed under GPL-3.0 and are no part of Quiver: get them with git, and name the
    folder.

    --quiet   prints no event without a disagreement

    The exit code is 0 without a disagreement, 1 with one, 64 for wrong arguments and 65 for a file
    that cannot be read.
    """

  static func main() {
    StandardStreams.prepare()
    let words = CommandLine.arguments.dropFirst()
    if words.contains("--help") {
      StandardOutput.printOrExit(usage)
      return
    }
    let unknown = words.first { $0.hasPrefix("-") && $0 != "--quiet" }
    let folders = words.filter { !$0.hasPrefix("-") }
    guard unknown == nil, !folders.isEmpty else {
      complain(unknown.map { "there is no flag \($0)" } ?? "name a folder")
      exit(64)
    }
    do {
      exit(try run(Array(folders), isQuiet: words.contains("--quiet")) ? 0 : 1)
    } catch {
      complain("\(error)")
      exit(65)
    }
  }

  /// Replays all events below some folders; returns whether all agree.
  static func run(_ folders: [String], isQuiet: Bool) throws -> Bool {
    let files = try folders.flatMap { try EventFiles.found(below: $0) }
    var total = EventReport()
    for file in files {
      let event = try PublishedEvent(file)
      let report = try EventReplay.report(of: event)
      if !isQuiet || !report.disagreements.isEmpty {
        StandardOutput.printOrExit(report.text(of: event))
      }
      total.add(report)
    }
    StandardOutput.printOrExit(
      "\(files.count) events, \(total.matchCount) matches, \(total.comparisonCount) comparisons, "
        + "\(total.undecided.count) not decided by the source, "
        + "\(total.disagreements.count) disagreements")
    return total.disagreements.isEmpty
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("published-results: \(text)\n".utf8))
  }
}

/// What the replay of an event found.
struct EventReport: Equatable {
  var matchCount = 0
  var comparisonCount = 0
  /// What differs where the source lacks the value that decided it.
  var undecided: [String] = []
  var disagreements: [String] = []

  mutating func compare<Value: Equatable>(
    _ what: @autoclosure () -> String, replayed: Value, published: Value
  ) {
    comparisonCount += 1
    guard replayed != published else { return }
    disagreements.append("\(what()): replayed \(replayed), published \(published)")
  }

  mutating func add(_ other: EventReport) {
    matchCount += other.matchCount
    comparisonCount += other.comparisonCount
    undecided += other.undecided
    disagreements += other.disagreements
  }

  func text(of event: PublishedEvent) -> String {
    let lines =
      [
        "\(event.name): \(event.entrants.count) entrants, \(matchCount) matches, "
          + "\(comparisonCount) comparisons, \(undecided.count) not decided by the source, "
          + "\(disagreements.count) disagreements"
      ] + undecided.map { "  not decided: \($0)" } + disagreements.map { "  DISAGREES: \($0)" }
    return lines.joined(separator: "\n")
  }
}
