import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC

/// Reads what can be named from the server.
enum NameLists {
  /// The objects of a kind in an event; `suffix` is the name of the event where labels need it.
  static func objects(
    _ kind: NamedKind, of event: Int64, in suffix: String, _ access: Access
  ) async throws(Failure) -> [NamedObject] {
    let end = suffix.isEmpty ? "" : ", \(suffix)"
    switch kind {
    case .category:
      return try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(
          Events.listEventCategories, .with { $0.tournamentID = event })
      }.categories.map { object($0, end) }
    case .session:
      return try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Events.listEventSessions, .with { $0.tournamentID = event })
      }.sessions.map { session in
        NamedObject(
          id: session.id, event: event, names: [session.name],
          label: Terminal.oneLine(session.name) + end)
      }
    case .archer:
      return try await EventResultRows.entries(event, access).map { object($0, end) }
    case .stage:
      return try await stages(of: event, access).map { stage in
        NamedObject(
          id: stage.id, event: event,
          keys: [.init(kind: "code", text: StageName.code(stage))],
          label: StageName.code(stage) + end)
      }
    case .match:
      var found: [NamedObject] = []
      let stages = try await stages(of: event, access)
      for stage in stages {
        let bracket = try await access.attemptPlainly { () async throws(RPCError) in
          try await access.client.call(Elimination.getBracket, .with { $0.stageID = stage.id })
        }
        found += bracket.matches.map { match in
          object(match, in: bracket.stage ?? stage, isOnly: stages.count == 1, event, end)
        }
      }
      return found
    case .device, .call, .official: return try await people(kind, of: event, end, access)
    case .late: return try await lateArrows(of: event, end, access)
    case .typed: return try await typedTotals(of: event, end, access)
    case .event, .setup, .item, .account, .token, .invite, .binding, .weight, .ownRound, .share,
      .sharer, .deletedWeight, .practice, .shooter, .mark, .set, .shareInvite:
      return []
    }
  }

  /// The devices, the open calls, or those who have a part in an event.
  private static func people(
    _ kind: NamedKind, of event: Int64, _ end: String, _ access: Access
  ) async throws(Failure) -> [NamedObject] {
    switch kind {
    case .device:
      return try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Events.listEventDevices, .with { $0.tournamentID = event })
      }.devices.map { device in
        NamedObject(
          id: device.principalID, event: event, names: [device.device],
          label: Terminal.oneLine(device.device) + end)
      }
    case .call: return try await calls(of: event, end, access)
    default: return try await officials(of: event, end, access)
    }
  }

  private static func calls(
    of event: Int64, _ end: String, _ access: Access
  ) async throws(Failure) -> [NamedObject] {
    var request = ListTargetCallsRequest()
    (request.tournamentID, request.pageSize) = (event, 500)
    var found: [NamedObject] = []
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Events.listTargetCalls, wanted)
      }
      found += page.calls.map { call in
        let kind = EnumWord.text(of: call.kind.rawValue, TargetCallKind.schema)
        let name = call.displayName.isEmpty ? "" : ", \(Terminal.oneLine(call.displayName))"
        return NamedObject(
          id: call.id, event: event, keys: [.init(kind: "target", text: "\(call.target)")],
          names: call.displayName.isEmpty ? [] : [call.displayName],
          label: "\(kind) at target \(call.target)\(name)\(end)")
      }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return found
  }

  /// Each principal once: who takes part with an account, has a role, or scores for others.
  private static func officials(
    of event: Int64, _ end: String, _ access: Access
  ) async throws(Failure) -> [NamedObject] {
    var people: [(id: Int64, name: String)] = []
    people += try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Events.listEventOfficials, .with { $0.tournamentID = event })
    }.officials.map { ($0.principalID, $0.displayName) }
    people += try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Tournament.listScorers, .with { $0.tournamentID = event })
    }.scorers.map { ($0.principalID, $0.displayName) }
    var request = ListParticipantsRequest()
    (request.tournamentID, request.pageSize) = (event, 500)
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Tournament.listParticipants, wanted)
      }
      people += page.participants.filter { $0.kind == .user }.map {
        ($0.principalID, $0.displayName)
      }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    var known: Set<Int64> = []
    return people.filter { known.insert($0.id).inserted }.map { person in
      NamedObject(
        id: person.id, event: event, names: [person.name],
        label: Terminal.oneLine(person.name) + end)
    }
  }

  /// The objects of a kind that is not part of an event.
  static func objects(
    _ kind: NamedKind, _ access: Access
  ) async throws(Failure) -> [NamedObject] {
    switch kind {
    case .setup: return try await setups(access)
    case .item: return try await items(access)
    case .account: return try await accounts(access)
    case .mark: return try await marks(access)
    case .token, .invite, .binding, .weight, .ownRound, .share, .sharer, .deletedWeight, .practice,
      .shareInvite:
      return try await records(kind, access)
    case .event, .category, .session, .archer, .stage, .match, .device, .call, .official, .late,
      .typed, .shooter, .set:
      return []
    }
  }

  private static func stages(
    of event: Int64, _ access: Access
  ) async throws(Failure) -> [EliminationStage] {
    try await access.attemptPlainly { () async throws(RPCError) in
      try await access.client.call(Elimination.listStages, .with { $0.tournamentID = event })
    }.stages
  }

  static func object(_ event: TournamentEvent) -> NamedObject {
    let name = Terminal.oneLine(event.name)
    var keys: [NamedObject.Key] = []
    if !event.joinCode.isEmpty { keys.append(.init(kind: "join code", text: event.joinCode)) }
    return NamedObject(id: event.id, event: event.id, keys: keys, names: [event.name], label: name)
  }

  private static func object(_ category: EventCategory, _ end: String) -> NamedObject {
    let code = Terminal.oneLine(category.code)
    let name = category.name.isEmpty ? "" : " \(Terminal.oneLine(category.name))"
    return NamedObject(
      id: category.id, event: category.tournamentID,
      keys: [.init(kind: "code", text: category.code)],
      names: category.name.isEmpty ? [] : [category.name], label: code + name + end)
  }

  private static func object(_ entry: EventEntry, _ end: String) -> NamedObject {
    let places =
      ([(entry.target, entry.letter)] + entry.laterPlaces.map { ($0.target, $0.letter) })
      .filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }
    var keys = places.map { NamedObject.Key(kind: "place", text: $0) }
    if !entry.bib.isEmpty { keys.insert(.init(kind: "bib", text: entry.bib), at: 0) }
    let marks = (entry.bib.isEmpty ? [] : ["bib \(Terminal.oneLine(entry.bib))"]) + places
    let shown = marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))"
    return NamedObject(
      id: entry.participantID, event: entry.tournamentID, keys: keys, names: [entry.displayName],
      label: Terminal.oneLine(entry.displayName) + shown + end)
  }

  private static func object(
    _ match: EliminationMatch, in stage: EliminationStage, isOnly: Bool, _ event: Int64,
    _ end: String
  ) -> NamedObject {
    let code = StageName.code(match, in: stage)
    var keys = [NamedObject.Key(kind: "code", text: code)]
    if isOnly { keys.append(.init(kind: "code", text: StageName.place(match))) }
    let sides = match.sides.map { Terminal.oneLine($0.displayName) }.filter { !$0.isEmpty }
    let shown = sides.isEmpty ? "" : " (\(sides.joined(separator: " : ")))"
    return NamedObject(id: match.id, event: event, keys: keys, label: code + shown + end)
  }

  static func setups(_ access: Access) async throws(Failure) -> [NamedObject] {
    var request = ListBowSetupsRequest()
    (request.includeInactive, request.pageSize) = (true, 500)
    var found: [NamedObject] = []
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Equipment.listBowSetups, wanted)
      }
      found += page.setups.map { setup in
        let name = setup.name
        return NamedObject(id: setup.id, names: [name], label: Terminal.oneLine(name))
      }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return found
  }

  static func items(_ access: Access) async throws(Failure) -> [NamedObject] {
    var request = ListItemsRequest()
    (request.includeArchived, request.pageSize) = (true, 500)
    var found: [NamedObject] = []
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Equipment.listItems, wanted)
      }
      found += page.items.map(object)
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return found
  }

  private static func object(_ item: EquipmentItem) -> NamedObject {
    let type = ItemType.word(for: item.type)
    let name = "\(item.displayBrand) \(item.displayModel)"
    return NamedObject(
      id: item.id, names: [name, item.displayModel, "\(type) \(name)"], type: item.type.rawValue,
      label: "\(type) \(Terminal.oneLine(name))")
  }

  private static func accounts(_ access: Access) async throws(Failure) -> [NamedObject] {
    var request = ListPrincipalsRequest()
    request.pageSize = 500
    var found: [NamedObject] = []
    repeat {
      let wanted = request
      let page = try await access.attemptPlainly { () async throws(RPCError) in
        try await access.client.call(Admin.listPrincipals, wanted)
      }
      found += page.principals.map { principal in
        NamedObject(
          id: principal.id, names: [principal.shownName],
          label: Terminal.oneLine(principal.shownName))
      }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    return found
  }

  /// The object with an id; nil if there is none that the caller may see.
  static func object(_ kind: NamedKind, _ id: Int64, _ access: Access) async -> NamedObject? {
    switch kind {
    case .event:
      let event = try? await access.client.call(Tournament.getTournament, .with { $0.id = id })
      return event.map(object)
    case .archer:
      let card = try? await access.client.call(
        Events.getComparedCard, .with { $0.participantID = id })
      return card.map { card in
        NamedObject(
          id: id, event: card.tournamentID, names: [card.displayName],
          label: Terminal.oneLine(card.displayName))
      }
    case .stage:
      let bracket = try? await access.client.call(Elimination.getBracket, .with { $0.stageID = id })
      return bracket?.stage.map { stage in
        NamedObject(id: id, event: stage.tournamentID, label: StageName.code(stage))
      }
    case .match:
      let match = try? await access.client.call(Elimination.getMatch, .with { $0.matchID = id })
      return match.map { match in
        NamedObject(
          id: id, event: match.tournamentID,
          label: match.stage.map { StageName.code(match, in: $0) } ?? "match \(id)")
      }
    case .practice:
      let session = try? await access.client.call(Rounds.getSession, .with { $0.id = id })
      return session.map(practice)
    case .shooter:
      let card = try? await access.client.call(Rounds.getScorecard, .with { $0.participantID = id })
      return card.map { card in
        NamedObject(id: id, label: Terminal.oneLine(card.round?.displayName ?? "participant"))
      }
    case .set:
      let set = try? await access.client.call(Logbook.getSet, .with { $0.id = id })
      return set.map(lift)
    case .mark, .deletedWeight, .shareInvite:
      return (try? await objects(kind, access))?.first { $0.id == id }
    // Their lists are complete, but for calls that are resolved and tokens that are revoked.
    case .category, .session, .setup, .item, .account, .device, .call, .official, .token, .invite,
      .binding, .weight, .ownRound, .share, .sharer, .late, .typed:
      return nil
    }
  }
}
