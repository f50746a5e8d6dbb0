import Foundation
import QuiverRules
import QuiverStore

/// A data directory with archers who have much, little and no data, each with a token.
enum EquipmentOwners {
  enum Owner: String, CaseIterable {
    case many = "10,000 items"
    case few = "10 items"
    case nobody = "no items"
    case manyWeights = "20,000 weight entries"
    case fewWeights = "2,000 weight entries"
    case manySets = "100,000 sets"
    case fewSets = "10,000 sets"

    var itemCount: Int {
      switch self {
      case .many: 10_000
      case .few: 10
      case .nobody, .manyWeights, .fewWeights, .manySets, .fewSets: 0
      }
    }
  }

  /// The file with the token of an archer whose data is in `folder`.
  static func tokenPath(of owner: Owner, in folder: URL) -> String {
    folder.appendingPathComponent("\(owner).token").path
  }

  /// Creates the data directory in `folder`, before a server starts.
  static func fill(_ folder: URL) throws {
    let data = folder.appendingPathComponent("data")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    let store = try Store(.unlimited(data.path))
    defer { store.close() }
    let nobody = CommandOptions(caller: CommandCaller(principal: 0))
    for owner in Owner.allCases {
      let archer = try store.perform(
        CreatePrincipal(kind: .user, displayName: owner.rawValue), nobody)
      let token = try store.perform(CreateToken(principal: archer.id, label: ""), nobody)
      try Data(token.secret.utf8).write(
        to: URL(fileURLWithPath: tokenPath(of: owner, in: folder)))
      let options = CommandOptions(caller: CommandCaller(principal: archer.id))
      for number in 0..<owner.itemCount {
        let type = QuiverRules.EquipmentType.allCases[number % 10]
        _ = try store.perform(CreateEquipment(item(type, number)), options)
      }
      try LoggedData.fill(store, owner, options)
    }
  }

  private static func item(
    _ type: QuiverRules.EquipmentType, _ number: Int
  ) -> EquipmentContent {
    var content = EquipmentContent(type: type)
    for field in EquipmentKind.of(type).fields where field.isRequired {
      switch field.content {
      case .enumeration: content.set(field.name, .integer(1))
      default: content.set(field.name, .text("Win&Win \(number)"))
      }
    }
    return content
  }
}
