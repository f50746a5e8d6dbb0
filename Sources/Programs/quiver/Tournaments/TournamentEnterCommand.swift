import QuiverAPI
import QuiverClient
import QuiverRPC

/// `quiver tournament enter`: entries of the organiser, or guests of a participant.
enum TournamentEnterCommand {
  private static let guests = Flag(
    "--guest", .none, "add them as your guests; else as entries, which only the organiser adds")

  static let command = Command(
    "tournament enter", operands: "EVENT NAME…", summary: "enter archers who have no account",
    details: """
      Prints a line for each with its id and name. Either all entries are added or none. You score
      your guests; the organiser or an appointed scorer scores entries.
      """,
    flags: [guests, .json, .timeout], names: [.event],
    examples: ["tournament enter Indoor 'Ann Archer' 'Ben Bow'"], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(2...1_001, "EVENT and at least one NAME")
    let access = try Access(arguments)
    let tournament = try await Names(access, arguments).id(of: words[0], .event, "EVENT")
    var made = AddEntriesResponse()
    if arguments.has(guests) {
      for name in words.dropFirst() {
        var request = AddGuestRequest()
        request.tournamentID = tournament
        request.name = name
        let wanted = request
        made.participants.append(
          try await access.attemptPlainly { () async throws(RPCError) in
            try await access.client.call(Tournament.addGuest, wanted)
          })
      }
    } else {
      var request = AddEntriesRequest()
      request.tournamentID = tournament
      request.entries = words.dropFirst().map { name in
        var entry = EntryDraft()
        entry.name = name
        return entry
      }
      let wanted = request
      made = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Tournament.addEntries, wanted)
      }
    }
    if arguments.has(.json) {
      try Terminal.print(TournamentText.json(made))
      return
    }
    for participant in made.participants {
      try Terminal.print(
        "participant \(participant.id) \(Terminal.oneLine(participant.displayName))")
    }
  }
}
