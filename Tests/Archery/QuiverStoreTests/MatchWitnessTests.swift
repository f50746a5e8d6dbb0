import QuiverRules
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Who agrees to corrections in matches", .timeLimit(.minutes(15)))
struct MatchWitnessTests {
  /// The final of four archers, of whom the first, against the third, has shot an end, and a judge.
  private struct Final {
    let bracket: BracketBench
    let match: Int64
    let judge: Int64
    var bench: EventBench { bracket.bench }
    var archers: [Int64] { bracket.archers }
    var participants: [Int64] { bracket.participants }

    init(_ bench: EventBench, _ consent: CorrectionConsent? = nil) throws {
      bracket = try BracketBench(4, in: bench)
      for index in 0..<2 { try bracket.play(try bracket.match(4, index).id, winner: .first) }
      match = try bracket.match(2, 0).id
      judge = try bench.archer("Tuck")
      try bench.perform(SetOfficial(try bench.code(of: judge), of: bracket.event, role: .judge))
      try bracket.apply([try bracket.operation(match, .first, 0, [9, 9, 9])])
      if let consent { try set { $0.consent = consent.rawValue } }
    }

    func set(_ change: (inout UpdateTournament.Change) -> Void) throws {
      let id = bracket.event
      let head = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.tournamentHead(id: id)
      }
      var changes = UpdateTournament.Change()
      change(&changes)
      try bench.perform(try UpdateTournament(id, revision: try #require(head).revision, changes))
    }

    func shown(as principal: Int64) throws -> MatchRecord {
      let id = match
      return try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.match(id: id, principal: principal).match
      }
    }

    /// Replaces the first end of the first side, by its archer if nobody else is named; no values
    /// empty it.
    @discardableResult
    func correct(
      _ values: [Int], witness: Int64 = 0, judge: Int64 = 0, as principal: Int64? = nil
    ) throws -> MatchOutcome {
      let place = MatchRecord.CardPlace(side: .first, isShootOff: false, index: 0)
      let head = try bracket.match(2, 0).operations[place]
      var draft = try bracket.operation(match, .first, 0, values) { draft in
        (draft.replaces, draft.reason) = (head?.clientID ?? [], "misread")
        do throws(StoreError) {
          draft.witness = try CorrectionWitness(participant: witness, judge: judge, path: "")
        } catch {
          draft.invalid = error
        }
      }
      if values.isEmpty { draft.entry = nil }
      return try bracket.apply([draft], as: principal ?? archers[0])[0]
    }

    /// The refusal of a correction that changes nothing.
    func refusal(
      _ values: [Int], witness: Int64 = 0, judge: Int64 = 0, as principal: Int64? = nil
    ) throws -> StoreError? {
      let before = try bench.sequence()
      let outcome = try correct(values, witness: witness, judge: judge, as: principal)
      #expect(try bench.sequence() == before)
      return outcome.verdict == .refused ? outcome.refusal : nil
    }
  }

