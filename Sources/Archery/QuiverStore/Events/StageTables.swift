extension Migration {
  /// Decisions of ties by their number, the order of targets for scorers, and targets of matches.
  ///
  /// `turn_order` is the order in which a scorer goes from one participant to the next: four times
  /// the target, and the letter; 0 without a place.
  static let stages = """
    ALTER TABLE event_tie ADD COLUMN decision_id INTEGER NOT NULL DEFAULT 0;
    UPDATE event_tie SET decision_id = decided_at_ms;

    ALTER TABLE event_match ADD COLUMN first_target INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE event_match ADD COLUMN second_target INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE event_match ADD COLUMN starts_at_ms INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX event_match_by_start ON event_match (event_id, starts_at_ms)
      WHERE starts_at_ms > 0;

    ALTER TABLE participant ADD COLUMN turn_order INTEGER NOT NULL DEFAULT 0;
    UPDATE participant SET turn_order = (
        SELECT e.target * 4 + e.letter FROM event_entry e WHERE e.id = participant.id)
      WHERE id IN (SELECT id FROM event_entry WHERE target > 0);
    DROP INDEX participant_own_turn;
    DROP INDEX participant_scorer_turn;
    CREATE INDEX participant_own_turn ON participant (session_id, principal_id, next_end,
      turn_order, id) WHERE status = 1;
    CREATE INDEX participant_scorer_turn ON participant (session_id, scorer_id, next_end,
      turn_order, id) WHERE status = 1 AND scorer_id <> 0;
    """
}
