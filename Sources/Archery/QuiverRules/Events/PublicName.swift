/// How the name of an archer is shown to who has no part in an event: spectators, and callers who
/// only see it because it is public. The raw values are those of `quiver.v1.PublicName`, and are
/// stored; a greater one shows less.
package enum PublicName: Int32, Sendable, CaseIterable {
  case full = 1
  case initials = 2
  case bib = 3

  /// Which one applies to an archer.
  ///
  /// What was chosen for the archer comes first. Otherwise the event's applies, and for archers
  /// under 18 the one of the two that shows less.
  package static func applying(
    chosen: PublicName?, event: PublicName, juniors: PublicName, isUnder18: Bool
  ) -> PublicName {
    if let chosen { return chosen }
    guard isUnder18, juniors.rawValue > event.rawValue else { return event }
    return juniors
  }

  /// The text that is shown; nil: the name itself.
  ///
  /// An archer without a bib, and one whose name has no letter, gets a neutral name with the id.
  package func text(of name: String, bib: String, id: Int64) -> String? {
    let neutral = "Archer \(id)"
    switch self {
    case .full: return nil
    case .initials:
      let initials = Self.initials(of: name)
      return initials.isEmpty ? neutral : initials
    case .bib: return bib.isEmpty ? neutral : bib
    }
  }

  /// The first letter of each word, as in `A.-M. v. d. B.` of Anna-Maria van der Berg; digits count
  /// as letters. Words without a letter are left out.
  package static func initials(of name: String) -> String {
    let words = name.split(whereSeparator: \.isWhitespace).map { word in
      word.split(separator: "-").compactMap { part in
        part.first { $0.isLetter || $0.isNumber }.map { "\($0)." }
      }.joined(separator: "-")
    }
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

extension AgeDivision {
  /// Whether all archers of the age group are under 18.
  package var isUnder18: Bool {
    switch self {
    case .over50, .adult, .under21: false
    case .under18, .under16, .under15, .under14, .under12: true
    }
  }
}
