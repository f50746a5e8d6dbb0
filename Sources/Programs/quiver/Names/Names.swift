import QuiverAPI
import QuiverClient
import QuiverRPC

/// Finds the ids of what is named on the command line.
///
/// A number that is the id of one object and the bib, code or name of another is refused with both,
/// unless `--id` or a `#` before it says that it is an id.
actor Names {
  /// Names are ids.
  static let byID = Flag(
    "--id", .none, "numbers are ids, never bibs, codes or names; #N does it for one")
  /// The event of names and bibs.
  static let event = Flag(
    "--event", .word("EVENT"),
    "the event of names and bibs; else $QUIVER_EVENT, else yours that are not finalised")

  /// The practice round of who is named.
  static let practice = Flag(
    "--practice", .word("ROUND"),
    "the practice round of names: last, a day, the round or an id; else your last one")

  /// The largest number of events in which a name is looked for.
  static let mostEvents = 20

  let access: Access
  private let arguments: Arguments
  private var scope: Scope?
  private var known: [NamedKind: [NamedObject]] = [:]
  private var events: [TournamentEvent]?
  /// An object whose event is that of later names, where no argument names the event.
  private var anchor: (kind: NamedKind, id: Int64)?
  /// The label of the practice round whose archers are named.
  private var practiceLabel = ""

  /// The events in which names are looked for.
  struct Scope: Sendable {
    var events: [(id: Int64, name: String)]
    /// Whether no argument named the event, so that an id may be of another one.
    var isImplied: Bool
  }

  init(_ access: Access, _ arguments: Arguments) {
    self.access = access
    self.arguments = arguments
  }

  /// The id of the object that a text names. `argument` is its name on the command line.
  ///
  /// `isNew`: no number was an id of this argument before, so that it is a bib here.
  func id(
    of text: String, _ kind: NamedKind, _ argument: String, of type: EquipmentType? = nil,
    isNew: Bool = false
  ) async throws(Failure) -> Int64 {
    let id = try await find(text, kind, argument, of: type, isNew: isNew)
    if kind == .event {
      scope = Scope(events: [(id, "")], isImplied: false)
      known = [:]
    } else if kind.isOfEvent, anchor == nil {
      anchor = (kind, id)
    }
    return id
  }

  private func find(
    _ text: String, _ kind: NamedKind, _ argument: String, of type: EquipmentType? = nil,
    isNew: Bool
  ) async throws(Failure) -> Int64 {
    guard !NameChoice.folded(text).isEmpty else {
      throw arguments.usage("\(argument) is empty: expected \(kind.accepted)")
    }
    if let id = NameChoice.markedID(text) { return id }
    let number = NameChoice.number(text)
    if number == nil, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      throw arguments.usage("\(argument) \(text) is too large for an id")
    }
    if let number, arguments.has(Self.byID) || number == 0 || kind.hasNoDigits { return number }
    if kind == .set { return try await set(text, argument) }
    if kind.hasLast, NameChoice.folded(text) == "last" { return try await newest(kind) }
    let choice: NameChoice
    do throws(Failure) {
      let objects = try await objects(kind)
      choice = NameChoice(
        kind: kind,
        objects: objects.filter { object in
          (type == nil || object.type == type?.rawValue) && isOfAnchor(object, kind)
        })
    } catch {
      // Who may not see a list of names has ids.
      guard let number, error.isHidden else { throw error }
      return number
    }
    let result: NameChoice.Result
    if isNew, number != nil {
      let found = choice.matches(text)
      result = found.count == 1 ? .object(found[0]) : found.isEmpty ? .none : .several(found)
    } else {
      var existing: NamedObject?
      if let number, try await isImplied(kind), !choice.matches(text).isEmpty {
        existing = await object(kind, number)
      }
      result = choice.result(text, existing: existing)
    }
    switch result {
    case .object(let object): return object.id
    case .id(let id): return id
    case .several, .idAndKey, .none:
      let place = try await place(kind)
      throw arguments.usage(
        choice.refusal(of: text, result, argument, in: place) ?? "\(argument) \(text) is unknown")
    }
  }

  /// Where was looked, as in ` in Indoor`.
  private func place(_ kind: NamedKind) async throws(Failure) -> String {
    guard kind.isOfEvent else { return kind == .shooter ? " in \(practiceLabel)" : "" }
    let scope = try await eventScope()
    guard !scope.events.isEmpty else {
      return ": none of your events is open or in progress; --event names another one"
    }
    let names = scope.events.map(\.name).filter { !$0.isEmpty }
    return names.isEmpty ? "" : " in \(names.joined(separator: ", "))"
  }

  private func isImplied(_ kind: NamedKind) async throws(Failure) -> Bool {
    guard kind.isOfEvent else { return true }
    return try await eventScope().isImplied
  }

  // MARK: Events

  /// The events in which names are looked for.
  func eventScope() async throws(Failure) -> Scope {
    if let scope { return scope }
    let found = try await readScope()
    scope = found
    return found
  }

  private func readScope() async throws(Failure) -> Scope {
    if let text = arguments.value(of: Self.event) {
      let id = try await find(text, .event, Self.event.name, isNew: false)
      return Scope(events: [(id, try await name(ofEvent: id))], isImplied: false)
    }
    if let anchor, let event = await object(anchor.kind, anchor.id)?.event, event > 0 {
      return Scope(events: [(event, "")], isImplied: false)
    }
    if let text = Access.environment("QUIVER_EVENT") {
      let id = try await find(text, .event, "$QUIVER_EVENT", isNew: false)
      return Scope(events: [(id, try await name(ofEvent: id))], isImplied: true)
    }
    let open = try await ownEvents().filter { [.open, .inProgress].contains($0.status) }
    guard open.count <= Self.mostEvents else {
      throw arguments.usage(
        "\(open.count) of your events are not finalised: --event or $QUIVER_EVENT names one")
    }
    return Scope(events: open.map { ($0.id, Terminal.oneLine($0.name)) }, isImplied: true)
  }

  private func name(ofEvent id: Int64) async throws(Failure) -> String {
    let known = events?.first { $0.id == id }?.name ?? ""
    return Terminal.oneLine(known)
  }

  /// The caller's events, those of its roles too, newest first.
  func ownEvents() async throws(Failure) -> [TournamentEvent] {
    if let events { return events }
    let found = try await listEvents(isPublic: false)
    events = found
    return found
  }

  private func listEvents(isPublic: Bool) async throws(Failure) -> [TournamentEvent] {
    var request = ListTournamentsRequest()
    (request.publicOnly, request.pageSize) = (isPublic, 500)
    var found: [TournamentEvent] = []
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Tournament.listTournaments, wanted)
      }
      found += page.tournaments
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return found
  }

  /// The one event of the command: that of `--event` or the environment, else the only one of the
  /// caller that is not finalised.
  func onlyEvent() async throws(Failure) -> Int64 {
    let scope = try await eventScope()
    guard let first = scope.events.first else {
      throw arguments.usage("none of your events is open or in progress: --event names one")
    }
    guard scope.events.count == 1 else {
      let names = scope.events.map(\.name).joined(separator: ", ")
      throw arguments.usage("--event names one of your events: \(names)")
    }
    return first.id
  }

  // MARK: Objects

  /// The objects of a kind that can be named.
  func objects(_ kind: NamedKind) async throws(Failure) -> [NamedObject] {
    if let objects = known[kind] { return objects }
    let objects: [NamedObject]
    if kind.isOfEvent {
      let scope = try await eventScope()
      var found: [NamedObject] = []
      for event in scope.events {
        let suffix = scope.events.count > 1 ? event.name : ""
        found += try await NameLists.objects(kind, of: event.id, in: suffix, access)
      }
      objects = found
    } else if kind == .event {
      let own = try await ownEvents()
      let open = try await listEvents(isPublic: true).filter { event in
        !own.contains { $0.id == event.id }
      }
      objects = (own + open).map(NameLists.object)
    } else if kind == .shooter {
      objects = try await shooters()
    } else {
      objects = try await NameLists.objects(kind, access)
    }
    known[kind] = objects
    return objects
  }

  /// The object with an id; nil if there is none that the caller may see.
  func object(_ kind: NamedKind, _ id: Int64) async -> NamedObject? {
    if let found = known[kind]?.first(where: { $0.id == id }) { return found }
    return await NameLists.object(kind, id, access)
  }
}

