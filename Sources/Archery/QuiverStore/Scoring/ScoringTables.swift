extension SQLiteSchema {
  /// Formats, sessions with participants and rounds, arrows, and the operations that set them.
  ///
  /// The row and the passes of a format never change. A participant has exactly one round. Its
  /// tally is stored beside it, in the transaction that changes an arrow; columns `n0` to `n11`
  /// count its arrows by value, and `operation_count` its operations, so that checking the limit is
  /// one read. `turn_order` is the order in which a scorer goes from one participant to the next:
  /// four times the target, and the letter; 0 without a place. `public_name` is what is shown to
  /// who has no part in the event; empty: the name itself. `first_shot_ms` of a round is the
  /// earliest time that a client reported, `shoot_status` what a round without arrows was shot in;
  /// 0: not known. So are the conditions of a session and the `shaft` of an arrow.
  static let scoring = """
    CREATE TABLE round_format (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      principal_id INTEGER NOT NULL,
      client_id BLOB,
      is_listed INTEGER NOT NULL,
      codename TEXT NOT NULL,
      arrow_limit INTEGER NOT NULL,
      name TEXT NOT NULL,
      location INTEGER NOT NULL,
      body TEXT NOT NULL,
      created_at_ms INTEGER NOT NULL
    );
    CREATE INDEX round_format_own ON round_format (principal_id, id) WHERE is_listed = 1;
    CREATE UNIQUE INDEX round_format_of_library ON round_format (codename, arrow_limit)
      WHERE principal_id = 0;

    CREATE TABLE format_pass (
      format_id INTEGER NOT NULL,
      pass_index INTEGER NOT NULL,
      arrow_count INTEGER NOT NULL,
      arrows_per_end INTEGER NOT NULL,
      distance REAL NOT NULL,
      unit INTEGER NOT NULL,
      face INTEGER NOT NULL,
      diameter_cm REAL NOT NULL,
      PRIMARY KEY (format_id, pass_index)
    ) WITHOUT ROWID;

    CREATE TABLE shooting_session (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      principal_id INTEGER NOT NULL,
      client_id BLOB,
      format_id INTEGER NOT NULL,
      is_tournament INTEGER NOT NULL,
      created_at_ms INTEGER NOT NULL,
      notes TEXT NOT NULL,
      place TEXT NOT NULL DEFAULT '',
      weather INTEGER NOT NULL DEFAULT 0,
      wind INTEGER NOT NULL DEFAULT 0,
      light INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX shooting_session_by_principal
      ON shooting_session (principal_id, is_tournament, id);

    CREATE TABLE participant (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      session_id INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      principal_id INTEGER NOT NULL,
      scorer_id INTEGER NOT NULL DEFAULT 0,
      status INTEGER NOT NULL,
      next_end INTEGER NOT NULL DEFAULT 0,
      total INTEGER NOT NULL DEFAULT 0,
      x_count INTEGER NOT NULL DEFAULT 0,
      gold_count INTEGER NOT NULL DEFAULT 0,
      arrow_count INTEGER NOT NULL DEFAULT 0,
      ends_completed INTEGER NOT NULL DEFAULT 0,
      n0 INTEGER NOT NULL DEFAULT 0, n1 INTEGER NOT NULL DEFAULT 0,
      n2 INTEGER NOT NULL DEFAULT 0, n3 INTEGER NOT NULL DEFAULT 0,
      n4 INTEGER NOT NULL DEFAULT 0, n5 INTEGER NOT NULL DEFAULT 0,
      n6 INTEGER NOT NULL DEFAULT 0, n7 INTEGER NOT NULL DEFAULT 0,
      n8 INTEGER NOT NULL DEFAULT 0, n9 INTEGER NOT NULL DEFAULT 0,
      n10 INTEGER NOT NULL DEFAULT 0, n11 INTEGER NOT NULL DEFAULT 0,
      last_active_at_ms INTEGER NOT NULL,
      joined_at_ms INTEGER NOT NULL,
      client_id BLOB,
      display_name TEXT NOT NULL,
      turn_order INTEGER NOT NULL DEFAULT 0,
      operation_count INTEGER NOT NULL DEFAULT 0,
      card_state INTEGER NOT NULL DEFAULT 0,
      turn_session INTEGER NOT NULL DEFAULT 0,
      missing_counts INTEGER NOT NULL DEFAULT 0,
      typed_passes INTEGER NOT NULL DEFAULT 0,
      public_name TEXT NOT NULL DEFAULT ''
    );
    CREATE INDEX participant_by_session ON participant (session_id, id);
    CREATE INDEX participant_by_principal ON participant (principal_id, session_id, kind, id);
    CREATE INDEX participant_own_turn ON participant (session_id, principal_id, turn_session,
      next_end, turn_order, id) WHERE status = 1;
    CREATE INDEX participant_scorer_turn ON participant (session_id, scorer_id, turn_session,
      next_end, turn_order, id) WHERE status = 1 AND scorer_id <> 0;

    CREATE TABLE round (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      participant_id INTEGER NOT NULL UNIQUE,
      session_id INTEGER NOT NULL,
      principal_id INTEGER NOT NULL,
      format_id INTEGER NOT NULL,
      setup_id INTEGER,
      setup_version INTEGER,
      status INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      started_at_ms INTEGER,
      completed_at_ms INTEGER,
      first_shot_ms INTEGER,
      bowstyle INTEGER NOT NULL DEFAULT 0,
      shoot_status INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX round_by_principal ON round (principal_id, id) WHERE principal_id <> 0;
    CREATE INDEX round_by_setup ON round (setup_id, id) WHERE setup_id IS NOT NULL;
    CREATE INDEX round_by_first_shot ON round (principal_id, first_shot_ms)
      WHERE principal_id <> 0 AND first_shot_ms IS NOT NULL;

    CREATE TABLE scored_arrow (
      round_id INTEGER NOT NULL,
      end_index INTEGER NOT NULL,
      arrow_index INTEGER NOT NULL,
      pass_index INTEGER NOT NULL,
      operation_id INTEGER NOT NULL,
      is_retracted INTEGER NOT NULL,
      value INTEGER NOT NULL,
      is_x INTEGER NOT NULL,
      x REAL,
      y REAL,
      input INTEGER NOT NULL,
      is_flagged INTEGER NOT NULL,
      scored_at_ms INTEGER NOT NULL,
      received_at_ms INTEGER NOT NULL,
      shaft INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (round_id, end_index, arrow_index)
    ) WITHOUT ROWID;

    CREATE TABLE scoring_operation (
      id INTEGER PRIMARY KEY,
      participant_id INTEGER NOT NULL,
      session_id INTEGER NOT NULL,
      principal_id INTEGER NOT NULL,
      state INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      end_index INTEGER NOT NULL,
      arrow_index INTEGER NOT NULL,
      value INTEGER,
      is_x INTEGER NOT NULL,
      x REAL,
      y REAL,
      input INTEGER NOT NULL,
      is_flagged INTEGER NOT NULL,
      replaces_id INTEGER,
      replaces_client_id BLOB,
      stands_for_id INTEGER,
      scored_at_ms INTEGER NOT NULL,
      received_at_ms INTEGER NOT NULL,
      applied_at_ms INTEGER,
      client_id BLOB,
      reason TEXT NOT NULL,
      device TEXT NOT NULL,
      ruling TEXT NOT NULL,
      shaft INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX scoring_operation_by_participant ON scoring_operation (participant_id, id);
    CREATE INDEX scoring_operation_late ON scoring_operation (session_id, id) WHERE state = 2;
    CREATE INDEX scoring_operation_ruled ON scoring_operation (session_id, id)
      WHERE ruling <> '';
    CREATE INDEX scoring_operation_by_client_id ON scoring_operation (client_id, principal_id)
      WHERE client_id IS NOT NULL;

    CREATE TABLE scoring_count (
      principal_id INTEGER PRIMARY KEY,
      formats INTEGER NOT NULL,
      sessions INTEGER NOT NULL,
      tournaments INTEGER NOT NULL
    );

    """

  /// Tournaments, each with a session of the same id; their scorers; and the time of each status.
  ///
  /// A row of `status_change` with `participant_id` 0 belongs to the event. `is_public` is whether
  /// everybody may watch it. `public_names` and `junior_names` are 0 for what is usual: full names,
  /// and initials of archers under 18. `boards_end_day` is 0 for none.
  static let tournaments = """
    CREATE TABLE tournament (
      id INTEGER PRIMARY KEY,
      principal_id INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      status INTEGER NOT NULL,
      is_paused INTEGER NOT NULL,
      is_public INTEGER NOT NULL,
      join_code TEXT NOT NULL UNIQUE,
      max_participants INTEGER NOT NULL,
      guests_per_user INTEGER NOT NULL,
      guest_limit INTEGER NOT NULL,
      participant_count INTEGER NOT NULL,
      guest_count INTEGER NOT NULL,
      late_count INTEGER NOT NULL,
      tie_policy INTEGER NOT NULL,
      tie_policy_day INTEGER NOT NULL,
      started_at_ms INTEGER,
      finalised_at_ms INTEGER,
      name TEXT NOT NULL,
      lease_serial INTEGER NOT NULL DEFAULT 0,
      pause_id INTEGER NOT NULL DEFAULT 0,
      is_listed INTEGER NOT NULL DEFAULT 0,
      is_joinable INTEGER NOT NULL DEFAULT 0,
      public_names INTEGER NOT NULL DEFAULT 0,
      junior_names INTEGER NOT NULL DEFAULT 0,
      boards_end_day INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX tournament_by_organiser ON tournament (principal_id, id);
    CREATE INDEX tournament_listed ON tournament (id) WHERE is_listed = 1;

    CREATE TABLE tournament_scorer (
      tournament_id INTEGER NOT NULL,
      principal_id INTEGER NOT NULL,
      assigned_count INTEGER NOT NULL,
      PRIMARY KEY (tournament_id, principal_id)
    ) WITHOUT ROWID;
    CREATE INDEX tournament_scorer_by_principal
      ON tournament_scorer (principal_id, tournament_id);

    CREATE TABLE status_change (
      id INTEGER PRIMARY KEY,
      session_id INTEGER NOT NULL,
      participant_id INTEGER NOT NULL,
      status INTEGER NOT NULL,
      at_ms INTEGER NOT NULL
    );
    CREATE INDEX status_change_by_session ON status_change (session_id, participant_id, id);

    """
}

