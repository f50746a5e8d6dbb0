import QuiverAPI
import QuiverJSON

/// A bow setup as text.
enum SetupText {
  /// The displayed name of a setup without a name.
  static func name(_ name: String) -> String {
    name.isEmpty ? "Unnamed setup" : Terminal.oneLine(name)
  }

  /// Prints the setup as JSON, or one line with the result.
  static func printResult(_ what: String, of setup: BowSetup, _ arguments: Arguments)
    throws(Failure)
  {
    if arguments.has(.json) {
      try Terminal.print(json(setup))
    } else {
      try Terminal.confirm("setup \(setup.id) is \(what)")
    }
  }

  static func json(_ setup: BowSetup) -> String {
    MessageJSON(printsZeros: true, isPretty: true).text(of: setup)
  }

  /// The setup and its parts.
  static func table(_ setup: BowSetup) -> String {
    var rows = [
      ["id", "\(setup.id)"], ["name", name(setup.name)],
      ["active", setup.isActive == false ? "no" : "yes"],
      ["default", setup.isDefault ? "yes" : "no"],
      ["version", "\(setup.version) of \(setup.latestVersion)"],
      ["made", TokenText.time(setup.versionMadeAtMilliseconds)],
    ]
    if !setup.notes.isEmpty { rows.append(["notes", Terminal.oneLine(setup.notes)]) }
    guard !setup.components.isEmpty else { return Table.text(rows) + "\n\nno parts" }
    let head = ["ID", "TYPE", "BRAND", "MODEL", "QUANTITY", ""]
    let parts = setup.components.map { part in
      [
        "\(part.equipmentID)", ItemType.word(for: part.type), Terminal.oneLine(part.displayBrand),
        Terminal.oneLine(part.displayModel), "\(part.quantity)", part.deleted ? "deleted" : "",
      ]
    }
    return Table.text(rows) + "\n\n" + Table.text([head] + parts)
  }
}
