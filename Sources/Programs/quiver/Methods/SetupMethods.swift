/// The commands of bow setups and sight marks that need no code of their own.
enum SetupMethods {
  static let commands: [MethodCommand] = [
    MethodCommand(
      "setup edit", "Equipment/UpdateBowSetup", summary: "change a bow setup's name or notes",
      details: """
        Fields that are not named keep their values. `quiver setup add-part` and `quiver setup
        remove-part` change the parts. If somebody else has changed the setup in the meantime, the
        command changes nothing and exits with 74.
        """,
      [
        .operand("SETUP", "bow_setup.id", .named(.setup)),
        .flag("--name", "bow_setup.name", "TEXT", "at most 200 characters"),
        .flag("--notes", "bow_setup.notes", "TEXT", "at most 4,000 characters"),
        .flag("--revision", "bow_setup.revision", "N", "change it only at this revision"),
      ],
      changes: "bow_setup", read: "Equipment/GetBowSetup",
      prints: .sentence("setup {id} is changed")),
    state("activate", "ActivateBowSetup", "show a bow setup in lists again", "active"),
    state("deactivate", "DeactivateBowSetup", "hide a bow setup from lists", "not active"),
    MethodCommand(
      "setup add-part", "Equipment/AddBowSetupComponent", summary: "add an item to a bow setup",
      details: """
        PART is ITEM or ITEM:QUANTITY, where ITEM is brand and model or the id of an item. An item
        of a type that a setup has only once replaces the previous one. The setup gets a new
        version.
        """,
      [
        .operand("SETUP", "id", .named(.setup)), .operand("PART", "component", .component),
      ],
      prints: .sentence("setup {id} is changed; it is at version {version}")),
    MethodCommand(
      "setup remove-part", "Equipment/RemoveBowSetupComponent",
      summary: "remove an item from a bow setup", details: "The setup gets a new version.",
      [
        .operand("SETUP", "id", .named(.setup)),
        .operand("ITEM", "equipment_id", .named(.item)),
      ],
      prints: .sentence("setup {id} is changed; it is at version {version}")),
    MethodCommand(
      "mark list", "Equipment/ListSightMarks", summary: "list the sight marks of a sight or setup",
      [
        .flag("--sight", "sight_id", "SIGHT", "of this sight", .named(.item)),
        .flag("--setup", "setup_id", "SETUP", "of this bow setup", .named(.setup)),
      ],
      prints: .list(
        "sight_marks",
        ["ID=id", "DISTANCE=distance", "UNIT=unit", "MARK=mark_value", "NOTES=notes"])),
    MethodCommand(
      "mark add", "Equipment/CreateSightMark", summary: "add a sight mark",
      details: "DISTANCE is like 70m or 60yd. Give --sight or --setup.",
      [
        .operand("DISTANCE", "sight_mark.distance", .distance),
        .operand("MARK", "sight_mark.mark_value"),
        .flag(
          "--sight", "sight_mark.sight_id", "SIGHT", "the sight that it belongs to", .named(.item)),
        .flag(
          "--setup", "sight_mark.setup_id", "SETUP", "the bow setup that it belongs to",
          .named(.setup)),
        .flag("--notes", "sight_mark.notes", "TEXT", "at most 4,000 characters"),
      ],
      prints: .sentence("mark {id} is added")),
    MethodCommand(
      "mark edit", "Equipment/UpdateSightMark", summary: "change a sight mark",
      [
        .operand("SIGHT-MARK", "sight_mark.id", .named(.mark)),
        .flag("--distance", "sight_mark.distance", "DISTANCE", "like 70m or 60yd", .distance),
        .flag("--mark", "sight_mark.mark_value", "N", "the value on the scale"),
        .flag("--notes", "sight_mark.notes", "TEXT", "at most 4,000 characters"),
        .flag("--revision", "sight_mark.revision", "N", "change it only at this revision"),
      ],
      changes: "sight_mark", prints: .sentence("mark {id} is changed")),
    MethodCommand(
      "mark rm", "Equipment/DeleteSightMark", summary: "delete a sight mark",
      [.operand("SIGHT-MARK", "id", .named(.mark))], destroys: "deletes sight mark {SIGHT-MARK}",
      prints: .sentence("mark {request.id} is deleted")),
  ]

  private static func state(
    _ word: String, _ method: String, _ summary: String, _ state: String
  ) -> MethodCommand {
    MethodCommand(
      "setup \(word)", "Equipment/\(method)", summary: summary,
      [.operand("SETUP", "id", .named(.setup))], prints: .sentence("setup {id} is \(state)"))
  }
}