extension Table {
  static let ofScoring: [Table] = [
    // Deleted formats stay with the cards that were shot by them, and are exported there.
    Table(
      "round_format", key: .assigned, export: .sections([.formats, .sessions, .scorecards]),
      erasing: [.searched(5, setting: "is_listed = 0")],
      .integers("principal_id is_listed arrow_limit location created_at_ms"),
      .opaque("client_id?"),
      .text("codename", export: .included, erasure: .none(.isNotPersonal)),
      .text("name", export: .included, erasure: .shared("'Format ' || id")),
      .text("body", export: .included, erasure: .shared("''"))),
    Table(
      "format_pass", key: .columns("format_id pass_index"), export: .sections([.formats]),
      .integers("format_id pass_index arrow_count arrows_per_end unit face"),
      .reals("distance diameter_cm")),
    Table(
      "format_part", key: .columns("format_id number"), export: .sections([.categories]),
      .integers("format_id number first_pass first_end end_count")),
    Table(
      "shooting_session", key: .assigned, export: .sections([.sessions]),
      erasing: [
        .owned(3, where: "AND is_tournament = 0", setting: "weather = 0, wind = 0, light = 0")
      ],
      .integers("principal_id format_id is_tournament created_at_ms weather wind light"),
      .opaque("client_id?"), .texts("notes place", export: .included, erasure: .value("''"))),
    Table(
      "participant", key: .assigned, export: .sections([.scorecards, .entries]),
      .integers("session_id kind principal_id scorer_id status next_end total x_count gold_count"),
      .integers("arrow_count ends_completed n0 n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 n11"),
      .integers("last_active_at_ms joined_at_ms card_state turn_session turn_order"),
      .integers("operation_count missing_counts typed_passes"), .opaque("client_id?"),
      .text("display_name", export: .included, erasure: .value(ErasedParticipants.neutralName)),
      .text("public_name", export: .omitted(.isNotPersonal), erasure: .value("''"))),
    Table(
      "round", key: .assigned, export: .sections([.scorecards]),
      erasing: [.owned(4, setting: "setup_id = NULL, setup_version = NULL")],
      .integers("participant_id session_id principal_id format_id setup_id? setup_version?"),
      .integers("status revision started_at_ms? completed_at_ms? first_shot_ms? bowstyle"),
      .integers("shoot_status")),
    Table(
      "scored_arrow", key: .columns("round_id end_index arrow_index"),
      export: .sections([.scorecards]),
      .integers("round_id end_index arrow_index pass_index operation_id is_retracted value is_x"),
      .integers("input is_flagged scored_at_ms received_at_ms shaft"), .reals("x? y?")),
    // Those on the cards of others are in the audit.
    Table(
      "scoring_operation", key: .assigned,
      export: .sections([.scorecards, .rulings, .agreements]),
      .integers("participant_id session_id principal_id state kind end_index arrow_index value?"),
      .integers("is_x input is_flagged replaces_id? stands_for_id? scored_at_ms received_at_ms"),
      .integers("applied_at_ms? shaft witness_id judge_id"), .reals("x? y?"),
      .opaque("replaces_client_id? client_id?"),
      .texts("reason device ruling", export: .included, erasure: .value("''"))),
    Table(
      "scoring_count", key: .columns("principal_id"), export: .omitted(.isOfStore),
      .integers("principal_id formats sessions tournaments")),
  ]

  static let ofTournaments: [Table] = [
    Table(
      "tournament", key: .columns("id"), export: .sections([.tournaments]),
      .integers("id principal_id revision status is_paused is_public max_participants"),
      .integers("guests_per_user guest_limit participant_count guest_count late_count tie_policy"),
      .integers("tie_policy_day started_at_ms? finalised_at_ms? pause_id lease_serial is_listed"),
      .integers("is_joinable public_names junior_names boards_end_day correction_consent"),
      .integers("scorers_type_papers"),
      .text("join_code", export: .included, erasure: .none(.isNotPersonal)),
      .text("name", export: .included, erasure: .value("'Tournament ' || id"))),
    Table(
      "tournament_scorer", key: .columns("tournament_id principal_id"),
      export: .omitted(.isOfStore), .integers("tournament_id principal_id assigned_count")),
    Table(
      "status_change", key: .assigned, export: .omitted(.isScore),
      .integers("session_id participant_id status at_ms")),
  ]
}
