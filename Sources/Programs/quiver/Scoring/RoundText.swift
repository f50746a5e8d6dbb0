import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// Rounds as the command line names them.
enum RoundText {
  /// A round of the library by its codename or name, or one of your own by its id. Throws for one
  /// that the library does not have, with similar codenames.
  static func reference(
    _ text: String, _ argument: String, _ arguments: Arguments
  ) throws(Failure) -> FormatReference {
    var reference = FormatReference()
    if let id = NameChoice.number(text) ?? NameChoice.markedID(text), id > 0 {
      reference.id = id
      return reference
    }
    guard let format = format(text) else {
      throw arguments.usage(
        "\(argument) \(text): there is no such round"
          + question(text, among: RoundLibrary.formats.map(\.codename))
          + "; quiver format list has all of them")
    }
    reference.codename = format.codename
    return reference
  }

  /// The same, or one of your own by its name or the beginning of it.
  static func reference(
    _ text: String, _ argument: String, _ arguments: Arguments, _ access: Access
  ) async throws(Failure) -> FormatReference {
    let unknown: Failure
    do throws(Failure) {
      return try reference(text, argument, arguments)
    } catch {
      unknown = error
    }
    // Without a server, or a token, what is wrong with the name is what can be said.
    guard let own = try? await NameLists.objects(.ownRound, access) else { throw unknown }
    let choice = NameChoice(kind: .ownRound, objects: own)
    let found = choice.matches(text)
    guard let first = found.first else { throw unknown }
    guard found.count == 1 else {
      throw arguments.usage(choice.refusal(of: text, .several(found), argument, in: "") ?? "")
    }
    return .with { $0.id = first.id }
  }

  /// The round of the library with a codename or a name, in any case.
  static func format(_ text: String) -> RoundDefinition? {
    let word = text.lowercased()
    return RoundLibrary.format(text)
      ?? RoundLibrary.formats.first { format in
        format.codename.lowercased() == word || format.name.lowercased() == word
      }
  }

  /// The codename of the round of the library that a text names; nil: it names none.
  static func codename(_ text: String) -> String? { format(text)?.codename }

  private static func question(_ text: String, among names: [String]) -> String {
    let near = Spelling.near(text, among: names)
    return near.isEmpty ? "" : "; near are \(near.joined(separator: ", "))"
  }
}
