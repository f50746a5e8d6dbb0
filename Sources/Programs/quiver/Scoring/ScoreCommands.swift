import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverRules
import QuiverSession
import QuiverWire

/// `quiver tournament score`, `quiver round shoot` and `quiver round score`: ends at the keyboard,
/// with or without a connection.
enum ScoreCommands {
  private static let directory = Flag(
    "--directory", .word("DIR"),
    "where arrows that are not sent are stored; else $XDG_DATA_HOME/quiver/scoring, else"
      + " ~/.local/share/quiver/scoring")
  private static let device = Flag(
    "--device", .word("NAME"),
    "the name of this device in the audit of scores and in leases; quiver by default")
  static let target = Flag(
    "--target", .word("CODE"),
    "join the target with this code, as on its QR code, and score there; needs --device")
  private static let guests = Flag(
    "--guest", .words("NAME"), "somebody who shoots with you; at most 3")
  private static let arrows = Flag("--arrows", .word("N"), "only the first N arrows of the round")

  /// The flags of a command that scores one match.
  static let matchFlags = [target, device, directory]

  private static let keys = """
    Each line is the arrows of an end, `10 9 X`, or a command: u undoes the last entry, s shows the
    scorecard, n ARCHER continues with another archer, g N goes to end N, c END ARROW VALUE REASON
    corrects an arrow, ? prints this, q ends. ARCHER is a bib, a target with its letter as in 12B,
    or a name or the beginning of one; a bib, a place or a club behind a name tells equal names
    apart. While ARCHER is not found nobody is selected, and arrows are refused.

    Arrows are stored on this machine before the next prompt and count at once. They are sent in
    order while there is a connection; the next run sends the arrows that are left. What the server
    refuses stays here, and the exit code is not 0: w lists it, r sends it again, o N replaces what
    another scorer entered, and d N discards entry N.
    """

  static let tournament = Command(
    "tournament score", operands: "EVENT | --target CODE --device NAME",
    summary: "enter ends at the keyboard, also offline",
    details: """
      \(keys)

      The first run of an event needs a connection; later ones find it by its name without one.
      You score yourself, your guests, and the participants that the organiser assigned to you; the
      organiser scores all participants.

      With --target you score who stands there, with the lease on the target, which is renewed while
      the command runs; `quiver event codes` lists the codes. Each device needs a name of its own.
      EVENT is needed only while there is no connection, and is one of this machine then.
      """,
    flags: [target, device, directory], names: [.event],
    examples: [
      "tournament score Indoor", "tournament score --target 42DV-NBWN --device 'phone 3'",
    ]
  ) { arguments async throws(Failure) in
    let words = try arguments.operands(
      arguments.has(target) ? 0...1 : 1...1,
      arguments.has(target) ? "at most one EVENT" : "one EVENT")
    guard !arguments.has(target) || arguments.has(device) else {
      throw arguments.usage("--target needs --device NAME, a name that no other device has")
    }
    let code = arguments.value(of: target)
    var id: Int64?
    if let text = words.first {
      // A number needs no connection.
      id = NameChoice.number(text) ?? NameChoice.markedID(text)
      if id == nil {
        do throws(Failure) {
          id = try await Names(try Access(arguments), arguments).id(of: text, .event, "EVENT")
        } catch {
          guard error.isDisconnection else { throw error }
        }
      }
    }
    let (found, text) = (id, words.first)
    try await score(arguments, code: code) { (session, joined) async throws(SessionError) in
      var given = found
      if given == nil, joined == nil, let text {
        given = try await storedEvent(text, "EVENT", session) { $0.isTournament }.serverID
      }
      guard let event = joined?.event ?? given else {
        throw SessionError(.notPossible, "without a connection the name of the event is needed")
      }
      guard given == nil || given == event else {
        throw SessionError(.invalid, "the code is of a target of event \(event)")
      }
      return try await session.loadTournament(event)
    }
  }

  static let shoot = Command(
    "round shoot", operands: "ROUND", summary: "start a practice round and enter its ends",
    details: "ROUND is a codename like wa18 or the name of a round of the library.\n\(keys)",
    flags: [guests, arrows, device, directory],
    examples: ["round shoot wa18 --guest Ben"]
  ) { arguments async throws(Failure) in
    let round = try arguments.operands(1...1, "one ROUND")[0]
    let reference = try RoundText.reference(round, "ROUND", arguments)
    guard !reference.codename.isEmpty else {
      throw arguments.usage("ROUND expects a round of the library, not \(round)")
    }
    let codename = reference.codename
    var limit = 0
    if let text = arguments.value(of: arrows) {
      guard let number = Int(text), number > 0 else {
        throw arguments.usage("--arrows expects a number above 0, not \(text)")
      }
      limit = number
    }
    let (names, count) = (arguments.values(of: guests), limit)
    try await score(arguments) { (session, _) async throws(SessionError) in
      try await session.startRounds(codename: codename, arrowLimit: count, guests: names)
    }
  }

