import QuiverRules

extension SQLiteSchema {
  /// The common fields of all items of equipment, and a table for the fields of each type.
  ///
  /// Only old versions of setups have an item whose `deleted_at_ms` is set; the indexes of the
  /// lists omit it. A test compares the columns with `EquipmentKind`.
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
      notes TEXT,
      deleted_at_ms INTEGER
    );
    CREATE INDEX equipment_by_type ON equipment (principal_id, type, id, archived)
      WHERE deleted_at_ms IS NULL;
    CREATE INDEX equipment_by_principal ON equipment (principal_id, id, archived)
      WHERE deleted_at_ms IS NULL;
    CREATE INDEX equipment_deleted ON equipment (principal_id, id)
      WHERE deleted_at_ms IS NOT NULL;

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

extension Table {
  /// Each half of the items has its own index.
  private static func erasing(_ number: Int64, deleted condition: String) -> ErasedRows {
    let count = Query(
      """
      UPDATE equipment_count SET
        active = active - (
          SELECT CASE WHEN archived = 0 AND deleted_at_ms IS NULL THEN 1 ELSE 0 END
          FROM equipment WHERE id = ?2),
        archived = archived - (
          SELECT CASE WHEN archived <> 0 AND deleted_at_ms IS NULL THEN 1 ELSE 0 END
          FROM equipment WHERE id = ?2)
      WHERE principal_id = ?1 AND type = (SELECT type FROM equipment WHERE id = ?2)
      """)
    let fields = EquipmentKind.all.map { Query("DELETE FROM \($0.name) WHERE id = ?2") }
    return .owned(
      number, where: "AND deleted_at_ms \(condition)", after: [count] + fields,
      noting: .equipment)
  }

  /// Items that were deleted while old versions of setups have them are not exported.
  static let ofEquipment: [Table] = [
    Table(
      "equipment", key: .assigned, export: .sections([.equipment]),
      erasing: [
        erasing(20, deleted: "IS NULL"), erasing(21, deleted: "IS NOT NULL"),
      ],
      .integers("principal_id type revision archived created_at_ms updated_at_ms"),
      .integers("setup_use_count deleted_at_ms?"), .opaque("client_id?"),
      .texts("brand? model? notes?", export: .included, erasure: .withRow),
      .texts("display_brand display_model", export: .omitted(.isNotPersonal), erasure: .withRow)),
    Table(
      "equipment_count", key: .columns("principal_id type"), export: .omitted(.isOfStore),
      erasing: [.limited(44, key: "type")],
      .integers("principal_id type active archived")),
  ]

  /// The table of each type, with the fields of its kind.
  static let ofItems: [Table] = EquipmentKind.all.map { kind in
    Table(
      kind.name, key: .columns("id"), export: .sections([.equipment]),
      .integers("id"),
      kind.ownFields.flatMap { (field) -> [Column] in
        switch field.content {
        case .text: .text(field.name + "?", export: .included, erasure: .withRow)
        case .real: .reals(field.name + "?")
        case .integer, .enumeration, .day: .integers(field.name + "?")
        }
      })
  }
}
