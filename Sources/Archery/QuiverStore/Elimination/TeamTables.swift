extension SQLiteSchema {
  /// Stages of teams and of groups.
  ///
  /// A team is an entrant whose `participant_id` is 0: its name is in `event_team`, its members are
  /// in `event_team_member`. A stage with a `group_count` is no bracket: the `round_size` of its
  /// matches is the number of their group.
  static let teams = """
    CREATE TABLE event_team (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      event_id INTEGER NOT NULL,
      stage_id INTEGER NOT NULL,
      seed INTEGER NOT NULL,
      name TEXT NOT NULL
    );
    CREATE UNIQUE INDEX event_team_by_seed ON event_team (stage_id, seed);
    CREATE INDEX event_team_by_event ON event_team (event_id, id);

    CREATE TABLE event_team_member (
      stage_id INTEGER NOT NULL,
      seed INTEGER NOT NULL,
      place INTEGER NOT NULL,
      event_id INTEGER NOT NULL,
      participant_id INTEGER NOT NULL,
      PRIMARY KEY (stage_id, seed, place)
    ) WITHOUT ROWID;
    CREATE UNIQUE INDEX event_team_member_once ON event_team_member (stage_id, participant_id);
    CREATE INDEX event_team_member_by_event ON event_team_member (event_id);

    """
}

extension CountedTable {
  /// The tables of migration 25; they count for the organiser of the event.
  static let teams: [CountedTable] = [
    ofEvent("event_team", fixed: 128, ["name"]), ofEvent("event_team_member", fixed: 96, []),
  ]
}
