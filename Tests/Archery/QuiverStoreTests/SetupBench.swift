import QuiverRules
import QuiverSQLite
import QuiverStore
import TestSupport
import Testing

/// A store of one archer who puts setups together.
struct SetupBench {
  let store: Store
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    store = try directory.open()
  }

  @discardableResult
  func perform<C: Command>(_ command: C, _ principal: Int64 = 1) throws -> C.Reply {
    try store.perform(command, .of(principal))
  }

  func item(_ type: EquipmentType, _ principal: Int64 = 1) throws -> Int64 {
    try perform(CreateEquipment(.example(type)), principal).id
  }

  func setup(
    _ name: String, _ items: [Int64], _ principal: Int64 = 1
  ) throws -> BowSetupRecord {
    var draft = BowSetupDraft()
    draft.name = name
    draft.components = items.map { .init(.id($0)) }
    return try perform(CreateBowSetup(draft), principal)
  }

  func read(
    _ id: Int64, version: Int64 = 0, _ principal: Int64 = 1
  ) throws -> BowSetupRecord {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.bowSetup(.id(id), version: version, principal: principal)
    }
  }

  func useCount(_ id: Int64, _ type: EquipmentType) throws -> UInt32 {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipment(type, .id(id), principal: 1).setupUseCount
    }
  }

  func marks(_ owner: SightMarkOwner, _ principal: Int64 = 1) throws -> [SightMarkRecord] {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.sightMarks(of: owner, principal: principal)
    }
  }

  func itemIDs() throws -> [Int64] {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentItems(
        principal: 1, EquipmentFilter(includesArchived: true), pageSize: 500, pageToken: ""
      ).items.map(\.id)
    }
  }

  func activeCount(_ type: EquipmentType) throws -> Int64? {
    try store.read { (snapshot) throws(StoreError) in
      try snapshot.equipmentCounts(principal: 1).first { $0.type == type }?.active
    }
  }

  /// The ids of all pages of the setups' list.
  func list(pageSize: UInt32, includesInactive: Bool = false) throws -> [Int64] {
    var ids: [Int64] = []
    var token = ""
    repeat {
      let page = try store.read { [token] (snapshot) throws(StoreError) in
        try snapshot.bowSetups(
          principal: 1, includesInactive: includesInactive, pageSize: pageSize, pageToken: token)
      }
      ids += page.items.map(\.id)
      token = page.nextPageToken
    } while !token.isEmpty
    return ids
  }

  /// How many rows a table has.
  func rows(_ table: String) throws -> Int {
    let connection = try Connection(path: directory.databasePath, mode: .readOnly)
    return Int(try connection.value("SELECT count(*) FROM \(table)") ?? "") ?? -1
  }

  /// How `body` is refused; nil where it is not.
  func code<T>(_ body: () throws -> T) -> StoreError.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? StoreError)?.code ?? .internalError
    }
  }
}

extension EquipmentContent {
  /// An item of any type that says what it must.
  static func example(_ type: EquipmentType) -> EquipmentContent {
    var content = EquipmentContent(type: type, values: [.text("Hoyt"), .text("Formula")])
    for field in EquipmentKind.of(type).ownFields where field.isRequired {
      switch field.content {
      case .enumeration: content.set(field.name, .integer(1))
      default: content.set(field.name, .text("Hoyt"))
      }
    }
    return content
  }
}