  @Test(
    "Without a setting a correction needs nobody, and who agreed is kept with it",
    arguments: BothEngines.allCases)
  func kept(_ engine: BothEngines) throws {
    try engine.withBench { bench in
      let final = try Final(bench)
      let place = MatchRecord.CardPlace(side: .first, isShootOff: false, index: 0)
      for (values, witness, judge, name) in [
        ([9, 9, 8], 0, 0, nil), ([9, 9, 7], final.participants[1], 0, "Archer 2"),
        ([9, 9, 6], final.participants[2], 0, "Archer 3"), ([9, 9, 5], 0, final.judge, "Tuck"),
        ([9, 9, 4], 0, bench.organiser, "Sheriff"),
      ] as [([Int], Int64, Int64, String?)] {
        let outcome = try final.correct(values, witness: witness, judge: judge)
        #expect(outcome.verdict == .stored && outcome.match?.witnesses[place]?.name == name)
        #expect(try final.bracket.match(2, 0).witnesses[place]?.name == name)
      }
      let event = final.bracket.event
      let audit = try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.correctionTexts(topic: event)
      }
      #expect(
        audit == [
          "9 9 8", "9 9 7 / witness \(final.participants[1])",
          "9 9 6 / witness \(final.participants[2])", "9 9 5 / judge \(final.judge)",
          "9 9 4 / judge \(bench.organiser)",
        ])
      #expect(try bench.store.verify() == [])
    }
  }

  @Test(
    "Where a witness must agree, an end is corrected with one alone, or by who rules",
    arguments: BothEngines.allCases)
  func witness(_ engine: BothEngines) throws {
    try engine.withBench { bench in
      let final = try Final(bench, .witness)
      for values in [[9, 9, 8], []] {
        let refused = try final.refusal(values)
        #expect(refused?.code == .failedPrecondition)
        #expect(refused?.field == "operations[0].witness_id")
        #expect(refused?.message.contains("another archer") == true)
      }
      // What is entered at first, and what is there already, needs nobody.
      try final.bracket.apply(
        [try final.bracket.operation(final.match, .first, 1, [9, 9, 9])], as: final.archers[0])
      #expect(try final.correct([9, 9, 9]).verdict == .same)
      #expect(try final.correct([9, 9, 8], witness: final.participants[1]).verdict == .stored)
      #expect(try final.correct([9, 9, 7], judge: final.judge).verdict == .stored)
      #expect(try final.correct([9, 9, 6], as: final.judge).verdict == .stored)
      #expect(try final.correct([9, 9, 5], as: bench.organiser).verdict == .stored)
      #expect(try final.correct([], witness: final.participants[3]).verdict == .stored)
      #expect(try bench.store.verify() == [])
    }
  }

  @Test("Where a judge must agree, nobody else corrects an end")
  func judge() throws {
    let final = try Final(try EventBench(), .judge)
    for (witness, judge) in [(0, 0), (final.participants[1], 0), (0, final.judge)]
      as [(Int64, Int64)]
    {
      let refused = try final.refusal([9, 9, 8], witness: witness, judge: judge)
      #expect(refused?.code == .failedPrecondition && refused?.field == "operations[0].judge_id")
    }
    #expect(try final.correct([9, 9, 8], as: final.judge).verdict == .stored)
    try final.set { $0.consent = CorrectionConsent.nobody.rawValue }
    #expect(try final.correct([9, 9, 7]).verdict == .stored)
  }

  @Test("Who cannot have agreed is refused by the name of the field, and nothing changes")
  func others() throws {
    let final = try Final(try EventBench(), .witness)
    let bench = final.bench
    let elsewhere = try bench.join(final.archers[1], try bench.event()).id
    try bench.perform(
      SetOfficial(try bench.code(of: final.archers[0]), of: final.bracket.event, role: .judge))
    for (witness, judge, field) in [
      (final.participants[0], 0, "operations[0].witness_id"),
      (elsewhere, 0, "operations[0].witness_id"), (.max, 0, "operations[0].witness_id"),
      (-1, 0, "witness_id"), (0, final.archers[1], "operations[0].judge_id"),
      // A judge who shoots is none of its own card.
      (0, final.archers[0], "operations[0].judge_id"), (0, .max, "operations[0].judge_id"),
      (final.participants[1], final.judge, "judge_id"),
    ] as [(Int64, Int64, String)] {
      let refused = try final.refusal([9, 9, 8], witness: witness, judge: judge)
      #expect(
        refused?.code == .invalidArgument && refused?.field == field, "\(witness) \(judge)")
    }
    let before = try bench.sequence()
    let fresh = try final.bracket.operation(final.match, .first, 1, [9, 9, 9]) { draft in
      draft.witness = try? CorrectionWitness(
        participant: final.participants[1], judge: 0, path: "")
    }
    let refused = try final.bracket.apply([fresh], as: final.archers[0])[0].refusal
    #expect(refused?.code == .invalidArgument && refused?.field == "operations[0].witness_id")
    #expect(try bench.sequence() == before)
  }

  @Test("A distance or a judge's mark is added to a shoot-off by nobody's leave, and changed by it")
  func distances() throws {
    let final = try Final(try EventBench())
    let bracket = final.bracket
    let third = try bracket.match(2, 1).id
    try bracket.tie(third)
    let archer = try #require(
      try bracket.bracket().entrant(try bracket.match(2, 1).seeds[0])?.principal)
    var head = try bracket.operation(third, .first, 0, [9], shootOff: true)
    try bracket.apply([head], as: archer)
    try final.set { $0.consent = CorrectionConsent.witness.rawValue }
    func corrected(
      _ shot: ShootOffShot, as principal: Int64
    ) throws -> MatchOutcome {
      let draft = try bracket.operation(third, .first, 0, [9], shootOff: true) { draft in
        (draft.replaces, draft.reason) = (head.clientID, "measured")
        draft.entry = .shootOff(0, shot)
      }
      let outcome = try bracket.apply([draft], as: principal)[0]
      if outcome.verdict == .stored { head = draft }
      return outcome
    }
    let nine = [ArrowScore(value: 9)]
    #expect(
      try corrected(ShootOffShot(nine, distances: [120]), as: archer).verdict == .stored)
    let measured = try corrected(ShootOffShot(nine, distances: [110]), as: archer)
    #expect(measured.refusal?.field == "operations[0].witness_id")
    let shot = try corrected(ShootOffShot([ArrowScore(value: 10)], distances: [120]), as: archer)
    #expect(shot.refusal?.field == "operations[0].witness_id")
    let marked = ShootOffShot(nine, distances: [120], isMarkedCloser: true)
    #expect(try corrected(marked, as: final.judge).verdict == .stored)
    let unmarked = try corrected(ShootOffShot(nine, distances: [120]), as: archer)
    #expect(unmarked.refusal?.field == "operations[0].witness_id")
  }

  @Test("Who agreed has it in the export, and its name is erased with the account")
  func exported() throws {
    let final = try Final(try EventBench())
    let bench = final.bench
    // The second archer has lost its semifinal.
    try final.correct([9, 9, 8], witness: final.participants[1])
    try final.bracket.apply([
      try final.bracket.operation(final.match, .second, 0, [8, 8, 8])
    ])
    func agreements(_ principal: Int64) throws -> [[String]] {
      try bench.store.read { (snapshot) throws(StoreError) in
        try snapshot.export(principal: principal, pageSize: 500, pageToken: "").items
      }.compactMap { item -> [String]? in
        guard case .match(let found) = item, found.match.id == final.match else { return nil }
        return found.match.operations.keys.sorted().map { place in
          let entry = found.match.entry(at: place).map { "\($0)" } ?? ""
          return (found.match.witnesses[place]?.name ?? "nobody") + (entry.isEmpty ? " none" : "")
        }.sorted()
      }
    }
    #expect(try agreements(final.archers[1]) == [["Archer 2"]])
    #expect(try agreements(final.archers[0]) == [["Archer 2", "nobody"]])
    #expect(try agreements(final.judge) == [])
    try final.correct([9, 9, 7], judge: final.judge)
    #expect(try agreements(final.judge) == [["Tuck"]])
    #expect(try agreements(final.archers[1]) == [])
    try bench.perform(DeleteAccount(confirmation: "Tuck"), as: final.judge)
    try bench.store.awaitErasure()
    let names = try final.shown(as: bench.organiser).witnesses.values.map(\.name)
    #expect(names.count == 1 && !names.contains("Tuck"))
    #expect(try bench.store.verify() == [])
  }

  @Test("Who has no part in an event reads a witness as it shows its archers, and no judge")
  func everybody() throws {
    let final = try Final(try EventBench())
    try final.set { change in
      (change.isWatchable, change.publicNames) = (true, PublicName.initials.rawValue)
    }
    let other = try final.bench.archer("Guy")
    try final.correct([9, 9, 8], witness: final.participants[2])
    #expect(try final.shown(as: other).witnesses.values.map(\.name) == ["A. 3."])
    #expect(try final.shown(as: final.archers[3]).witnesses.values.map(\.name) == ["Archer 3"])
    try final.correct([9, 9, 7], judge: final.judge)
    #expect(try final.shown(as: other).witnesses.values.map(\.name) == [""])
    // A refusal names them so, too: who has no part scores nothing.
    #expect(try final.correct([9, 9, 6], as: other).refusal?.code == .permissionDenied)
  }
}

extension Snapshot {
  private static let texts = Query(
    "SELECT after FROM audit WHERE topic = ?1 AND action = 'match.correct' ORDER BY sequence")

  /// What the audit says of the corrections in the matches of an event.
  fileprivate func correctionTexts(topic: Int64) throws(StoreError) -> [String] {
    try all(Self.texts, .integer(topic)) { row in
      String(String(decoding: row.bytes(0), as: UTF8.self).drop { $0 != "=" }.dropFirst())
    }
  }
}
