import Foundation
import Testing

@Suite("Ends at the keyboard", .timeLimit(.minutes(20)))
struct ScoringCommandTests {
  @Test("Ends are entered, undone and corrected; a wrong line changes nothing and is an error")
  func entry() throws {
    let server = try RunningServer()
    #expect(
      try server.quiver("tournament", "create", "Cup", "--round", "wa18", "--arrows", "6", "--join")
        .code == 0)
    #expect(try server.quiver("tournament", "enter", "1", "Bob", "--guest").code == 0)
    #expect(try server.quiver("tournament", "start", "1").code == 0)
    let input = "10 9 X\nu\n8\nn bo\n7 7 7\nn bo\nc 1 1 10 misread\ns\nq\n"
    let run = try server.run(["tournament", "score", "1"], input: input)
    #expect(run.code == 0, "\(run.errors)")
    for text in [
      "end 1: 10 9 X = 29, total 29", "undone", "end 1: 8 = 8, total 27", "Bob, end 1: 7 7 7 = 21",
      "1    10 7 7  24   24",
    ] {
      #expect(run.output.contains(text), "\(text): \(run.output) \(run.errors)")
    }
    let standings = try server.quiver("tournament", "archers", "1", "--output", "csv")
    #expect(standings.output.contains("Bob,guest,active,0,24,3"), "\(standings.output)")
    let wrong = try server.run(["tournament", "score", "1"], input: "12\nfoo\n")
    #expect(wrong.code == 64 && wrong.errors.contains("2 lines were refused"), "\(wrong.errors)")
    #expect(wrong.errors.contains("foo is neither an end nor a command"))
    #expect(
      try server.quiver("tournament", "archers", "1", "--output", "csv").output == standings.output)
  }

  @Test("Ends that were entered without a connection are sent by the next run")
  func offline() throws {
    let server = try RunningServer()
    let address = server.address
    let first = try server.run(
      ["round", "shoot", "wa18", "--arrows", "6", "--guest", "Zoe"], input: "9 9 9\n")
    #expect(first.code == 0, "\(first.errors)")
    server.stop()
    let offline = try server.run(["round", "score", "1"], input: "10 10 10\n")
    #expect(offline.code == 0, "\(offline.errors)")
    #expect(offline.output.contains("Zoe, end 1: 10 10 10 = 30, total 30"), "\(offline.output)")
    #expect(offline.errors.contains("3 entries wait to be sent by the next run"))
    try server.start(address)
    let sent = try server.run(["round", "score", "1"], input: "q\n")
    #expect(sent.code == 0 && !sent.errors.contains("wait"), "\(sent.errors)")
    let card = try server.quiver("round", "card", "2")
    #expect(card.output.contains("total 30"), "\(card.output)\(card.errors)")
    let nothing = try server.run(["round", "score", "77"], input: "")
    #expect(nothing.code == 64 && nothing.errors.contains("was not started on this machine"))
  }
}
