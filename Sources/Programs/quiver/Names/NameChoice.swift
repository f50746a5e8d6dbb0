/// Which of several objects a word of the command line names.
struct NameChoice: Sendable {
  let kind: NamedKind
  let objects: [NamedObject]

  /// What a text is found to be.
  enum Result: Sendable, Equatable {
    case object(NamedObject)
    /// Nothing else has this number as a name.
    case id(Int64)
    /// More than one object.
    case several([NamedObject])
    /// The number is the id of one object, and the key of others.
    case idAndKey(id: NamedObject, others: [NamedObject], key: String)
    case none
  }

  /// The number of objects that an error lists.
  private static let shownCount = 8

  /// The text as it is compared: in lower case, without characters that are not shown, with one
  /// space between two words.
  static func folded(_ text: String) -> String {
    Terminal.oneLine(text).lowercased().split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  /// The number of a text of digits; nil for others.
  static func number(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }

  /// The number behind `#`, which is always an id; nil for others.
  static func markedID(_ text: String) -> Int64? {
    text.hasPrefix("#") ? number(String(text.dropFirst())) : nil
  }

  /// The objects that have the text as a key or a name; else those whose name begins with it.
  func matches(_ text: String) -> [NamedObject] {
    let wanted = Self.folded(text)
    guard !wanted.isEmpty else { return [] }
    let joined = wanted.filter { $0 != " " }
    let exact = objects.filter { object in
      object.keys.contains { [wanted, joined].contains(Self.folded($0.text)) }
        || object.names.contains { Self.folded($0) == wanted }
    }
    // The first digits of a bib are no beginning of a name.
    guard exact.isEmpty, Self.number(wanted) == nil else { return exact }
    return objects.filter { object in
      object.names.contains { Self.folded($0).hasPrefix(wanted) }
    }
  }

  /// What the text means. `existing` is the object with the id that the text is, if it is none of
  /// ``objects``; nil: there is none.
  func result(_ text: String, existing: NamedObject? = nil) -> Result {
    if let id = Self.markedID(text) { return .id(id) }
    let found = matches(text)
    guard let number = Self.number(text) else {
      if found.count == 1 { return .object(found[0]) }
      return found.isEmpty ? .none : .several(found)
    }
    let others = found.filter { $0.id != number }
    guard let first = others.first else { return .id(number) }
    if let byID = objects.first(where: { $0.id == number }) ?? existing {
      return .idAndKey(id: byID, others: others, key: keyName(text, of: first))
    }
    return others.count == 1 ? .object(first) : .several(others)
  }

  /// What the text is of an object: `bib`, `code`, `name`.
  private func keyName(_ text: String, of object: NamedObject) -> String {
    object.keys.first { Self.folded($0.text) == Self.folded(text) }?.kind ?? "name"
  }

  /// Why a text names nothing; nil if it names one object. `argument` is its name on the command
  /// line, and `place` says where was looked, as in ` in Indoor`.
  func refusal(of text: String, _ result: Result, _ argument: String, in place: String) -> String? {
    let shown = Terminal.oneLine(text)
    switch result {
    case .object, .id: return nil
    case .several(let found):
      return "\(argument) \(shown) may be any of \(Self.list(found)); # before a number is an id"
    case .idAndKey(let object, let others, let key):
      return "\(argument) \(shown) is the id of \(object.label) and the \(key) of"
        + " \(Self.list(others)); #\(shown) is the id, as with --id"
    case .none:
      // Bibs and places are near to everything.
      let known = objects.flatMap { $0.names + (kind == .archer ? [] : $0.keys.map(\.text)) }
        .map(Terminal.oneLine)
      var sentence = "there is no \(kind.word) \(shown)\(place)"
      let question = Spelling.question(shown, among: Array(Set(known)))
      if !question.isEmpty {
        sentence += question
      } else if !objects.isEmpty, objects.count <= Self.shownCount {
        let labels = objects.map(\.label).joined(separator: ", ")
        sentence += objects.count == 1 ? "; there is \(labels)" : "; there are \(labels)"
      }
      return sentence
    }
  }

  private static func list(_ objects: [NamedObject]) -> String {
    let shown = objects.prefix(shownCount).map(\.labelWithID).joined(separator: ", ")
    let rest = objects.count - shownCount
    return rest > 0 ? "\(shown) and \(rest) more" : shown
  }
}
