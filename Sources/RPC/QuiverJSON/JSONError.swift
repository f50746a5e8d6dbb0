/// A JSON text that is not an acceptable message: what is wrong and where, never the data.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  package let code: Code

  /// The place: a path of names as the text spells them, `riser.lengthIn` or `items[2]`, or for a
  /// text that is not JSON its line and column. Empty for the whole.
  package let place: String

  /// What is wrong there, as the end of a sentence.
  package let problem: String

  package enum Code: Sendable, Hashable, CaseIterable {
    /// Not JSON.
    case syntax
    /// Larger or deeper than the limits allow.
    case limitExceeded
    /// A name that the message does not have.
    case unknownName
    /// A name that occurs twice, in whichever spelling.
    case duplicateName
    /// A value of the wrong kind.
    case wrongKind
    /// A number that the field cannot hold.
    case outOfRange
    /// Not a value of the enum, not base64.
    case wrongValue
  }

  init(_ code: Code, _ place: String, _ problem: String) {
    self.code = code
    self.place = place
    self.problem = problem
  }

  /// The same error of a value that is at `outer`: a name, or an index in brackets.
  func within(_ outer: String) -> JSONError {
    let rest = place.isEmpty || place.hasPrefix("[") ? place : "." + place
    return JSONError(code, outer + rest, problem)
  }

  package var description: String {
    place.isEmpty ? "the message \(problem)" : "\(place) \(problem)"
  }
}
