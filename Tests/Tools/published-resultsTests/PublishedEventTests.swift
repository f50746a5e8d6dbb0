import Foundation
import TestSupport
import Testing

@testable import published_results

@Suite("Replays of published results", .timeLimit(.minutes(5)))
struct PublishedEventTests {
  private static let qualification = """
    "Rank","Name","Country","Score","Tens","Xs"
    "1","ONE Ann","AAA","650","30","10"
    "2","TWO Bea","AAA","640","30","10"
    "3","THREE Cyd","BBB","640","29","12"
    "4","FOUR Dee","BBB","640","29","12"
    """
  private static let brackets = """
    "Pass","A Name","A Score","A Win","B Name","B Score","B Win"
    "1/2","One Ann","6","1","Dee Four","2","0"
    "1/2","Three Cyd","5","0","Two Bea","6*","1"
    "Bronze","Three Cyd","6","1","Four Dee","0","0"
    "Gold","Two Bea","1","0","One Ann","7","1"
    """
  private static let final = """
    "Rank","Name","Country"
    "1","ONE Ann","AAA"
    "2","TWO Bea","AAA"
    "3","THREE Cyd","BBB"
    "4","FOUR Dee","BBB"
    """

  private func event(
    _ qualification: String = qualification, _ brackets: String = brackets,
    _ final: String = final
  ) throws -> PublishedEvent {
    try PublishedEvent(
      name: "1 Recurve Women",
      qualification: TableFile(
        path: "q.csv", text: qualification,
        columns: ["Rank", "Name", "Country", "Score", "Tens", "Xs"]),
      brackets: TableFile(
        path: "b.csv", text: brackets,
        columns: ["Pass", "A Name", "A Score", "A Win", "B Name", "B Score", "B Win"]),
      final: TableFile(path: "f.csv", text: final, columns: ["Rank", "Name", "Country"]))
  }