  static let round = Command(
    "round score", operands: "[ROUND]", summary: "continue a round of quiver round shoot",
    details: """
      The round was started on this machine: last, which is meant without ROUND, the name of the
      round or the beginning of it, or an id.
      \(keys)
      """, flags: [device, directory], examples: ["round score", "round score 'WA 18m'"]
  ) { arguments async throws(Failure) in
    let text = try arguments.operands(0...1, "at most one ROUND").first ?? "last"
    try await score(arguments) { (session, _) async throws(SessionError) in
      try await storedEvent(text, "ROUND", session) { !$0.isTournament }.id
    }
  }

  /// What of this machine a text names: `last`, a name or the beginning of one, or an id.
  private static func storedEvent(
    _ text: String, _ argument: String, _ session: OfflineSession,
    where isMeant: (OfflineSession.ScoringEvent) -> Bool
  ) async throws(SessionError) -> OfflineSession.ScoringEvent {
    let events = try await session.scoringEvents().filter(isMeant)
    let number = NameChoice.number(text) ?? NameChoice.markedID(text)
    if let event = events.first(where: { $0.serverID > 0 && $0.serverID == number }) {
      return event
    }
    if NameChoice.folded(text) == "last", let newest = events.first { return newest }
    let choice = NameChoice(
      kind: argument == "EVENT" ? .event : .practice,
      objects: events.enumerated().map { index, event in
        NamedObject(
          id: Int64(index), names: [event.title],
          label: Terminal.oneLine(event.title)
            + (event.serverID > 0 ? " #\(event.serverID)" : ""))
      })
    let found = number == nil ? choice.matches(text) : []
    guard found.count == 1 else {
      let labels = (found.isEmpty ? choice.objects : found).prefix(8).map(\.label)
      let list = labels.joined(separator: ", ")
      throw SessionError(
        found.isEmpty ? .notFound : .invalid,
        found.isEmpty
          ? "\(argument) \(Terminal.oneLine(text)) was not started on this machine"
            + (labels.isEmpty ? "" : "; there are \(list)")
          : "\(argument) \(Terminal.oneLine(text)) may be any of \(list)")
    }
    return events[Int(found[0].id)]
  }

  @MainActor
  private static func score(
    _ arguments: Arguments, code: String? = nil,
    _ open: (OfflineSession, JoinedTarget?) async throws(SessionError) -> LocalID
  ) async throws(Failure) {
    let access = try Access(arguments)
    let configuration = try configuration(access, arguments)
    let failure: Failure?
    do throws(SessionError) {
      let session = try await OfflineSession(configuration)
      // The first run has no data yet: its sign-in needs the server.
      if session.identity == nil { await session.syncNow() }
      let joined = try await join(code, session)
      let event = try await open(session, joined)
      let scoring = ScoringModel(session, event: event)
      await scoring.refresh()
      if let code { scoring.keepLease(ofTarget: code) }
      let plan = try await plan(of: event, session)
      failure = await ScoringKeyboard(scoring, session, plan, joined: joined).run()
      scoring.stopKeepingLease()
      await session.close()
    } catch {
      guard let code = error.code.status else { throw .input("\(error)") }
      throw access.plainFailure(RPCError(code, error.message))
    }
    if let failure { throw failure }
  }

  /// The session of a command that scores, with the connection of its flags.
  static func configuration(
    _ access: Access, _ arguments: Arguments
  ) throws(Failure) -> OfflineSession.Configuration {
    var configuration = OfflineSession.Configuration(
      server: access.configuration.server, token: access.configuration.token ?? "",
      directory: try path(arguments))
    configuration.allowsPlaintextToken = access.configuration.allowsPlaintextToken
    configuration.security = access.configuration.security
    configuration.device = arguments.value(of: device) ?? "quiver"
    return configuration
  }

  /// Joins a target; nil if there is no code, and while there is no connection.
  private static func join(
    _ code: String?, _ session: OfflineSession
  ) async throws(SessionError) -> JoinedTarget? {
    guard let code else { return nil }
    do throws(SessionError) {
      return try await session.joinTarget(code)
    } catch {
      let isOffline = error.code == .call(.unavailable) || error.code == .call(.deadlineExceeded)
      guard isOffline else { throw error }
      Terminal.notice(
        "the target is joined when there is a connection: \(Terminal.oneLine(error.message))")
      return nil
    }
  }

  /// The bibs, places and clubs of a tournament, also those of the last connection; nil for rounds
  /// without one.
  @MainActor
  private static func plan(
    of event: LocalID, _ session: OfflineSession
  ) async throws(SessionError) -> EventPlanModel? {
    let known = try await session.scoringEvents().first { $0.id == event }
    guard let known, known.isTournament else { return nil }
    let plan = EventPlanModel(session, event: known.serverID)
    await plan.refresh()
    // Without them names select.
    if session.isOnline { try? await plan.load() }
    return plan
  }

  private static func path(_ arguments: Arguments) throws(Failure) -> String {
    if let path = arguments.value(of: directory) { return path }
    if let data = Access.environment("XDG_DATA_HOME") { return "\(data)/quiver/scoring" }
    guard let home = Access.environment("HOME") else {
      throw .input("there is no home folder: set HOME, or give --directory DIR")
    }
    return "\(home)/.local/share/quiver/scoring"
  }
}
