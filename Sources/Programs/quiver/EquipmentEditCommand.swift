import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// `quiver equipment edit`: sets and clears fields of one piece.
enum EquipmentEditCommand {
  private static let clear = Flag(
    "--clear", .words("FIELD"), "empties a field; may be given more than once")
  private static let revision = Flag(
    "--revision", .word("N"),
    "changes the piece only while it is at this revision; else the one that it has now")

  static let command = Command(
    "equipment edit", operands: "TYPE ID", summary: "change a piece of equipment",
    details: """
      TYPE is \(PieceType.list).
      What is not named stays. Where somebody else changed the piece meanwhile nothing is changed,
      and the command ends with 74. Days are written YYYY-MM-DD.
      """,
    flags: [clear, revision] + PieceField.flags + [.json, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(2...2, "TYPE and ID")
    let type = try PieceType.named(words[0], arguments)
    let id = try PieceText.id(words[1], arguments)
    var piece = DynamicMessage(type.schema)
    piece.set("id", .int64(id))
    let mask = try change(&piece, of: type, arguments)
    let wanted = try revisionGiven(arguments)
    let access = try Access(arguments)
    let read = try await access.attemptPlainly { () async throws(RPCError) in
      try await type.call("Get", id: id, access)
    }
    piece.set("revision", .uint64(wanted ?? read.revision))
    do throws(RPCError) {
      let changed = try await type.call("Update", piece, mask: mask, access)
      PieceText.say("changed", of: changed, type, arguments)
    } catch {
      guard error.code == .aborted else { throw access.plainFailure(error) }
      throw .call(
        RPCError(
          .aborted,
          "\(type.word) \(id) was changed meanwhile, and nothing was done; look at it by"
            + " quiver equipment show \(type.word) \(id) and try again",
          isNotProcessed: true, origin: .client))
    }
  }

  /// Puts what was given into the piece; answers the names of the fields to change.
  private static func change(
    _ piece: inout DynamicMessage, of type: PieceType, _ arguments: Arguments
  ) throws(Failure) -> [String] {
    var mask: [String] = []
    for (field, value) in try PieceField.given(of: type, arguments) {
      piece.set(field.schema.name, value)
      mask.append(field.schema.name)
    }
    for word in arguments.values(of: clear) {
      let fields = type.fields
      let meant = word.lowercased().replacing("_", with: "-")
      guard let field = fields.first(where: { $0.word == meant }) else {
        throw arguments.usage(
          "\(type.word) has no field \(word) to clear; it has "
            + fields.map(\.word).joined(separator: ", "))
      }
      guard !mask.contains(field.schema.name) else {
        throw arguments.usage("\(field.word) is named twice")
      }
      mask.append(field.schema.name)
    }
    guard !mask.isEmpty else { throw arguments.usage("nothing is given to change") }
    return mask
  }

  private static func revisionGiven(_ arguments: Arguments) throws(Failure) -> UInt64? {
    guard let text = arguments.value(of: revision) else { return nil }
    guard let number = UInt64(text), number > 0 else {
      throw arguments.usage("--revision wants a number above 0")
    }
    return number
  }
}
