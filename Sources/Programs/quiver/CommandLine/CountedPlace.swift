import QuiverRPC
import QuiverWire

/// Errors of the server about ends and arrows, in the numbers of the command line.
enum CountedPlace {
  /// The error with an operand as it was typed in place of the path of its field, and with limits
  /// that count from 1: `END 99: must be at most 20` for `operations[0].end_index: must be below
  /// 20`.
  ///
  /// - Parameter typed: the operands by the name of the field, or by `value[2]` for the third
  ///   element of a list.
  static func inWords(_ error: RPCError, _ typed: [String: (name: String, text: String)])
    -> RPCError
  {
    guard let place = ErrorPlace(error.message), place.path.contains(where: { "._".contains($0) })
    else { return error }
    var error = error
    error.message = sentence(error.message, typed)
    return error
  }

  /// The same of the text of a verdict.
  static func sentence(_ text: String, _ typed: [String: (name: String, text: String)]) -> String {
    guard let place = ErrorPlace(text), let field = place.fields.last,
      let operand = place.index.flatMap({ typed["\(field)[\($0)]"] }) ?? typed[field]
    else { return text }
    return fromOne(place.message(with: "\(operand.name) \(operand.text)"))
  }

  /// Limits that count from 0 as they are from 1.
  static func fromOne(_ text: String) -> String {
    text.replacing(/must be below ([0-9]+)/) { "must be at most \($0.1)" }
      .replacing(/must be from 0 to ([0-9]+)/) { match in
        "must be from 1 to \((Int(match.1) ?? 0) + 1)"
      }
  }
}
