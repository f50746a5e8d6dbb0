import QuiverProtobuf
import QuiverRPC

/// `quiver equipment add`: a new piece.
enum EquipmentAddCommand {
  static let command = Command(
    "equipment add", operands: "TYPE", summary: "add a piece of equipment",
    details: """
      TYPE is \(PieceType.list).
      Most types want --brand and --model; string wants --maker and --string-type, weight
      --location and --name, accessory --name and --type. Days are written YYYY-MM-DD.
      """,
    flags: PieceField.flags + [.json, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(1...1, "one TYPE")
    let type = try PieceType.named(words[0], arguments)
    var piece = DynamicMessage(type.schema)
    for (field, value) in try PieceField.given(of: type, arguments) {
      piece.set(field.schema.name, value)
    }
    let access = try Access(arguments)
    let made = piece
    let added = try await access.attemptPlainly { () async throws(RPCError) in
      try await type.call("Create", made, access)
    }
    PieceText.say("added", of: added, type, arguments)
  }
}
