import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver setup add`: a new bow setup of existing items.
enum SetupAddCommand {
  private static let part = Flag(
    "--part", .words("ITEM[:QUANTITY]"),
    "brand and model of an item of equipment, or its id; may be given more than once")
  private static let notes = Flag("--notes", .word("TEXT"), "at most 4,000 characters")

  static let command = Command(
    "setup add", operands: "NAME", summary: "create a bow setup",
    details: """
      A setup contains at most one riser, limbs, sight, rest, plunger, string and arrow, and any
      number of stabilizers, weights and accessories, at most 50 items.
      """,
    flags: [part, notes, .json, .timeout], names: [.item],
    examples: ["setup add 'Club bow' --part 'Hoyt Formula XD' --part 'Uukha VX1000'"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    var setup = BowSetup()
    setup.name = try arguments.operands(1...1, "one NAME")[0]
    setup.notes = arguments.value(of: notes) ?? ""
    let parts = try arguments.values(of: part).map { (text) throws(Failure) in
      guard let component = FieldForm.component(text) else {
        throw arguments.usage("--part expects ITEM or ITEM:QUANTITY, not \(text)")
      }
      return component
    }
    var request = CreateBowSetupRequest()
    let access = try Access(arguments)
    let names = Names(access, arguments)
    for found in parts {
      var component = SetupComponent()
      component.equipmentID = try await names.id(of: found.item, .item, part.name)
      component.quantity = found.quantity ?? 0
      setup.components.append(component)
    }
    request.bowSetup = setup
    let wanted = request
    let added = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Equipment.createBowSetup, wanted)
    }
    try SetupText.printResult("added", of: added, arguments)
  }
}
