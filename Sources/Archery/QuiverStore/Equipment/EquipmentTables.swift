extension Migration {
  /// The common fields of all items of equipment, and a table for the fields of each type.
  ///
  /// A test compares the columns with `EquipmentKind`.
  static let equipment = """
    CREATE TABLE equipment (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      principal_id INTEGER NOT NULL,
      type INTEGER NOT NULL,
      client_id BLOB,
      revision INTEGER NOT NULL,
      archived INTEGER NOT NULL,
      created_at_ms INTEGER NOT NULL,
      updated_at_ms INTEGER NOT NULL,
      display_brand TEXT NOT NULL,
      display_model TEXT NOT NULL,
      setup_use_count INTEGER NOT NULL DEFAULT 0,
      brand TEXT,
      model TEXT,
      notes TEXT
    );
    CREATE INDEX equipment_by_type ON equipment (principal_id, type, id, archived);
    CREATE INDEX equipment_by_principal ON equipment (principal_id, id, archived);

    CREATE TABLE equipment_count (
      principal_id INTEGER NOT NULL,
      type INTEGER NOT NULL,
      active INTEGER NOT NULL,
      archived INTEGER NOT NULL,
      PRIMARY KEY (principal_id, type)
    ) WITHOUT ROWID;

    CREATE TABLE riser (
      id INTEGER PRIMARY KEY, length_in REAL, material TEXT, weight_g REAL, grip_type TEXT
    );
    CREATE TABLE limbs (
      id INTEGER PRIMARY KEY, poundage_lb REAL, limb_length INTEGER, length_in REAL, material TEXT,
      tiller_mm REAL, installed_on INTEGER
    );
    CREATE TABLE sight (id INTEGER PRIMARY KEY, type TEXT, material TEXT, adjustments TEXT);
    CREATE TABLE rest (
      id INTEGER PRIMARY KEY, type INTEGER, vertical_position_mm REAL, horizontal_position_mm REAL
    );
    CREATE TABLE plunger (
      id INTEGER PRIMARY KEY, tension TEXT, adjustment INTEGER, position_mm REAL
    );
    CREATE TABLE bow_string (
      id INTEGER PRIMARY KEY, maker TEXT, string_type TEXT, material TEXT, strand_count INTEGER,
      serving_material TEXT, length_in REAL, twists INTEGER, installed_on INTEGER
    );
    CREATE TABLE stabilizer (
      id INTEGER PRIMARY KEY, length_in REAL, weight_g REAL, straightness INTEGER, position INTEGER
    );
    CREATE TABLE weight (id INTEGER PRIMARY KEY, location TEXT, name TEXT, ounces REAL);
    CREATE TABLE arrow (
      id INTEGER PRIMARY KEY, spine INTEGER, length_in REAL, weight_gr REAL, diameter_mm REAL,
      quantity INTEGER, identifier TEXT, point_brand TEXT, point_name TEXT, point_weight_gr REAL,
      nock_brand TEXT, nock_name TEXT, nock_size TEXT, nock_weight_gr REAL, vanes TEXT
    );
    CREATE TABLE accessory (
      id INTEGER PRIMARY KEY, name TEXT, type INTEGER, purpose TEXT, size TEXT, thickness TEXT,
      material TEXT, travel TEXT
    );

    """
}
