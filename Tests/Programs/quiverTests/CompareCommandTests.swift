import Foundation
import TestSupport
import Testing

@testable import quiver_command

@Suite("quiver compare and quiver handicap", .timeLimit(.minutes(20)))
struct CompareCommandTests {
  @Test("Handicaps and scores are converted in both directions")
  func handicaps() throws {
    let server = try RunningServer()
    let score = try server.quiver("handicap", "score", "wa720_70", "40")
    #expect(score.output == "handicap 40 is 530 of 720 in WA 70m\n", "\(score.errors)")
    let handicap = try server.quiver("handicap", "of", "wa720_70", "500")
    #expect(handicap.output == "500 of 720 in WA 70m is handicap 44\n", "\(handicap.errors)")
    let negative = try server.quiver("handicap", "score", "wa720_70", "-5")
    #expect(negative.output.hasPrefix("handicap -5 is 709 "))
    for (words, code, text) in [
      (["handicap", "of", "wa720_70", "721"], 67, "score: must be from 1 to 720"),
      (["handicap", "of", "wa720_70", "0"], 67, "score: must be from 1 to 720"),
      (["handicap", "score", "wa720_70", "301"], 67, "handicap: must be from -75 to 300"),
      (["handicap", "of", "nothing", "5"], 64, "there is no such round"),
      (["handicap", "of", "wa720_70", "x"], 64, "SCORE expects"),
      (["handicap", "score", "wa720_70"], 64, "expected ROUND and HANDICAP"),
    ] as [([String], Int32, String)] {
      let run = try server.run(words)
      #expect(run.code == code && run.errors.contains(text), "\(words): \(run.errors)")
    }
  }

  @Test("Setups are compared by name or id; a comparison that is not valid is refused")
  func compare() throws {
    let server = try RunningServer()
    for name in ["Indoor", "Outdoor 70"] { _ = try server.quiver("setup", "add", name) }
    let compared = try server.quiver("compare", "indoor", "2", "--range", "30d")
    #expect(compared.code == 0, "\(compared.errors)")
    #expect(compared.output.contains("Too little data") && compared.output.contains("Outdoor 70"))
    let json = try server.quiver("compare", "Indoor", "Outdoor 70", "--json").json()
    #expect((json["pairs"] as? [Any])?.count == 1)
    for (words, code, text) in [
      (["compare", "Indoor"], 64, "two setups"),
      (["compare", "Indoor", "Indoor"], 67, "setups[1]"),
      (["compare", "Indoor", "Outdor 70"], 64, "did you mean Outdoor 70"),
      (["compare", "1", "9"], 69, "setups[1]: there is no such bow setup"),
      (["compare", "1", "2", "--range", "soon"], 64, "--range expects"),
      (["compare", "1", "2", "--method", "guess"], 64, "--method expects"),
      (["compare", "1", "2", "--seed", "-1"], 64, "--seed expects"),
    ] as [([String], Int32, String)] {
      let run = try server.run(words)
      #expect(run.code == code && run.errors.contains(text), "\(words): \(run.errors)")
    }
  }

  @Test("A comparison is printed with its verdict, and drawn to a new file")
  func drawn() async throws {
    let server = try RunningServer()
    for name in ["Old", "New"] { _ = try server.quiver("setup", "add", name) }
    let archer = try ComparedArcher(server)
    try await archer.shoot(1, level: 6, drift: -0.15)
    try await archer.shoot(2, level: 8, drift: 0.1)
    let file = server.directory.path + "/plot.svg"
    let run = try server.quiver("compare", "Old", "New", "--range", "30d", "--plot", file)
    #expect(run.code == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("average score") && $0.hasSuffix("B better") })
    #expect(
      lines.contains { $0.hasPrefix("Average score: \"New\" is better by 2.00 points") })
    #expect(lines.contains { $0.hasPrefix("Handicap: \"New\" is better by ") })
    #expect(lines.contains("Place at 40 cm: They shoot to different places."))
    #expect(lines.allSatisfy { !$0.contains("nan") })
    let svg = try String(contentsOfFile: file, encoding: .utf8)
    #expect(svg.hasPrefix("<svg ") && svg.contains("Old: 6 rounds, 360 arrows"))
    #expect(svg.ranges(of: "<ellipse").count == 4)
    #expect(svg.ranges(of: "fill-opacity").count == 720)
    let again = try server.quiver("compare", "Old", "New", "--plot", file)
    #expect(again.code == 64 && again.errors.contains("cannot write"))
    let verified = try server.quiver("admin", "verify")
    #expect(verified.code == 0, "\(verified.output)")
  }
}
