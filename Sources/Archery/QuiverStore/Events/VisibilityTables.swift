extension Migration {
  /// Who sees an event and how it shows names, and what an entry says of its archer.
  ///
  /// `is_public` of an event is whether everybody may watch it. `public_names` and `junior_names`
  /// are 0 for what is usual: full names, and initials of archers under 18. An event from before
  /// keeps full names. `boards_end_day` is 0 for none. `public_name` of a participant is what is
  /// shown to who has no part in the event; empty: the name itself. That of an entry is what was
  /// chosen for it, and 0 where nothing was; so are its other numbers.
  static let visibility = """
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
}

extension PostgresSchema {
  /// The same step.
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
