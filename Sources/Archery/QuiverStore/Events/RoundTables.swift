extension SQLiteSchema {
  /// Qualification over several rounds.
  ///
  /// A round is a part of the card of an archer: a format of several rounds has a row for each of
  /// them, which never changes, with its first pass, its first end and the number of its ends. A
  /// session shoots one of the rounds of its categories, by their number. The places of the first
  /// round are in `event_entry`. `turn_session` of a participant is its session in the round of
  /// `next_end`, and `turn_order` the order of its place there.
  static let qualificationRounds = """
    CREATE TABLE format_part (
      format_id INTEGER NOT NULL,
      number INTEGER NOT NULL,
      first_pass INTEGER NOT NULL,
      first_end INTEGER NOT NULL,
      end_count INTEGER NOT NULL,
      PRIMARY KEY (format_id, number)
    ) WITHOUT ROWID;

    CREATE TABLE event_round_place (
      participant_id INTEGER NOT NULL,
      round INTEGER NOT NULL,
      event_id INTEGER NOT NULL,
      session_id INTEGER NOT NULL,
      target INTEGER NOT NULL,
      letter INTEGER NOT NULL,
      PRIMARY KEY (participant_id, round)
    ) WITHOUT ROWID;
    CREATE INDEX event_round_place_by_event ON event_round_place (event_id, participant_id);
    CREATE INDEX event_round_place_by_session
      ON event_round_place (event_id, session_id, participant_id);
    CREATE UNIQUE INDEX event_round_place_by_place
      ON event_round_place (session_id, target, letter) WHERE target > 0;

    """
}

extension PostgresSchema {
  /// Step 30: rounds of a qualification.
  static let qualificationRounds = """
    CREATE TABLE format_part (
      format_id bigint NOT NULL, number bigint NOT NULL, first_pass bigint NOT NULL,
      first_end bigint NOT NULL, end_count bigint NOT NULL, PRIMARY KEY (format_id, number)
    );
    ALTER TABLE event_session ADD COLUMN round bigint NOT NULL DEFAULT 1;
    CREATE TABLE event_round_place (
      participant_id bigint NOT NULL, round bigint NOT NULL, event_id bigint NOT NULL,
      session_id bigint NOT NULL, target bigint NOT NULL, letter bigint NOT NULL,
      PRIMARY KEY (participant_id, round)
    );
    CREATE INDEX event_round_place_by_event ON event_round_place (event_id, participant_id);
    CREATE INDEX event_round_place_by_session
      ON event_round_place (event_id, session_id, participant_id);
    CREATE UNIQUE INDEX event_round_place_by_place
      ON event_round_place (session_id, target, letter) WHERE target > 0;
    ALTER TABLE participant ADD COLUMN turn_session bigint NOT NULL DEFAULT 0;
    UPDATE participant SET turn_session = (
        SELECT e.session_id FROM event_entry e WHERE e.id = participant.id)
      WHERE id IN (SELECT id FROM event_entry WHERE session_id > 0);
    DROP INDEX participant_own_turn;
    DROP INDEX participant_scorer_turn;
    CREATE INDEX participant_own_turn ON participant (session_id, principal_id, turn_session,
      next_end, turn_order, id) WHERE status = 1;
    CREATE INDEX participant_scorer_turn ON participant (session_id, scorer_id, turn_session,
      next_end, turn_order, id) WHERE status = 1 AND scorer_id <> 0;

    \(CountedTable.roundPlaces.postgresTriggers)
    """
}

extension CountedTable {
  /// The table of migration 30 that counts, for the organiser of the event; parts of a format
  /// count with it.
  static let roundPlaces = ofEvent("event_round_place", fixed: 96, [])
}
