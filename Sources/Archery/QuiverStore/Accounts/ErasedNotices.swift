/// What a deleted account has written to the archers of events. A pause stays, without its reason.
extension ErasureStep {
  static let notices: [ErasureStep] = [
    .rows(
      18,
      Query("SELECT id FROM event_notice WHERE author_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3"),
      [word("message", "event_notice"), Query("DELETE FROM event_notice WHERE id = ?2")]),
    .rows(
      19,
      Query("SELECT id FROM event_pause WHERE started_by = ?1 AND id > ?2 ORDER BY id LIMIT ?3"),
      [word("reason", "event_pause"), Query("UPDATE event_pause SET reason = '' WHERE id = ?2")]),
  ]
}
