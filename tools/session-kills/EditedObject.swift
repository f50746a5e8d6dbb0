/// The name of an object that a device edits. No two objects of a run have the same.
struct EditedObject: Hashable, Comparable, CustomStringConvertible {
  let kind: Kind
  /// The name of the device and a number.
  let name: String

  /// The kinds of objects. Each value of an object is one line of text.
  enum Kind: String, CaseIterable {
    /// The model is the name; the value has the notes and whether it is archived.
    case riser
    /// A riser that setups have, which is never deleted.
    case held
    /// The name is the name; the value has the notes and the model of the riser.
    case setup
    /// The note is the name; the value is the weight, or says that it is deleted.
    case weight
    /// The day is the name; the value has the weight and the repetitions.
    case lift
    /// The notes are the name; the value is the mark.
    case mark
    /// The place is the name; the value has the weather and the arrows.
    case round
    /// The plan of the first device's user; the value has the start and the goal.
    case plan
    /// The profile of the first device's user; the value has the display name and the units.
    case profile
  }

  var description: String { "\(kind.rawValue) \(name)" }

  static func < (left: EditedObject, right: EditedObject) -> Bool {
    (left.kind.rawValue, left.name) < (right.kind.rawValue, right.name)
  }
}

/// A line of a device's output.
enum DeviceLine: Equatable {
  /// The store has an object with this value.
  case has(EditedObject, String)
  /// A change needs the user's attention, which no change of a run should.
  case attention(String)
  /// All objects were printed.
  case ready
  /// An edit begins, after which the object has this value; nil: it is deleted.
  case begin(EditedObject, String?)
  /// The method of the edit has returned.
  case done

  private static let separator: Character = "\t"
  private static let deleted = "-"

  var text: String {
    switch self {
    case .has(let object, let value):
      ["has", object.kind.rawValue, object.name, value].joined(separator: "\t")
    case .attention(let reason): "attention\t\(reason)"
    case .ready: "ready"
    case .begin(let object, let value):
      ["begin", object.kind.rawValue, object.name, value ?? Self.deleted].joined(separator: "\t")
    case .done: "done"
    }
  }

  init?(_ line: Substring) {
    let words = line.split(separator: Self.separator, omittingEmptySubsequences: false)
      .map(String.init)
    switch (words.first, words.count) {
    case ("ready", 1): self = .ready
    case ("done", 1): self = .done
    case ("attention", 2): self = .attention(words[1])
    case ("has", 4), ("begin", 4):
      guard let kind = EditedObject.Kind(rawValue: words[1]) else { return nil }
      let object = EditedObject(kind: kind, name: words[2])
      self =
        words[0] == "has"
        ? .has(object, words[3])
        : .begin(object, words[3] == Self.deleted ? nil : words[3])
    default: return nil
    }
  }
}
