import Foundation
import TestSupport
import Testing

@Suite("Sharing on the command line", .timeLimit(.minutes(20)))
struct ShareCommandTests {
  /// A day that is ahead, as YYYY-MM-DD.
  private static let until = String(
    Date(timeIntervalSinceNow: 40 * 86_400).formatted(.iso8601).prefix(10))

  @Test("A coach reads by --user and a name what archers share, and quiver squad lists them")
  func coach() throws {
    let server = try RunningServer()
    let (ann, bob) = (try server.token(of: "Ann"), try server.token(of: "Bob"))
    let coach = try server.token(of: "Coach")
    func run(_ token: String, _ line: String) throws -> Run {
      try server.run(line.split(separator: " ").map(String.init), tokenFile: token)
    }
    func check(_ token: String, _ line: String, _ text: String) throws {
      let run = try run(token, line)
      #expect(run.code == 0 && run.output.contains(text), "\(line): \(run.output)\(run.errors)")
    }
    try check(ann, "equipment add riser --brand Hoyt --model Xi", "riser 1")
    let code = try run(coach, "account code").output.trimmingCharacters(in: .whitespacesAndNewlines)
    try check(
      ann, "share add \(code) --part equipment --part training-log --until \(Self.until)",
      "Coach may read equipment, training-log until \(Self.until)")
    try check(
      ann, "share edit Coach --part equipment --part rounds --until \(Self.until)",
      "Coach may read equipment, rounds until \(Self.until)")
    let invite = try run(bob, "share invite --part rounds --until \(Self.until)")
    #expect(invite.code == 0, "\(invite.errors)")
    try check(bob, "share invites", "rounds")
    let invitation = invite.output.trimmingCharacters(in: .whitespacesAndNewlines)
    try check(coach, "share accept \(invitation)", "you may read rounds of Bob")
    try check(coach, "share list --side received", "Ann")
    try check(coach, "equipment list --user Ann", "Hoyt")
    try check(coach, "--user An equipment hub", "1")
    try check(coach, "call Equipment/GetHub --user Ann", "\"total\":")
    let other = try run(coach, "equipment list --user Bob")
    #expect(other.code != 0 && other.errors.contains("does not share this"), "\(other.errors)")
    let nobody = try run(coach, "equipment list --user Cid")
    #expect(nobody.code == 64 && nobody.errors.contains("no user who shares"), "\(nobody.errors)")
    try check(coach, "squad", "Ann")
    try check(coach, "squad --weeks 2 --output csv", "Bob")
    try check(ann, "share rm Coach --yes", "may not read the data of Ann any more")
    let ended = try run(coach, "equipment list --user Ann")
    #expect(ended.code == 64 && ended.errors.contains("no user who shares"), "\(ended.errors)")
    let empty = try run(ann, "squad")
    #expect(empty.code == 0 && empty.errors.contains("nobody shares with you"), "\(empty.errors)")
  }
}