extension Names {
  /// Whether an object is about the archer whom an argument before it names, if it is about one.
  private func isOfAnchor(_ object: NamedObject, _ kind: NamedKind) -> Bool {
    guard kind == .typed, let anchor, anchor.kind == .archer else { return true }
    return object.archer == anchor.id
  }

  /// The newest object of a kind in the order of time.
  private func newest(_ kind: NamedKind) async throws(Failure) -> Int64 {
    let object =
      kind == .practice
      ? try await NameLists.newestPractice(access) : try await objects(kind).first
    guard let object else { throw arguments.usage("there is no \(kind.word)") }
    return object.id
  }

  /// Who shoots in the practice round of `--practice`, else in the newest one.
  private func shooters() async throws(Failure) -> [NamedObject] {
    let id: Int64
    if let text = arguments.value(of: Self.practice) {
      id = try await find(text, .practice, Self.practice.name, isNew: false)
    } else if let newest = try await NameLists.newestPractice(access) {
      id = newest.id
    } else {
      practiceLabel = "a practice round, since there is none"
      return []
    }
    let found = try await NameLists.shooters(inPractice: id, access)
    practiceLabel = found.label
    return found.objects
  }

  /// The set that an exercise and a day, or `last`, name.
  private func set(_ text: String, _ argument: String) async throws(Failure) -> Int64 {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    let day = words.last.flatMap(DayText.day)
    guard words.count > 1, let when = words.last, day != nil || when.lowercased() == "last" else {
      throw arguments.usage("\(argument) expects \(NamedKind.set.accepted), not \(text)")
    }
    let wanted = words.dropLast().joined(separator: " ")
    let exercises = try await NameLists.exercises(access)
    let choice = NameChoice(
      kind: .set,
      objects: exercises.enumerated().map { index, name in
        NamedObject(id: Int64(index), names: [name], label: Terminal.oneLine(name))
      })
    let matches = choice.matches(wanted).map(\.label)
    guard matches.count == 1, let index = choice.matches(wanted).first.map({ Int($0.id) }) else {
      throw arguments.usage(
        matches.isEmpty
          ? "there is no exercise \(wanted)" + Spelling.question(wanted, among: exercises)
          : "\(argument) \(wanted) may be any of \(matches.joined(separator: ", "))")
    }
    let sets = try await NameLists.sets(of: exercises[index], on: day, access)
    guard sets.count == 1 else {
      let several = NameChoice(kind: .set, objects: sets)
      let result: NameChoice.Result = sets.isEmpty ? .none : .several(sets)
      throw arguments.usage(several.refusal(of: text, result, argument, in: "") ?? "")
    }
    return sets[0].id
  }

  /// The flags of a command that names objects of these kinds.
  static func flags(of kinds: [NamedKind]) -> [Flag] {
    guard !kinds.isEmpty else { return [] }
    let needsEvent = kinds.contains(where: \.isOfEvent) && !kinds.contains(.event)
    let ofPractice = kinds.contains(.shooter) ? [practice] : []
    return ofPractice + (needsEvent ? [event, byID] : [byID])
  }
}
