/// Who must agree to the correction of an arrow in an end that has all its arrows; the raw values
/// are those of `quiver.v1.CorrectionConsent`, and are stored.
package enum CorrectionConsent: Int32, Sendable, CaseIterable {
  case nobody = 1
  /// Another archer, or an organiser or a judge, whom the correction names.
  case witness = 2
  /// An organiser or a judge, who makes the correction.
  case judge = 3

  /// Nil for 0, which is nobody.
  package static func checked(
    _ number: Int32, field: String
  ) throws(StoreError) -> CorrectionConsent? {
    guard number != 0 else { return nil }
    guard let consent = CorrectionConsent(rawValue: number) else {
      throw .invalid(field, "must be nobody, witness or judge, or 0")
    }
    return consent
  }
}

/// Who agreed to a correction: another participant of the event, or an organiser or a judge.
///
/// The name is read from where it is stored, so that it is erased with its account.
package struct CorrectionWitness: Sendable, Equatable {
  /// 0: a judge agreed.
  package var participant: Int64 = 0
  /// The id of the principal of an organiser or a judge; 0: a participant agreed.
  package var judge: Int64 = 0
  package fileprivate(set) var name = ""
  /// To whom the agreement belongs in an export.
  private(set) var principal: Int64 = 0
  fileprivate var publicName = ""

  /// Nil where nobody is named; `path` is the prefix of the fields.
  package init?(participant: Int64, judge: Int64, path: String) throws(StoreError) {
    for (id, field) in [(participant, "witness_id"), (judge, "judge_id")] where id < 0 {
      throw .invalid(path + field, "must not be negative")
    }
    guard participant == 0 || judge == 0 else {
      throw .invalid(path + "judge_id", "must not be given with witness_id")
    }
    guard participant != 0 || judge != 0 else { return nil }
    self.participant = participant
    self.judge = judge
  }

  /// The columns of a row of operations, whose alias is `o`.
  static let columns = """
    o.witness_id, o.judge_id,
    CASE WHEN o.witness_id > 0 THEN
      (SELECT w.display_name FROM participant w WHERE w.id = o.witness_id)
      WHEN o.judge_id > 0 THEN
      (SELECT j.display_name FROM principal j WHERE j.id = o.judge_id) END,
    CASE WHEN o.witness_id > 0 THEN
      (SELECT w.public_name FROM participant w WHERE w.id = o.witness_id) END,
    CASE WHEN o.witness_id > 0 THEN
      (SELECT w.principal_id FROM participant w WHERE w.id = o.witness_id) ELSE o.judge_id END
    """

  /// Reads these columns, which start at the given one; nil where nobody agreed.
  init?(_ row: Row, from first: Int32) {
    participant = row.int64(first)
    judge = row.int64(first + 1)
    guard participant > 0 || judge > 0 else { return nil }
    name = row.text(first + 2)
    if name.isEmpty { name = "Archer \(max(participant, judge))" }
    publicName = row.text(first + 3)
    principal = row.int64(first + 4)
  }

  /// As it is shown to a reader of the event. A judge is named to who has a part in it.
  func shown(to reader: NameReader) -> CorrectionWitness {
    guard reader == .everybody else { return self }
    var shown = self
    if judge > 0 { shown.name = "" } else if !publicName.isEmpty { shown.name = publicName }
    return shown
  }

  /// What the audit has, whose rows cannot be erased: the id.
  var auditText: String {
    participant > 0 ? " / witness \(participant)" : " / judge \(judge)"
  }
}

extension OperationRecord {
  func shown(to reader: NameReader) -> OperationRecord {
    guard let witness else { return self }
    var shown = self
    shown.witness = witness.shown(to: reader)
    return shown
  }

  /// What belongs to who agreed: not the device, which is that of somebody else.
  var asAgreed: OperationRecord {
    var agreed = self
    agreed.device = ""
    return agreed
  }
}

extension CardEndRecord {
  func shown(to reader: NameReader) -> CardEndRecord {
    guard let witness else { return self }
    var shown = self
    shown.witness = witness.shown(to: reader)
    return shown
  }
}

extension Transaction {
  /// Throws unless who is named as having agreed is another participant of the event than the
  /// archer, or rules over its cards.
  func check(
    _ witness: CorrectionWitness, at place: ScoringPlace, path: String
  ) throws(StoreError) {
    let archer = place.participant
    let field = path + (witness.judge > 0 ? "judge_id" : "witness_id")
    guard place.event != nil else { throw .invalid(field, "is of events alone") }
    let own = archer.kind == .user ? archer.principal : 0
    guard witness.judge == 0 else {
      guard witness.judge != own, try snapshot.isJudge(witness.judge, at: place) else {
        throw .invalid(field, "must be another organiser or judge of the event")
      }
      return
    }
    let found = try snapshot.participant(id: witness.participant)
    guard let found, found.sessionID == archer.sessionID, found.id != archer.id,
      found.kind != .user || found.principal != own
    else { throw .invalid(field, "must be another participant of the event") }
  }

  /// Who must agree to a correction by the caller that names this witness; nil: nobody else.
  func missingConsent(
    _ witness: CorrectionWitness?, at place: ScoringPlace
  ) throws(StoreError) -> CorrectionConsent? {
    switch place.event?.consent {
    case nil, .nobody: return nil
    case .witness where witness != nil: return nil
    case .witness, .judge: return try isJudge(at: place) ? nil : place.event?.consent
    }
  }
}

extension CorrectionConsent {
  /// The refusal of a correction to which nobody has agreed.
  func refusal(path: String) -> StoreError {
    switch self {
    case .judge:
      StoreError(
        .failedPrecondition,
        "in this event an organiser or a judge corrects an end that has all its arrows",
        field: path + "judge_id")
    case .witness, .nobody:
      StoreError(
        .failedPrecondition,
        "in this event another archer, or a judge, must agree to the correction of an end that"
          + " has all its arrows: name the one who did",
        field: path + "witness_id")
    }
  }
}

extension PostgresSchema {
  /// Step 45: who agreed to corrections.
  static let correctionWitnesses = """
    ALTER TABLE tournament ADD COLUMN correction_consent bigint NOT NULL DEFAULT 0;
    ALTER TABLE scoring_operation ADD COLUMN witness_id bigint NOT NULL DEFAULT 0;
    ALTER TABLE scoring_operation ADD COLUMN judge_id bigint NOT NULL DEFAULT 0;
    CREATE INDEX scoring_operation_by_witness ON scoring_operation (witness_id, id)
      WHERE witness_id > 0;
    CREATE INDEX scoring_operation_by_judge ON scoring_operation (judge_id, id)
      WHERE judge_id > 0;
    ALTER TABLE card_operation ADD COLUMN witness_id bigint NOT NULL DEFAULT 0;
    ALTER TABLE card_operation ADD COLUMN judge_id bigint NOT NULL DEFAULT 0;
    CREATE INDEX card_operation_by_witness ON card_operation (witness_id, participant_id)
      WHERE witness_id > 0;
    CREATE INDEX card_operation_by_judge ON card_operation (judge_id, participant_id)
      WHERE judge_id > 0;
    """
}
