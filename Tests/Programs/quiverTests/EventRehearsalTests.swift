import QuiverAPI
import QuiverProtobuf
import TestSupport
import Testing

@testable import quiver_command

@Suite("quiver event rehearse", .timeLimit(.minutes(20)))
struct EventRehearsalTests {
  @Test("A rehearsal with faults on a given server agrees, and its accounts are deleted")
  func given() throws {
    let server = try RunningServer()
    let run = try server.quiver("event", "rehearse", "--archers", "48", "--seed", "7")
    #expect(run.code == 0, "\(run.output)\(run.errors)")
    let lines = run.output.split(separator: "\n").map {
      $0.split(separator: " ", maxSplits: 1).map { $0.drop { $0 == " " } }
    }
    let figures = Dictionary(
      lines.map { ($0[0], $0.last ?? "") }, uniquingKeysWith: { first, _ in first })
    #expect(figures["seed"] == "7" && figures["disagreements"] == "0")
    #expect(figures["stages"] == "8")
    #expect(Int(figures["comparisons"] ?? "") ?? 0 > 2_000)
    let phones = figures["phones"] ?? ""
    for word in ["takeovers 0", "rescues 0", "moves 0", "line 0", "arrows 0"] {
      #expect(!phones.isEmpty && !phones.contains(word), "\(phones)")
    }
    #expect(figures["papers"] == "4 compared, 1 typed")
    for word in ["lost 0", "repeated 0", "closed 0"] {
      #expect(figures["faults"]?.contains(word) == false)
    }
    let people = try server.quiver("call", "Admin/ListPrincipals", #"{"page_size":500}"#)
    #expect(!people.output.contains("Rehearsal scorer"))
  }

  @Test("A rehearsal of two days with a round on each agrees, with faults")
  func days() throws {
    let server = try RunningServer()
    let run = try server.quiver(
      "event", "rehearse", "--archers", "48", "--seed", "11", "--days", "2")
    #expect(run.code == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("rounds         2"))
    #expect(run.output.contains("disagreements  0"))
  }

  @Test("A practice is an event whose targets anybody scores with a code of its list")
  func practice() throws {
    let server = try RunningServer()
    let run = try server.quiver(
      "event", "rehearse", "--practice", "--archers", "5", "--address", "https://club.example/")
    #expect(run.code == 0, "\(run.errors)")
    let rows = run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(rows.map(\.count) == [3, 3, 3] && rows[0] == ["TARGET", "CODE", "ADDRESS"])
    for row in rows.dropFirst() {
      #expect(row[2] == "https://club.example/score#\(row[1])")
    }
    let joined = try server.quiver(
      "call", "Events/JoinTarget", #"{"code":"\#(rows[2][1])","device":"phone","card":1}"#)
    #expect(joined.code == 0 && joined.output.contains("Archer 2A"), "\(joined.errors)")
    let id = try #require(run.errors.split(separator: " ").compactMap { Int($0) }.first)
    let plain = try server.quiver("event", "codes", "\(id)", "Practice", "--id")
    #expect(plain.code == 0 && plain.output.hasPrefix("TARGET  CODE"), "\(plain.errors)")
    let drawn = try server.quiver(
      "event", "codes", "\(id)", "Practice", "--qr", "--address", "https://club.example")
    #expect(drawn.output.contains("\nTarget 2\n") && drawn.output.contains("█"))
  }

  @Test("Numbers of archers out of range, and other words than on and off, are refused")
  func arguments() throws {
    let directory = try TemporaryDirectory()
    for words in [
      ["--archers", "47"], ["--archers", "401"], ["--faults", "no"], ["--seed", "x"],
      ["--silence", "5"], ["--days", "0"], ["--days", "3"], ["--days", "two"], ["--qr"],
      ["--practice", "--archers", "0"], ["--practice", "--archers", "121"],
      ["--practice", "--seed", "3"], ["--practice", "--qr"], ["--practice", "--address", "club"],
    ] {
      let run = try Run(["event", "rehearse"] + words, in: directory)
      #expect(run.code == 64 && run.output.isEmpty, "\(words)")
    }
  }

  @Test("The same seed plans the same event, and another seed another one")
  func seeds() {
    let plans = [3, 3, 4].map { RehearsalPlan(seed: $0, archerCount: 200) }
    let arrows = plans.map { $0.archers.map(\.ends) }
    #expect(arrows[0] == arrows[1] && arrows[0] != arrows[2])
    for plan in plans {
      #expect(plan.archers.count == 200)
      // Across the cuts of the men, at the first rank of the women, and by whatever chance.
      #expect(Set(plan.ties.map(\.category)).isSuperset(of: [0, 1, 2]))
    }
  }

  @Test("Every plan has papers of each kind, and an archer whose device stops")
  func papers() {
    for seed in [1, 2, 3] as [UInt64] {
      let plan = RehearsalPlan(seed: seed, archerCount: 48)
      let papers = plan.archers.compactMap(\.paper)
      #expect(papers.count == 4 && Set(papers).count == 4)
      // Some are of the whole card, and some of one distance.
      let parts = plan.archers.filter { $0.paper != nil }.map(\.paperPart)
      #expect(parts.contains(0) && parts.contains(1) && parts.contains(2))
      for archer in plan.archers {
        // Nothing else becomes of who has a paper, and a lower paper lowers the total.
        #expect(archer.paper == nil || archer.fate == .shootsAll)
        let arrows = PlainTally(archer.ends.prefix(archer.shotEndCount)).total
        #expect(archer.tally.total == arrows - (archer.paper == .isLower ? 2 : 0))
      }
      #expect(plan.archers.count { $0.recordedEndCount < $0.shotEndCount } == 1)
    }
  }

  @Test("The fold of operations does not depend on their order, and finds what has no verdict")
  func fold() {
    func sent(
      _ id: UInt8, _ kind: OperationKind, _ value: UInt32?, replacing: UInt8? = nil,
      _ verdict: Verdict? = .stored
    ) -> RehearsalLog.Sent<ScoringOperation, Verdict> {
      let operation = ScoringOperation.with { operation in
        operation.clientID = [id]
        operation.kind = kind
        operation.participantID = 1
        operation.value = value
        operation.replacesClientID = replacing.map { [$0] } ?? []
      }
      return RehearsalLog.Sent(operation: operation, verdict: verdict)
    }
    let chain = [
      sent(1, .record, 9), sent(2, .retract, nil, replacing: 1),
      sent(3, .correct, 7, replacing: 2),
    ]
    for order in [chain, chain.reversed(), [chain[1], chain[2], chain[0]]] {
      let findings = Findings()
      let scores = ExpectedScores(order, participants: [1], findings)
      #expect(scores.tallies[1]?.total == 7 && findings.disagreements.isEmpty)
    }
    let typed = Findings()
    let card = ExpectedScores(
      chain, participants: [1], typed: [1: PlainTally([[.init(value: 9), .init(value: 5)]])],
      deductions: [1: .init(points: 2)], typed)
    #expect(card.tallies[1]?.total == 12 && card.tallies[1]?.arrowCount == 2)
    let lost = Findings()
    _ = ExpectedScores([sent(1, .record, 9, nil)], participants: [1], lost)
    #expect(lost.disagreements.count == 1)
    let broken = Findings()
    _ = ExpectedScores([chain[0], chain[2]], participants: [1], broken)
    #expect(broken.disagreements.count == 1)
  }

  @Test("A comparison that differs is a disagreement")
  func findings() {
    let findings = Findings()
    findings.compare("the total", 7, 7)
    #expect(findings.comparisonCount == 1 && findings.disagreements.isEmpty)
    findings.compare("the total", 7, 8)
    #expect(findings.disagreements == ["the total: the server has 7, expected 8"])
  }

  @Test("The plain models decide matches and brackets as the rules say")
  func models() {
    func arrows(_ values: [Int]) -> [RehearsalPlan.Arrow] { values.map { .init(value: $0) } }
    let ends = [[30, 20, 25, 25, 25], [20, 30, 25, 25, 25]].map { totals in
      Dictionary(uniqueKeysWithValues: totals.enumerated().map { ($0, arrows([$1, 0, 0])) })
    }
    let tied = PlainMatch(.individualSets, ends, [[:], [:]])
    #expect(tied.winner == nil && tied.setPoints == [5, 5])
    let shots = [10, 9].map { [0: PlainMatch.Shot(arrows: arrows([$0]))] }
    let won = PlainMatch(.individualSets, ends, shots)
    #expect(won.winner == 0 && won.setPoints == [6, 5] && won.decision == .shootOff)
    // The lower seed wins all of 8 but the first quarterfinal.
    let bracket = PlainBracket(entrants: 8) { round, index in
      let first = arrows([round == 8 && index == 0 ? 1 : 9])
      let second = arrows([5])
      let isUpper = index.isMultiple(of: 2) || round == 2
      return PlainMatch(
        .individualCumulative,
        [isUpper ? first : second, isUpper ? second : first].map { arrows in
          Dictionary(uniqueKeysWithValues: (0..<5).map { ($0, arrows) })
        }, [[:], [:]])
    }
    #expect(bracket.pairs[8] == [[1, 8], [5, 4], [3, 6], [7, 2]])
    #expect(bracket.pairs[4]?[0] == [8, 4])
    // The loser with one point an end is below those with five.
    #expect(bracket.ranks[1] == 8 && bracket.ranks[5] == 5 && bracket.ranks[7] == 5)
  }
}
