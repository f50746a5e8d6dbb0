extension PostgresSchema {
  /// Step 42: visibility of events.
  static let visibility = """
    ALTER TABLE tournament ADD COLUMN is_listed bigint NOT NULL DEFAULT 0;
    ALTER TABLE tournament ADD COLUMN is_joinable bigint NOT NULL DEFAULT 0;
    ALTER TABLE tournament ADD COLUMN public_names bigint NOT NULL DEFAULT 0;
    ALTER TABLE tournament ADD COLUMN junior_names bigint NOT NULL DEFAULT 0;
    ALTER TABLE tournament ADD COLUMN boards_end_day bigint NOT NULL DEFAULT 0;
    UPDATE tournament SET is_listed = is_public, is_joinable = is_public, junior_names = 1;
    DROP INDEX tournament_public;
    CREATE INDEX tournament_listed ON tournament (id) WHERE is_listed = 1;
    ALTER TABLE participant ADD COLUMN public_name text COLLATE "C" NOT NULL DEFAULT '';
    ALTER TABLE event_entry ADD COLUMN bowstyle bigint NOT NULL DEFAULT 0;
    ALTER TABLE event_entry ADD COLUMN gender bigint NOT NULL DEFAULT 0;
    ALTER TABLE event_entry ADD COLUMN age_group bigint NOT NULL DEFAULT 0;
    ALTER TABLE event_entry ADD COLUMN face_layout bigint NOT NULL DEFAULT 0;
    ALTER TABLE event_entry ADD COLUMN public_name bigint NOT NULL DEFAULT 0;
    """
}
