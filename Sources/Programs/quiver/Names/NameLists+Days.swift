import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverRules

/// What is named by a day, a distance or a place on a card, since it has no name: practice rounds,
/// sight marks, sets, late arrows, typed totals, invitations.
extension NameLists {
  // MARK: Practice rounds

  /// A page of practice rounds, newest first.
  static func practices(
    _ access: Access, _ place: String
  ) async throws(RPCError) -> (objects: [NamedObject], next: String) {
    let page = try await access.client.call(
      Rounds.listSessions, .with { ($0.pageSize, $0.pageToken) = (500, place) })
    return (page.sessions.map(practice), page.nextPageToken)
  }

  /// The newest practice round; nil: there is none.
  static func newestPractice(_ access: Access) async throws(Failure) -> NamedObject? {
    try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Rounds.listSessions, .with { $0.pageSize = 1 })
    }.sessions.first.map(practice)
  }

  static func practice(_ session: ShootingSession) -> NamedObject {
    let begun = session.rounds.map(\.startedAtMilliseconds).filter { $0 > 0 }.min()
    let day = String(InstantText.text(begun ?? session.createdAtMilliseconds).prefix(10))
    let format = session.format ?? RoundFormat()
    var keys = [NamedObject.Key(kind: "day", text: day)]
    if !format.codename.isEmpty { keys.append(.init(kind: "round", text: format.codename)) }
    return NamedObject(
      id: session.id, keys: keys, names: format.name.isEmpty ? [] : [format.name],
      label: "\(Terminal.oneLine(format.name)) on \(day)")
  }

  /// Who shoots in a practice round, and its label.
  static func shooters(
    inPractice id: Int64, _ access: Access
  ) async throws(Failure) -> (objects: [NamedObject], label: String) {
    let session = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Rounds.getSession, .with { $0.id = id })
    }
    let label = practice(session).label
    let objects = session.rounds.map { round in
      NamedObject(
        id: round.participantID, keys: round.guest ? [] : [.init(kind: "word", text: "me")],
        names: [round.displayName], label: Terminal.oneLine(round.displayName))
    }
    return (objects, label)
  }

  // MARK: Sight marks

  /// The marks of all sights and setups, named by their distance alone or with what they are of.
  static func marks(_ access: Access) async throws(Failure) -> [NamedObject] {
    var found: [NamedObject] = []
    for setup in try await setups(access) {
      found += try await marks(.with { $0.setupID = setup.id }, of: setup, access)
    }
    for item in try await items(access) where item.type == QuiverAPI.EquipmentType.sight.rawValue {
      found += try await marks(.with { $0.sightID = item.id }, of: item, access)
    }
    return found
  }

  private static func marks(
    _ request: ListSightMarksRequest, of owner: NamedObject, _ access: Access
  ) async throws(Failure) -> [NamedObject] {
    try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Equipment.listSightMarks, request)
    }.sightMarks.map { mark in
      let unit = mark.unit == .yard ? "yd" : "m"
      let distance = plain(mark.distance) + unit
      return NamedObject(
        id: mark.id, keys: [.init(kind: "distance", text: distance)],
        names: owner.names.map { "\(distance) \($0)" },
        label: "\(distance) at \(plain(mark.markValue)), \(owner.label)")
    }
  }

  /// A number without a fraction of zero.
  private static func plain(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  // MARK: Sets

  static func exercises(_ access: Access) async throws(Failure) -> [String] {
    var request = ListExercisesRequest.with { $0.pageSize = 100 }
    var found: [String] = []
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Logbook.listExercises, wanted)
      }
      found += page.exercises.map(\.name)
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return found
  }

  /// The sets of an exercise on a day; nil: the newest one.
  static func sets(
    of exercise: String, on day: Int32?, _ access: Access
  ) async throws(Failure) -> [NamedObject] {
    var request = ListSetsRequest.with { ($0.exercise, $0.pageSize) = (exercise, 500) }
    var found: [NamedObject] = []
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Logbook.listSets, wanted)
      }
      guard let day else { return page.sets.first.map { [lift($0)] } ?? [] }
      found += page.sets.filter { $0.day == day }.map(lift)
      // The newest are first.
      guard page.sets.allSatisfy({ $0.day >= day }) else { break }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return found
  }

  static func lift(_ set: QuiverAPI.LiftSet) -> NamedObject {
    let day = DayText.text(set.day)
    let weight = "\(plain(set.weight)) \(WeightText.symbol(set.unit))"
    return NamedObject(
      id: set.id, keys: [.init(kind: "day", text: day)],
      label: "\(Terminal.oneLine(set.exercise)) \(set.repetitions) x \(weight) on \(day)")
  }

  // MARK: Arrows and totals of events

  /// The late arrows, by a bib or a place with the end and the arrow, counted from 1.
  static func lateArrows(
    of event: Int64, _ end: String, _ access: Access
  ) async throws(Failure) -> [NamedObject] {
    let archers = try await objects(.archer, of: event, in: "", access)
    let known = Dictionary(archers.map { ($0.id, $0) }) { first, _ in first }
    var request = ListLateOperationsRequest.with { ($0.tournamentID, $0.pageSize) = (event, 500) }
    var found: [NamedObject] = []
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Tournament.listLateOperations, wanted)
      }
      for late in page.operations {
        let operation = late.operation ?? ScoringOperation()
        let archer = known[operation.participantID]
        let place = "\(operation.endIndex + 1)-\(operation.arrowIndex + 1)"
        let value = operation.value.map { value in
          ": " + ArrowScore(value: Int(value), isX: operation.isX).description
        }
        found.append(
          NamedObject(
            id: late.id, event: event,
            keys: (archer?.keys ?? []).map { .init(kind: "arrow", text: "\($0.text)-\(place)") },
            archer: operation.participantID,
            label: "\(archer?.label ?? "participant \(operation.participantID)"),"
              + " end \(operation.endIndex + 1), arrow \(operation.arrowIndex + 1)"
              + "\(value ?? "")\(end)"))
      }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return found
  }

  /// The typed totals that count, by the part of the card.
  static func typedTotals(
    of event: Int64, _ end: String, _ access: Access
  ) async throws(Failure) -> [NamedObject] {
    var request = ListTypedTotalsRequest.with { ($0.tournamentID, $0.pageSize) = (event, 500) }
    var found: [NamedObject] = []
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Events.listTypedTotals, wanted)
      }
      found += page.totals.filter { $0.endedAtMilliseconds == 0 }.map { typed in
        let part = typed.part == 0 ? "round" : "part-\(typed.part)"
        let name = Terminal.oneLine(typed.displayName)
        return NamedObject(
          id: typed.id, event: event, keys: [.init(kind: "part", text: part)],
          archer: typed.participantID,
          label: "\(part) of \(name) with \(typed.sums?.total ?? 0)\(end)")
      }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return found
  }

  // MARK: Invitations

  static func shareInvites(
    _ access: Access, _ place: String
  ) async throws(RPCError) -> (objects: [NamedObject], next: String) {
    let page = try await access.client.call(
      Account.listShareInvites, .with { ($0.pageSize, $0.pageToken) = (500, place) })
    let newest = page.invites.sorted { $0.createdAtMilliseconds > $1.createdAtMilliseconds }
    let objects = newest.map { invite in
      let day = DayText.text(invite.untilDay)
      let parts = invite.parts.map { EnumWord.text(of: $0.rawValue, SharePart.schema) }
      return NamedObject(
        id: invite.id, keys: [.init(kind: "last day", text: day)],
        label: "invitation to read \(parts.joined(separator: ", ")) until \(day)")
    }
    return (objects, page.nextPageToken)
  }
}
