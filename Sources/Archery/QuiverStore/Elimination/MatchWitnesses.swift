import QuiverRules

/// Who agrees to corrections in matches.
extension Transaction {
  /// Throws unless who is named as having agreed goes with a correction, and is a participant of
  /// the event who is not on the side, or rules over its matches.
  func checkWitness(
    of draft: MatchOperationDraft, on entrant: EntrantRecord?, _ head: TournamentHead, path: String
  ) throws(StoreError) {
    guard let witness = draft.witness else { return }
    let field = path + (witness.judge > 0 ? "judge_id" : "witness_id")
    guard !draft.replaces.isEmpty else { throw .invalid(field, "goes with corrections alone") }
    guard witness.judge == 0 else {
      let rules = try rulesOver(head, witness.judge)
      guard rules, entrant?.users.contains(witness.judge) != true else {
        throw .invalid(field, "must be an organiser or a judge of the event, not of the side")
      }
      return
    }
    let found = try snapshot.participant(id: witness.participant)
    guard let found, found.sessionID == head.id,
      entrant?.participants.contains(found.id) != true,
      found.kind != .user || entrant?.users.contains(found.principal) != true
    else { throw .invalid(field, "must be a participant of the event who is not on the side") }
  }

  /// Throws if nobody has agreed to a correction who must.
  func checkConsent(
    to draft: MatchOperationDraft, in match: MatchRecord, _ head: TournamentHead, path: String
  ) throws(StoreError) {
    guard let before = match.entry(at: draft.place), before.isChanged(by: draft.entry) else {
      return
    }
    switch head.consent {
    case nil, .nobody: return
    case .witness where draft.witness != nil: return
    case .witness, .judge: break
    }
    guard try !rulesOver(head, caller.principal) else { return }
    throw (head.consent ?? .nobody).refusal(path: path)
  }

  private func rulesOver(
    _ head: TournamentHead, _ principal: Int64
  ) throws(StoreError) -> Bool {
    let role = try snapshot.role(of: principal, in: head)
    return role == .organiser || role == .judge
  }
}

extension EntrantRecord {
  /// The archer, or those of the team.
  fileprivate var participants: Set<Int64> {
    Set(members.map(\.participant)).union(participant > 0 ? [participant] : [])
  }

  /// The accounts of those who have one.
  fileprivate var users: Set<Int64> {
    Set(members.filter { $0.kind == .user }.map(\.principal))
      .union(participant > 0 && kind == .user ? [principal] : [])
  }
}

extension MatchEntry {
  /// Whether something else takes the place of what was entered. What a shoot-off gets in addition,
  /// a distance or the mark of a judge, changes nothing that was.
  fileprivate func isChanged(by entry: MatchEntry?) -> Bool {
    guard case .shootOff(let index, let before) = self,
      case .shootOff(let other, let after)? = entry, index == other
    else { return self != entry }
    return before.arrows != after.arrows
      || !after.distances.starts(with: before.distances)
      || (before.isMarkedCloser && !after.isMarkedCloser)
  }
}

extension MatchRecord {
  func shown(to reader: NameReader) -> MatchRecord {
    guard !witnesses.isEmpty else { return self }
    var shown = self
    shown.witnesses = witnesses.mapValues { $0.shown(to: reader) }
    return shown
  }

  /// The entries alone to which a principal agreed; nil: none.
  fileprivate func agreed(by principal: Int64) -> MatchRecord? {
    var agreed = self
    agreed.cards = [MatchCard(), MatchCard()]
    agreed.operations = [:]
    agreed.witnesses = witnesses.filter { $0.value.principal == principal }
    for place in agreed.witnesses.keys {
      agreed.operations[place] = operations[place]
      switch entry(at: place) {
      case .end(let index, let arrows)?:
        agreed.cards[place.side.rawValue].set(arrows, end: index)
      case .shootOff(let index, let shot)?:
        agreed.cards[place.side.rawValue].set(shot, shootOff: index)
      case nil: break
      }
    }
    return agreed.witnesses.isEmpty ? nil : agreed
  }
}

extension ExportSection {
  /// Corrections in the matches of others to which the principal agreed, as archer or judge.
  static let matchAgreements = ExportSection(
    48,
    ids: Query(
      """
      SELECT o.match_id FROM participant p
      JOIN match_operation o ON o.witness_id = p.id AND o.witness_id > 0
      JOIN event_match m ON m.id = o.match_id
      WHERE p.principal_id = ?1 AND o.match_id > ?2 AND NOT EXISTS (\(entrants(of: "m")))
      UNION SELECT o.match_id FROM match_operation o
      JOIN event_match m ON m.id = o.match_id
      WHERE o.judge_id = ?1 AND o.judge_id > 0 AND o.match_id > ?2
        AND NOT EXISTS (\(entrants(of: "m")))
      ORDER BY 1 LIMIT ?3
      """)
  ) { (snapshot, principal, place) throws(StoreError) in
    let match = try snapshot.match(id: place.id)
    return try match.agreed(by: principal).map { (agreed) throws(StoreError) in
      .match(MatchInBracket(match: agreed, bracket: try snapshot.entrants(of: match)))
    }
  }
}

extension Migration {
  /// Step 48: who agreed to corrections in matches.
  static let matchWitnesses = """
    ALTER TABLE match_operation ADD COLUMN witness_id INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE match_operation ADD COLUMN judge_id INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX match_operation_by_witness ON match_operation (witness_id, match_id)
      WHERE witness_id > 0;
    CREATE INDEX match_operation_by_judge ON match_operation (judge_id, match_id)
      WHERE judge_id > 0;

    """
}

extension PostgresSchema {
  /// The same step as that of SQLite.
  static let matchWitnesses = Migration.matchWitnesses.replacing("INTEGER", with: "bigint")
}
