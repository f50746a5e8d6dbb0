import QuiverJSON
import QuiverProtobuf

/// One piece of equipment as people read it.
enum PieceText {
  /// Prints the piece as JSON, or a line that says what became of it.
  static func say(
    _ what: String, of piece: DynamicMessage, _ type: PieceType, _ arguments: Arguments
  ) {
    if arguments.has(.json) {
      Terminal.print(json(piece))
    } else {
      Terminal.print("\(type.word) \(piece.id) is \(what)")
    }
  }

  static func json(_ piece: DynamicMessage) -> String {
    MessageJSON(printsZeros: true, isPretty: true).text(of: piece)
  }

  /// What is set, a line each, under the names of the flags.
  static func table(_ piece: DynamicMessage, _ type: PieceType) -> String {
    var rows = [["type", type.word]]
    for field in piece.schema.fields where !field.name.hasPrefix("display_") {
      let field = PieceField(field)
      guard let value = piece[field.schema.name], let text = field.text(of: value) else { continue }
      let name = field.schema.name.hasSuffix("_at_ms") ? String(field.word.dropLast(6)) : field.word
      rows.append([name, text])
    }
    return Table.text(rows)
  }

  /// The id that an operand names.
  static func id(_ text: String, _ arguments: Arguments) throws(Failure) -> Int64 {
    guard let id = Int64(text), id > 0 else {
      throw arguments.usage("ID is a number above 0, as the lists show it, not \(text)")
    }
    return id
  }
}
