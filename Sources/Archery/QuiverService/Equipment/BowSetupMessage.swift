import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore

extension BowSetup: ObjectMessage {
  /// The proto field that holds a setup.
  static let fieldName = "bow_setup"

  init(_ record: BowSetupRecord) {
    self.init()
    id = record.id
    clientID = record.clientID
    name = record.name
    notes = record.notes
    isActive = record.isActive
    isDefault = record.isDefault
    version = UInt32(clamping: record.version)
    latestVersion = UInt32(clamping: record.latestVersion)
    versionMadeAtMilliseconds = record.versionMadeAtMilliseconds
    components = record.components.map(SetupComponent.init)
    createdAtMilliseconds = record.createdAtMilliseconds
    updatedAtMilliseconds = record.updatedAtMilliseconds
    revision = record.revision
  }

  /// The owner's fields; a new setup is inactive by default.
  func draft() throws -> BowSetupDraft {
    var draft = BowSetupDraft()
    draft.name = name
    draft.notes = notes
    draft.isActive = isActive ?? true
    draft.isDefault = isDefault
    for (place, component) in components.enumerated() {
      let path = "\(Self.fieldName).components[\(place)]"
      draft.components.append(try component.draft(path: path))
    }
    return draft
  }
}

extension SetupComponent {
  init(_ record: SetupComponentRecord) {
    self.init()
    equipmentID = record.part.equipmentID
    equipmentClientID = record.clientID
    type = QuiverAPI.EquipmentType(rawValue: record.part.type.rawValue)
    quantity = record.part.quantity
    displayBrand = record.displayBrand
    displayModel = record.displayModel
    deleted = record.isDeleted
  }

  /// The item that it names; `path` is its place in the request.
  func draft(path: String) throws -> BowSetupDraft.Component {
    let item = try ObjectReference.read(
      id: equipmentID, clientID: equipmentClientID, prefix: path + ".equipment_")
    let named = QuiverRules.EquipmentType(rawValue: type.rawValue)
    guard named != nil || type == .unspecified else {
      throw RPCError.invalid(path + ".type", "must be one of the ten types, or unspecified")
    }
    return BowSetupDraft.Component(item, type: named, quantity: quantity == 0 ? 1 : quantity)
  }
}

extension BowSetupItem {
  init(_ record: BowSetupItemRecord) {
    self.init()
    id = record.id
    clientID = record.clientID
    name = record.name
    isActive = record.isActive
    isDefault = record.isDefault
    version = UInt32(clamping: record.version)
    componentCount = UInt32(clamping: record.componentCount)
    revision = record.revision
    updatedAtMilliseconds = record.updatedAtMilliseconds
  }
}

extension HeldBySetups {
  /// The largest number of setups in a status detail, which keeps it below the limit of details.
  static let maximumCount = 50

  init(_ holders: [QuiverStore.HoldingSetup]) {
    self.init()
    setups = holders.prefix(Self.maximumCount).map { holder in
      var setup = QuiverAPI.HoldingSetup()
      setup.id = holder.id
      setup.name = holder.name
      return setup
    }
  }
}
