/// Reads rounds of one organisation from lines of text.
///
/// A line is `codename; name; family; passes`, with the code of the face as a fifth part where it
/// is not the section's. Passes are separated by spaces: `72x122@100y` is 72 arrows at a face of
/// 122 cm at 100 yards, and `36x80@50/30m` is two passes of 36 arrows at 50 m and at 30 m.
///
/// A line in another form traps: the lines are part of the program, and a test reads them all.
struct RoundSection {
  private let location: RoundVenue
  private let body: String
  private let face: TargetFace
  private let arrowsPerEnd: Int

  /// `arrowsPerEnd` is the location's unless one is given.
  init(_ location: RoundVenue, _ body: String, _ face: TargetFace, arrowsPerEnd: Int? = nil) {
    self.location = location
    self.body = body
    self.face = face
    self.arrowsPerEnd = arrowsPerEnd ?? location.arrowsPerEnd
  }

  func rounds(_ lines: String) -> [RoundDefinition] {
    lines.split(separator: "\n").map(round)
  }

  private func round(_ line: Substring) -> RoundDefinition {
    let parts = line.split(separator: ";", omittingEmptySubsequences: false).map { part in
      String(part.drop { $0 == " " })
    }
    precondition(parts.count == 4 || parts.count == 5, "a round has four or five parts: \(line)")
    let face = parts.count == 5 ? TargetFace(code: parts[4]) : face
    guard let face else { preconditionFailure("no face has this code: \(line)") }
    let passes = parts[3].split(separator: " ").flatMap { self.passes($0, face) }
    return RoundDefinition(
      codename: parts[0], name: parts[1], location: location, body: body,
      family: parts[2].filter { $0 != " " }, passes: passes)
  }

  private func passes(_ text: Substring, _ face: TargetFace) -> [PassDefinition] {
    let sides = text.dropLast().split(separator: "@")
    let sizes = sides.first?.split(separator: "x") ?? []
    guard sides.count == 2, sizes.count == 2, let arrows = Int(sizes[0]),
      let diameter = Double(sizes[1])
    else { preconditionFailure("a pass is arrows, face and distances: \(text)") }
    let unit: LengthUnit
    switch text.last {
    case "m": unit = .metre
    case "y": unit = .yard
    default: preconditionFailure("a distance is in m or y: \(text)")
    }
    return sides[1].split(separator: "/").map { distance in
      guard let distance = Double(distance) else {
        preconditionFailure("a distance is a number: \(text)")
      }
      return PassDefinition(
        arrowCount: arrows, arrowsPerEnd: arrowsPerEnd, distance: distance, unit: unit, face: face,
        diameterCentimetres: diameter)
    }
  }
}
