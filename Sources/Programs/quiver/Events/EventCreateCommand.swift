import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// `quiver event create`: an event of its flags, or with the structure of an earlier one.
enum EventCreateCommand {
  private static let template = Flag(
    "--from", .word("EVENT"), "copy the structure of this event instead")
  private static let day = Flag(
    "--on", .word("DAY"),
    "with --from: the day of its first session (UTC), as 2026-05-23; else none has a time")
  private static let round = Flag(
    "--round", .word("ROUND"), "what is shot: a codename of quiver format list, as wa18")
  private static let usual = Flag(
    "--template", .word("KEY"),
    "an event of a usual kind, as wa18 or portsmouth: its rounds, categories, policy and places")
  private static let arrows = Flag(
    "--arrows", .word("N"), "only the first N arrows of the round; all of it by default")
  private static let categories = Flag(
    "--categories", .word("CODE,…"),
    "the categories, as RM,RW,CM,CW, or with words: SEN:barebow:open:over-50")
  private static let targets = Flag(
    "--targets", .word("FIRST-LAST"), "the targets of a session, as 1-16; else it has no session")
  private static let archers = Flag(
    "--archers", .word("N"), "archers on a target, 1 to 4; 4 by default")
  private static let session = Flag(
    "--session", .word("NAME"), "the name of the session; Qualification by default")
  private static let starts = Flag(
    "--starts", .word("TIME"), "when the session starts, as 2026-12-05T09:30 ($TZ)")
  private static let isPublic = Flag(
    "--public", .none, "everybody can see it, and can join without its code")
  private static let most = Flag(
    "--max", .word("N"), "the maximum number of archers, up to 20000; 1000 by default")
  private static let defaultMost: UInt32 = 1_000

  static let command = Command(
    "event create", operands: "NAME --template KEY | --round ROUND | --from EVENT",
    summary: "create an event with categories and a session, or as an earlier one",
    details: """
      A category is its code. A code of World Archery says its archers: R, C, B, L or T for the bow,
      then U21, U18, U15 or 50, then M or W. Other codes name them as CODE:BOWSTYLE:GENDER:AGE.

      quiver event templates lists the keys. With --template, --categories leaves only the named
      ones, and --targets takes as many archers on a target as the template has.

      With --from the round, the policy, the limits, the categories with their rounds, the sessions
      with their targets, the officials, and whether leases are demanded are copied; no entries.
      With --on all sessions move by as many days as the first one. If a step fails, the new event
      is deleted. `quiver event steps` says what is next.
      """,
    flags: [
      usual, round, arrows, categories, targets, archers, session, starts, TournamentText.policy,
      isPublic,
      most,
      template, day, .json, .timeout,
    ], names: [.event],
    examples: [
      "event create Indoor --template wa18 --targets 1-16",
      "event create Indoor --round wa18 --categories RM,RW,CM,CW --targets 1-16",
      "event create Indoor --round wa18 --targets 1-16 --starts 2026-12-05T09:30",
      "event create 'Indoor 2027' --from Indoor --on 2027-12-04",
    ], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let name = try arguments.operands(1...1, "one NAME")[0]
    let made: TournamentEvent
    if let text = arguments.value(of: template) {
      let others = [
        usual, round, arrows, categories, targets, archers, session, starts, isPublic, most,
      ]
      if let other = others.first(where: arguments.has) {
        throw arguments.usage("\(other.name) and \(template.name) exclude each other")
      }
      made = try await copy(name, of: text, arguments)
    } else {
      guard !arguments.has(day) else {
        throw arguments.usage("\(day.name) needs \(template.usage)")
      }
      let access = try Access(arguments)
      let plan = try await plan(name, access, arguments)
      made = try await access.attemptPlainly { () async throws(RPCError) in
        try await plan.create(access.client)
      }
    }
    if arguments.has(.json) { return try Terminal.print(TournamentText.json(made)) }
    try Terminal.print("tournament \(made.id) is open, join code \(made.joinCode)")
    Terminal.notice("quiver event steps \(quoted(name)) says what is next")
  }

  /// A name as a shell takes it.
  private static func quoted(_ name: String) -> String {
    let name = Terminal.oneLine(name)
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    return isPlain ? name : "'\(name.replacing("'", with: "'\\''"))'"
  }

  private static func copy(
    _ name: String, of template: String, _ arguments: Arguments
  ) async throws(Failure) -> TournamentEvent {
    var first: Int32?
    if let text = arguments.value(of: day) {
      guard let found = DayText.day(text) else {
        throw arguments.usage("\(day.name) expects a day like 2026-05-23, not \(text)")
      }
      first = found
    }
    let access = try Access(arguments)
    let source = try await Names(access, arguments).id(of: template, .event, Self.template.name)
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
    return event
  }