  private func complaint(_ body: () throws -> PublishedEvent) -> String? {
    do {
      _ = try body()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("An event that follows from its seeds and scores has no disagreement")
  func agreeing() throws {
    let report = try EventReplay.report(of: try event())
    #expect(report.disagreements == [])
    #expect(report.matchCount == 4)
    // Two are equal in all keys, and were drawn by lot.
    #expect(report.undecided.count == 1 && report.undecided[0].contains("3 and 4"))
    // 4 in the qualification; found, sides and winner of 4 matches; 2 in order; 4 ranks.
    #expect(report.comparisonCount == 4 + 4 * 3 + 2 + 4)
  }

  @Test("Two who were disqualified are a match that both lost, whoever the file names as winner")
  func disqualified() throws {
    let brackets = """
      "Pass","A Name","A Score","A Win","B Name","B Score","B Win"
      "1/2","One Ann","6","1","Four Dee","2","0"
      "1/2","Three Cyd","0","0","Two Bea","0","1"
      """
    let final = """
      "Rank","Name","Country"
      "1","ONE Ann","AAA"
      "3","FOUR Dee","BBB"
      "DSQ","THREE Cyd","BBB"
      "DSQ","TWO Bea","AAA"
      """
    let report = try EventReplay.report(of: try event(Self.qualification, brackets, final))
    #expect(report.disagreements == [])
    #expect(report.undecided.count { $0.contains("disqualified") } == 2)
    let wrong = final.replacingOccurrences(of: "\"DSQ\",\"TWO", with: "\"2\",\"TWO")
    #expect(
      try !EventReplay.report(of: try event(Self.qualification, brackets, wrong))
        .disagreements.isEmpty)
  }

  @Test("Each kind of a wrong fact is a disagreement")
  func disagreeing() throws {
    func disagreements(
      _ text: String, _ wrong: String, in file: WritableKeyPath<[String], String> = \.[1]
    ) throws -> [String] {
      var files = [Self.qualification, Self.brackets, Self.final]
      #expect(files[keyPath: file].contains(text))
      files[keyPath: file] = files[keyPath: file].replacingOccurrences(of: text, with: wrong)
      return try EventReplay.report(of: try event(files[0], files[1], files[2])).disagreements
    }
    #expect(try disagreements("\"650\"", "\"630\"", in: \.[0]).count == 3)
    // Another side; the winner stays.
    let sides = try disagreements(
      "\"One Ann\",\"6\",\"1\",\"Dee Four\",\"2\",\"0\"",
      "\"Dee Four\",\"2\",\"0\",\"One Ann\",\"6\",\"1\"")
    #expect(sides.count == 1 && sides[0].contains("sides"))
    #expect(try disagreements("\"6*\"", "\"4\"").contains { $0.contains("winner") })
    #expect(try disagreements("\"1/2\",\"One", "\"1/4\",\"One").count >= 2)
    let ranks = try disagreements("\"3\",\"THREE", "\"4\",\"THREE", in: \.[2])
    #expect(ranks == ["the rank of seed 3: replayed 3, published 4"])
  }

  @Test("A bad file is refused with its name, its line and what is wrong")
  func badFiles() {
    func refusal(_ index: Int, _ text: String, _ wrong: String) -> String? {
      var files = [Self.qualification, Self.brackets, Self.final]
      files[index] = files[index].replacingOccurrences(of: text, with: wrong)
      return complaint { try event(files[0], files[1], files[2]) }
    }
    #expect(refusal(0, "\"Tens\"", "\"Tems\"")?.hasPrefix("q.csv:1: the header must be") == true)
    #expect(refusal(0, "\"640\",\"30\"", "\"x\",\"30\"")?.hasPrefix("q.csv:3: Score must") == true)
    #expect(refusal(0, "\"2\",\"TWO", "\"3\",\"TWO")?.hasPrefix("q.csv:3: Rank must be 2") == true)
    #expect(refusal(0, "ONE Ann", "two bea")?.hasPrefix("q.csv:3: Name is that") == true)
    #expect(refusal(1, "\"Dee Four\"", "\"Nobody\"")?.contains("b.csv:2: B Name 'Nobody'") == true)
    #expect(refusal(1, "\"Gold\"", "\"Silver\"")?.hasPrefix("b.csv:5: Pass 'Silver'") == true)
    #expect(refusal(1, "\"6*\"", "\"6+\"")?.hasPrefix("b.csv:3: B Score '6+'") == true)
    #expect(
      refusal(1, "\"Dee Four\",\"2\",\"0\"", "\"Dee Four\",\"2\"")
        == "b.csv:2: has 6 fields instead of 7")
    #expect(refusal(1, "\"Dee Four\"", "Dee Four\"") == "b.csv:2: a quote is not closed")
    #expect(refusal(1, "\"2\",\"0\"", "\"2\",\"1\"") == "b.csv:2: both sides win")
    #expect(
      refusal(2, "\"4\",\"FOUR Dee\",\"BBB\"", "")
        == "f.csv: seed 4 of the qualification is missing"
    )
  }

  @Test("A folder without events, and an event without one of its files, are refused by name")
  func folders() throws {
    let directory = try TemporaryDirectory()
    #expect(throws: FileComplaint.self) { try EventFiles.found(below: directory.path) }
    let folder = directory.path + "/7"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    for (kind, text) in [("Qualification", Self.qualification), ("Brackets", Self.brackets)] {
      try Data(text.utf8).write(
        to: URL(filePath: folder + "/7-Individual_\(kind)-Recurve_Women.csv"))
    }
    let missing = complaint {
      try PublishedEvent(try EventFiles.found(below: directory.path)[0])
    }
    #expect(missing?.hasSuffix("7-Individual_Final-Recurve_Women.csv: is missing") == true)
    try Data(Self.final.utf8).write(
      to: URL(filePath: folder + "/7-Individual_Final-Recurve_Women.csv"))
    let found = try EventFiles.found(below: directory.path)
    #expect(found.map(\.name) == ["7 Recurve Women"])
    #expect(try PublishedResults.run([directory.path], isQuiet: true))
  }

  @Test("Names agree in any order and case, with and without the dot of an i")
  func names() {
    #expect(PublishedEvent.key("SUGIMOTO Tomomi") == PublishedEvent.key("Tomomi Sugimoto"))
    #expect(PublishedEvent.key("GASIMOVA Ozay") == PublishedEvent.key("Gas\u{131}mova Ozay"))
    #expect(PublishedEvent.key("ONE Ann") != PublishedEvent.key("ONE Anne"))
  }
}
