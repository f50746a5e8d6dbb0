/// The texts of the audit: names of devices, and reasons.
///
/// A device belongs to who used it, also through a service. A reason belongs to who gave it and to
/// those whom it is about: the archer whose card, place or entry was changed, and the archers of a
/// match. Both have it in their exports, and it is erased with the account of either. The organiser
/// of an event has the reasons for its changes, also those that others gave.
enum AuditedTexts {
  /// Whether the texts of a row `a` are those of a principal, `?1`. The device of a binding is the
  /// name of its certificate.
  static let isOwn = """
    (a.principal_id = ?1
      OR a.kind = \(ObjectKind.certificateBinding.rawValue) AND a.topic = ?1)
    """

  /// Whether the card, the entry or the match of a row `a` is one of a principal, `?1`.
  static let isAbout = """
    (a.kind = \(ObjectKind.participant.rawValue) AND \(isOwnCard)
      OR a.kind = \(ObjectKind.eventMatch.rawValue) AND EXISTS (
        SELECT 1 FROM event_match m WHERE m.id = a.object_id
          AND EXISTS (\(ExportSection.entrants(of: "m")))))
    """

  /// Whether a row `a` tells of a share that a principal, `?1`, gave or received: it is for both.
  fileprivate static let isOfShare = """
    (a.kind IN (\(ObjectKind.actingGrant.rawValue), \(ObjectKind.shareInvite.rawValue))
      AND substr(a.action, 1, 6) = 'share.' AND (a.principal_id = ?1 OR a.topic = ?1))
    """

  fileprivate static let isOwnCard = """
    EXISTS (SELECT 1 FROM participant p WHERE p.id = a.object_id AND p.principal_id = ?1)
    """
}

extension ExportSection {
  private static let newestAudited = Query("SELECT max(sequence) FROM audit")

  /// The operations on a scorecard are in its history already.
  private static let audited = Query(
    """
    SELECT \(Snapshot.auditColumns) FROM audit a
    WHERE a.sequence > ?2 AND a.sequence <= ?3 AND ((a.reason <> '' OR a.device <> '')
        AND (\(AuditedTexts.isOwn)
          OR a.reason <> '' AND (\(AuditedTexts.isAbout)
            OR a.kind = \(ObjectKind.tournament.rawValue) AND EXISTS (
              SELECT 1 FROM tournament t WHERE t.id = a.object_id AND t.principal_id = ?1)))
        AND NOT (substr(a.action, 1, 6) = 'arrow.' AND \(AuditedTexts.isOwnCard))
      OR \(AuditedTexts.isOfShare))
    ORDER BY a.sequence LIMIT ?4
    """)

  /// Rows of the audit with a text of the principal, or with a reason about it, and those of its
  /// shares. The audit has no index for this: it is searched.
  static let actions = ExportSection(number: 41) {
    (snapshot, principal, after, limit) throws(StoreError) in
    let newest = try snapshot.first(newestAudited) { row in row.int64(0) } ?? 0
    let last = min(newest, after.id + StoreLimits.searchedExportRows)
    let found = try snapshot.all(
      audited, .integer(principal), .integer(after.id), .integer(last), .integer(limit),
      map: AuditRecord.init(row:))
    var rows = ExportRows()
    for record in found where !rows.exceedPage {
      rows.append(.action(record.exported(to: principal)), at: ExportPlace(41, id: record.sequence))
    }
    if Int64(found.count) < limit, last < newest {
      StoreLimit.searchedExportRows.reach()
      rows.searchedTo = ExportPlace(41, id: last)
    }
    return rows
  }
}

extension AuditRecord {
  /// The device and the token of another principal are its own.
  fileprivate func exported(to reader: Int64) -> AuditRecord {
    guard principal != reader else { return self }
    var entry = entry
    if entry.kind != .certificateBinding { entry.device = "" }
    return AuditRecord(
      sequence: sequence, atMilliseconds: atMilliseconds, actor: actor, principal: principal,
      tokenID: 0, entry: entry)
  }
}
