import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver setup add`: a new bow setup of existing items.
enum SetupAddCommand {
  private static let part = Flag(
    "--part", .words("ID[:QUANTITY]"),
    "an item of equipment by its id, of any type; may be given more than once")
  private static let notes = Flag("--notes", .word("TEXT"), "at most 4,000 characters")

  static let command = Command(
    "setup add", operands: "NAME", summary: "create a bow setup",
    details: """
      A setup contains at most one riser, limbs, sight, rest, plunger, string and arrow, and any
      number of stabilizers, weights and accessories, at most 50 items.
      """,
    flags: [part, notes, .json, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    var setup = BowSetup()
    setup.name = try arguments.operands(1...1, "one NAME")[0]
    setup.notes = arguments.value(of: notes) ?? ""
    for text in arguments.values(of: part) {
      setup.components.append(try component(text, arguments))
    }
    var request = CreateBowSetupRequest()
    request.bowSetup = setup
    let access = try Access(arguments)
    let wanted = request
    let added = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Equipment.createBowSetup, wanted)
    }
    try SetupText.printResult("added", of: added, arguments)
  }

  private static func component(
    _ text: String, _ arguments: Arguments
  ) throws(Failure) -> SetupComponent {
    let words = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let first = words.first, let id = Int64(first), id > 0, words.count <= 2 else {
      throw arguments.usage("--part expects ID or ID:QUANTITY, not \(text)")
    }
    var component = SetupComponent()
    component.equipmentID = id
    if words.count == 2 {
      guard let quantity = UInt32(words[1]), quantity > 0 else {
        throw arguments.usage("the quantity in --part \(text) is a number above 0")
      }
      component.quantity = quantity
    }
    return component
  }
}