  private static func plan(
    _ name: String, _ access: Access, _ arguments: Arguments
  ) async throws(Failure) -> EventPlan {
    guard let key = arguments.value(of: usual) else {
      return try await ownPlan(name, access, arguments)
    }
    for flag in [round, arrows, TournamentText.policy] where arguments.has(flag) {
      throw arguments.usage("\(flag.name) and \(usual.name) exclude each other")
    }
    let templates = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Events.listEventTemplates, .init()).templates
    }
    guard let found = templates.first(where: { $0.key == key }) else {
      throw arguments.usage(
        "\(usual.name) expects one of \(templates.map(\.key).joined(separator: ", ")), not \(key)")
    }
    var wanted = found.categories
    if let text = arguments.value(of: categories) {
      let codes = text.split(separator: ",").map(String.init)
      let known = found.categories.map(\.code)
      if let other = codes.first(where: { !known.contains($0) }) {
        throw arguments.usage(
          "\(key) has no category \(other); there are \(known.joined(separator: ", "))")
      }
      wanted.removeAll { !codes.contains($0.code) }
    }
    var plan = EventPlan(found, categories: wanted)
    plan.request.name = name
    try setVisibility(&plan, arguments)
    plan.session = try session(arguments, archers: found.archersPerTarget)
    return plan
  }

  private static func setVisibility(
    _ plan: inout EventPlan, _ arguments: Arguments
  ) throws(Failure) {
    plan.request.isPublic = arguments.has(isPublic)
    plan.request.maxParticipants =
      try arguments.number(of: most, 1...20_000).map { UInt32($0) } ?? defaultMost
  }

  private static func ownPlan(
    _ name: String, _ access: Access, _ arguments: Arguments
  ) async throws(Failure) -> EventPlan {
    guard let codename = arguments.value(of: round) else {
      throw arguments.usage("expected \(usual.usage), \(round.usage), or \(template.usage)")
    }
    var plan = EventPlan()
    plan.request.name = name
    plan.request.format = try await RoundText.reference(
      codename, round.name, arguments, access)
    plan.request.format?.arrowLimit =
      try arguments.number(of: arrows, 1...10_000).map { UInt32($0) } ?? 0
    plan.request.tiePolicy = try TournamentText.requestPolicy(arguments)
    try setVisibility(&plan, arguments)
    for text in (arguments.value(of: categories) ?? "").split(separator: ",") {
      do throws(EventPlan.CategoryPlan.Unknown) {
        plan.categories.append(try EventPlan.CategoryPlan(String(text)))
      } catch {
        throw arguments.usage(
          "\(categories.name) \(text): \(error.word) is not known"
            + (error.known.isEmpty ? "" : "; there are \(error.known.joined(separator: ", "))"))
      }
    }
    let codes = plan.categories.map(\.code)
    if let twice = codes.first(where: { code in codes.count { $0 == code } > 1 }) {
      throw arguments.usage("\(categories.name) has \(twice) twice")
    }
    plan.session = try session(arguments, archers: 4)
    return plan
  }

  private static func session(
    _ arguments: Arguments, archers most: UInt32
  ) throws(Failure) -> EventSession? {
    guard let text = arguments.value(of: targets) else {
      if let idle = [archers, session, starts].first(where: arguments.has) {
        throw arguments.usage("\(idle.name) needs \(targets.usage)")
      }
      return nil
    }
    guard let range = EventCheckInCommand.range(text), range.lowerBound > 0,
      let first = UInt32(exactly: range.lowerBound), let last = UInt32(exactly: range.upperBound)
    else { throw arguments.usage("\(targets.name) expects targets as 1-16, not \(text)") }
    var session = EventSession()
    session.name = arguments.value(of: Self.session) ?? "Qualification"
    (session.firstTarget, session.lastTarget) = (first, last)
    session.archersPerTarget = try arguments.number(of: archers, 1...4).map { UInt32($0) } ?? most
    if let text = arguments.value(of: starts) {
      guard let instant = InstantText.milliseconds(text) else {
        throw arguments.usage("\(starts.name) expects a time as 2026-12-05T09:30, not \(text)")
      }
      session.startsAtMilliseconds = instant
    }
    return session
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
        (request.listed, request.watchable) = (event.listed, event.watchable)
        request.joinable = event.joinable
        (request.publicNames, request.juniorNames) = (event.publicNames, event.juniorNames)
        request.correctionConsent = event.correctionConsent
        request.scorersTypePapers = event.scorersTypePapers
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
      await EventPlan.deleteIncomplete(new.id, client)
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
      let made = try await client.call(
        Events.createEventSession,
        .with { request in
          request.session = .with { copy in
            (copy.tournamentID, copy.name, copy.round) = (id, session.name, session.round)
            (copy.firstTarget, copy.lastTarget) = (session.firstTarget, session.lastTarget)
            copy.archersPerTarget = session.archersPerTarget
            copy.startsAtMilliseconds = moved
          }
        })
      guard !session.blockedPlaces.isEmpty || !session.wheelchairTargets.isEmpty else { continue }
      _ = try await client.call(
        Events.setSessionPlaces,
        .with { request in
          (request.tournamentID, request.sessionID) = (id, made.id)
          request.blockedPlaces = session.blockedPlaces
          request.wheelchairTargets = session.wheelchairTargets
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
