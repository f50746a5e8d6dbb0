import QuiverProtobuf
import QuiverRPC

/// `quiver equipment add`: a new item.
enum EquipmentAddCommand {
  static let command = Command(
    "equipment add", operands: "TYPE", summary: "add an item of equipment",
    details: """
      TYPE is \(ItemType.list).
      Most types need --brand and --model; string needs --maker and --string-type, weight
      --location and --name, accessory --name and --type. Days are written YYYY-MM-DD.
      """,
    flags: ItemField.flags + [.json, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(1...1, "one TYPE")
    let type = try ItemType.named(words[0], arguments)
    var item = DynamicMessage(type.schema)
    for (field, value) in try ItemField.given(of: type, arguments) {
      item.set(field.schema.name, value)
    }
    let access = try Access(arguments)
    let made = item
    let added = try await access.attemptPlainly { () async throws(RPCError) in
      try await type.call("Create", made, access)
    }
    try ItemText.printResult("added", of: added, type, arguments)
  }
}
