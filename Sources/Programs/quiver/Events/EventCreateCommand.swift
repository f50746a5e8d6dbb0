import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// `quiver event create`: an event with the structure of an earlier one.
enum EventCreateCommand {
  private static let template = Flag(
    "--from", .word("EVENT"), "the event whose structure is copied")
  private static let day = Flag(
    "--on", .word("DAY"), "the day of its first session (UTC), as 2026-05-23; else none has a time")

  static let command = Command(
    "event create", operands: "NAME --from EVENT",
    summary: "create an event with the structure of an earlier one",
    details: """
      Copies the round, the policy, the limits, the categories with their rounds, the sessions with
      their targets, the officials, and whether leases are demanded; no entries. With --on all
      sessions move by as many days as the first one. If a step fails, the new event is deleted.
      `quiver tournament create` creates an event without a template.
      """,
    flags: [template, day, .json, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let name = try arguments.operands(1...1, "one NAME")[0]
    guard let text = arguments.value(of: template) else {
      throw arguments.usage("expected --from EVENT")
    }
    let source = try TournamentText.id(text, "EVENT", arguments)
    var first: Int32?
    if let text = arguments.value(of: day) {
      guard let found = DayText.day(text) else {
        throw arguments.usage("\(day.name) expects a day like 2026-05-23, not \(text)")
      }
      first = found
    }
    let access = try Access(arguments)
    let structure = try await access.attemptPlainly { () async throws(RPCError) in
      try await EventStructure.read(source, access.client)
    }
    let wanted = first
    let (event, left) = try await access.attemptPlainly { () async throws(RPCError) in
      try await structure.create(name, on: wanted, access.client)
    }
    for official in left {
      Terminal.notice(
        "\(official.displayName) is no official of the new event: the account is disabled")
    }
    if arguments.has(.json) {
      try Terminal.print(TournamentText.json(event))
    } else {
      try Terminal.print("tournament \(event.id) is open, join code \(event.joinCode)")
    }
  }
}

/// The structure of an event, without its entries.
struct EventStructure: Sendable {
  let event: TournamentEvent
  let categories: [EventCategory]
  let sessions: [EventSession]
  let officials: [EventOfficial]
  let demandsLeases: Bool

  private static let dayMilliseconds: Int64 = 86_400_000

  /// Reads an event of which the caller is an official, and the rounds that a copy needs.
  static func read(_ id: Int64, _ client: RPCClient) async throws(RPCError) -> EventStructure {
    let structure = EventStructure(
      event: try await client.call(Tournament.getTournament, .with { $0.id = id }),
      categories: try await client.call(
        Events.listEventCategories, .with { $0.tournamentID = id }
      ).categories,
      sessions: try await client.call(
        Events.listEventSessions, .with { $0.tournamentID = id }
      ).sessions,
      officials: try await client.call(
        Events.listEventOfficials, .with { $0.tournamentID = id }
      ).officials,
      demandsLeases: try await client.call(
        Events.listTargetLeases, .with { $0.tournamentID = id }
      ).demanded)
    // A round of another organiser cannot be copied: nothing is created then.
    for format in [structure.event.format] + structure.categories.map(\.format) {
      guard let reference = Self.reference(format) else { continue }
      _ = try await client.call(Rounds.getFormat, .with { $0.format = reference })
    }
    return structure
  }

  /// Creates an event with this structure; deletes it again if a part of it cannot be created.
  ///
  /// Returns it with the officials whose accounts are disabled, who are left out.
  func create(
    _ name: String, on day: Int32?, _ client: RPCClient
  ) async throws(RPCError) -> (event: TournamentEvent, left: [EventOfficial]) {
    let new = try await client.call(
      Tournament.createTournament,
      .with { request in
        (request.name, request.format) = (name, Self.reference(event.format))
        (request.isPublic, request.tiePolicy) = (event.isPublic, event.tiePolicy)
        request.maxParticipants = event.maxParticipants
        (request.guestsPerUser, request.guestLimit) = (event.guestsPerUser, event.guestLimit)
      })
    var left: [EventOfficial] = []
    do throws(RPCError) {
      try await addCategories(to: new.id, client)
      try await addSessions(to: new.id, on: day, client)
      for official in officials where official.principalID != new.organiserID {
        do throws(RPCError) {
          _ = try await client.call(
            Events.setEventOfficial,
            .with { request in
              (request.tournamentID, request.role) = (new.id, official.role)
              request.principalID = official.principalID
            })
        } catch {
          guard error.code == .failedPrecondition || error.code == .notFound else { throw error }
          left.append(official)
        }
      }
      if demandsLeases {
        _ = try await client.call(
          Events.setEventLeases, .with { ($0.tournamentID, $0.demanded) = (new.id, true) })
      }
    } catch {
      do throws(RPCError) {
        _ = try await client.call(Tournament.deleteTournament, .with { $0.id = new.id })
      } catch {
        Terminal.notice(
          "event \(new.id) is not complete and could not be deleted: delete it with quiver call "
            + "Tournament/DeleteTournament")
      }
      throw error
    }
    return (new, left)
  }

  /// The first category of the new event gets the fields of the first one here.
  private func addCategories(to id: Int64, _ client: RPCClient) async throws(RPCError) {
    let made = try await client.call(Events.listEventCategories, .with { $0.tournamentID = id })
    for category in categories {
      var copy = EventCategory()
      (copy.tournamentID, copy.code, copy.name) = (id, category.code, category.name)
      (copy.bowstyle, copy.gender) = (category.bowstyle, category.gender)
      (copy.ageGroup, copy.tiePolicy) = (category.ageGroup, category.tiePolicy)
      if category.isFirst, let first = made.categories.first(where: \.isFirst) {
        (copy.id, copy.revision) = (first.id, first.revision)
        let changed = copy
        _ = try await client.call(Events.updateEventCategory, .with { $0.category = changed })
      } else {
        var request = CreateEventCategoryRequest()
        request.category = copy
        request.format = category.ownFormat ? Self.reference(category.format) : nil
        _ = try await client.call(Events.createEventCategory, request)
      }
    }
  }

  private func addSessions(
    to id: Int64, on day: Int32?, _ client: RPCClient
  ) async throws(RPCError) {
    let starts = sessions.map(\.startsAtMilliseconds).filter { $0 > 0 }
    var shift: Int64?
    if let day, let first = starts.min() {
      shift = (Int64(day) - first / Self.dayMilliseconds) * Self.dayMilliseconds
    }
    for session in sessions {
      let start = session.startsAtMilliseconds
      let moved = shift.map { start > 0 ? start + $0 : 0 } ?? 0
      _ = try await client.call(
        Events.createEventSession,
        .with { request in
          request.session = .with { copy in
            (copy.tournamentID, copy.name, copy.round) = (id, session.name, session.round)
            (copy.firstTarget, copy.lastTarget) = (session.firstTarget, session.lastTarget)
            copy.archersPerTarget = session.archersPerTarget
            copy.startsAtMilliseconds = moved
          }
        })
    }
  }

  /// How a request names a round: one of the library by its codename, an own one by its id.
  private static func reference(_ format: RoundFormat?) -> FormatReference? {
    format.map { format in
      .with { reference in
        if format.codename.isEmpty {
          reference.id = format.id
        } else {
          (reference.codename, reference.arrowLimit) = (format.codename, format.arrowCount)
        }
      }
    }
  }
}
