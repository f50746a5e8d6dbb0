/// The schema of a store on SQLite, by scripts that stand with their features.
enum SQLiteSchema {
  /// Step 44: what new stores begin with. Its text never changes after its release; a change of the
  /// schema is a new step.
  static let script = scripts.joined()
}

extension Migration {
  /// The steps of a new store, in order. A released step never changes; add a new one.
  static let all: [Migration] = [
    Migration(number: 44, name: "the schema of step 44", script: SQLiteSchema.script),
    Migration(number: 45, name: "who agreed to corrections", script: correctionWitnesses),
    Migration(number: 46, name: "distances of cards", script: cardDistances),
    Migration(number: 47, name: "counts on paper", script: paperCounts),
    Migration(number: 48, name: "who agreed in matches", script: matchWitnesses),
    Migration(number: 49, name: "ends of owed arrows", script: endsOfOwedArrows),
    Migration(number: 50, name: "papers by scorers", script: papersByScorers),
  ]

  /// The steps of a store that was made before there was one script for a new one, from schema
  /// `oldestVersion` to the number of that script. A test compares what both make.
  static let older: [Migration] = [
    Migration(number: 39, name: "typed totals", script: typedTotals),
    Migration(number: 40, name: "rounds without arrows", script: pastRounds),
    Migration(number: 41, name: "what users let others read", script: sharing),
    Migration(number: 42, name: "visibility of events", script: visibility),
    Migration(number: 43, name: "shots of ties, fixed places", script: tieShots),
    Migration(number: 44, name: "blocked places, wheelchairs", script: sessionPlaces),
  ]

  /// The oldest schema that this version reads.
  static let oldestVersion: Int64 = 38

  /// SHA-256 of the checksums of the steps 1 to `oldestVersion`, one after another.
  static let checksumOfOldest: [UInt8] = [
    0xD4, 0x68, 0x73, 0xC1, 0x64, 0x80, 0x41, 0x46, 0xF5, 0x4A, 0xB2, 0xD5,
    0x6A, 0x7D, 0x44, 0x9A, 0xB5, 0x54, 0xEB, 0x18, 0x41, 0xFE, 0x98, 0xC0,
    0x51, 0x9B, 0xC1, 0xA0, 0xC6, 0x8E, 0x28, 0x9F,
  ]

  private static let correctionWitnesses = """
    ALTER TABLE tournament ADD COLUMN correction_consent INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE scoring_operation ADD COLUMN witness_id INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE scoring_operation ADD COLUMN judge_id INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX scoring_operation_by_witness ON scoring_operation (witness_id, id)
      WHERE witness_id > 0;
    CREATE INDEX scoring_operation_by_judge ON scoring_operation (judge_id, id)
      WHERE judge_id > 0;
    ALTER TABLE card_operation ADD COLUMN witness_id INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE card_operation ADD COLUMN judge_id INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX card_operation_by_witness ON card_operation (witness_id, participant_id)
      WHERE witness_id > 0;
    CREATE INDEX card_operation_by_judge ON card_operation (judge_id, participant_id)
      WHERE judge_id > 0;

    """

  private static let typedTotals = """
    ALTER TABLE participant ADD COLUMN missing_counts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE participant ADD COLUMN typed_passes INTEGER NOT NULL DEFAULT 0;

    \(SQLiteSchema.typedTotals)
    \(CountedTable.typedTotals.triggers)
    """

  private static let pastRounds = """
    ALTER TABLE round ADD COLUMN shoot_status INTEGER NOT NULL DEFAULT 0;

    """

  private static let sharing = """
    ALTER TABLE acting_grant ADD COLUMN until_day INTEGER;
    ALTER TABLE acting_grant ADD COLUMN ends_at_ms INTEGER;
    ALTER TABLE acting_grant ADD COLUMN last_read_at_ms INTEGER NOT NULL DEFAULT 0;

    \(SQLiteSchema.sharing)
    \(CountedTable.shareInvites.triggers)
    """

  /// An event from before keeps full names.
  private static let visibility = """
    ALTER TABLE tournament ADD COLUMN is_listed INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tournament ADD COLUMN is_joinable INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tournament ADD COLUMN public_names INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tournament ADD COLUMN junior_names INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tournament ADD COLUMN boards_end_day INTEGER NOT NULL DEFAULT 0;
    UPDATE tournament SET is_listed = is_public, is_joinable = is_public, junior_names = 1;
    DROP INDEX tournament_public;
    CREATE INDEX tournament_listed ON tournament (id) WHERE is_listed = 1;
    ALTER TABLE participant ADD COLUMN public_name TEXT NOT NULL DEFAULT '';
    ALTER TABLE event_entry ADD COLUMN bowstyle INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE event_entry ADD COLUMN gender INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE event_entry ADD COLUMN age_group INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE event_entry ADD COLUMN face_layout INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE event_entry ADD COLUMN public_name INTEGER NOT NULL DEFAULT 0;

    """

  private static let tieShots = """
    ALTER TABLE event_tie ADD COLUMN arrows BLOB;
    ALTER TABLE event_tie ADD COLUMN distances BLOB;
    ALTER TABLE event_entry ADD COLUMN is_fixed INTEGER NOT NULL DEFAULT 0;

    """

  private static let sessionPlaces = """
    ALTER TABLE event_session ADD COLUMN blocked_places TEXT NOT NULL DEFAULT '';
    ALTER TABLE event_session ADD COLUMN wheelchair_targets TEXT NOT NULL DEFAULT '';
    ALTER TABLE event_entry ADD COLUMN uses_wheelchair INTEGER NOT NULL DEFAULT 0;

    """
}
