import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore

extension EventsService {
  var entryRoutes: [Route] {
    [
      .responding(Events.importEventEntries, importEntries),
      .responding(Events.updateEventEntry, updateEntry),
      .reading(Events.listEventEntries, commands, listEntries),
      .responding(Events.setEventEntryState, setState),
      .responding(Events.drawTargets, drawTargets),
      .responding(Events.placeEventEntry, placeEntry),
    ]
  }

  func importEntries(
    _ request: ImportEventEntriesRequest, _ call: CallContext,
    _ responder: Responder<ImportEventEntriesResponse>
  ) throws {
    let caller = try commands.commandCaller(call)
    guard (1...ImportEntries.maximumCount).contains(request.entries.count) else {
      throw RPCError.invalid("entries", "must be from 1 to \(ImportEntries.maximumCount)")
    }
    let drafts = try request.entries.enumerated().map { index, entry in
      var content = EventEntryContent()
      content.bib = entry.bib
      content.club = entry.club
      content.country = entry.country
      content.licence = entry.licence
      content.bow = entry.bowstyle.rawValue
      content.gender = entry.gender.rawValue
      content.age = entry.ageGroup.rawValue
      content.isFixed = entry.fixedPlace
      content.usesWheelchair = entry.wheelchair
      let path = "entries[\(index)]."
      content.faceLayout = try QuiverStore.FaceLayout.checked(
        entry.faceLayout.rawValue, field: path + "face_layout")
      content.publicName = try QuiverRules.PublicName.checked(
        entry.publicName.rawValue, field: path + "public_name")
      return try ImportEntries.Draft(
        name: entry.name, clientID: entry.clientID, content, categoryCode: entry.categoryCode,
        session: entry.sessionID, target: entry.target, letter: entry.letter, path: path)
    }
    let slices = try ImportEntries.slices(of: drafts, to: request.tournamentID)
    commands.submit(slices, .joined, by: caller, call, responder) { records in
      var response = ImportEventEntriesResponse()
      response.entries = records.map { EventEntry($0) }
      return response
    }
  }

  func updateEntry(
    _ request: UpdateEventEntryRequest, _ call: CallContext, _ responder: Responder<EventEntry>
  ) throws {
    try commands.submit(call, responder) {
      let entry = try EventEntry.given(request.entry)
      let mask = request.updateMask
      try NamedFields.check(
        mask, changeable: UpdateEntry.fields, of: EventEntry.self, called: "entry")
      var change = UpdateEntry.Change()
      if mask.contains("bib") { change.bib = entry.bib }
      if mask.contains("club") { change.club = entry.club }
      if mask.contains("country") { change.country = entry.country }
      if mask.contains("licence") { change.licence = entry.licence }
      if mask.contains("category_id") { change.category = entry.categoryID }
      if mask.contains("session_id") { change.session = entry.sessionID }
      if mask.contains("display_name") { change.name = entry.displayName }
      if mask.contains("bowstyle") { change.bow = entry.bowstyle.rawValue }
      if mask.contains("gender") { change.gender = entry.gender.rawValue }
      if mask.contains("age_group") { change.age = entry.ageGroup.rawValue }
      if mask.contains("face_layout") { change.faceLayout = entry.faceLayout.rawValue }
      if mask.contains("public_name") { change.publicName = entry.publicName.rawValue }
      if mask.contains("fixed_place") { change.isFixed = entry.fixedPlace }
      if mask.contains("wheelchair") { change.usesWheelchair = entry.wheelchair }
      return try UpdateEntry(
        entry.participantID, change, expected: request.expectedRevision)
    }
  }

  func listEntries(
    _ request: ListEventEntriesRequest, _ call: CallContext
  ) throws -> ListEventEntriesResponse {
    let caller = try call.storeCaller().principal
    var filter = Snapshot.EntryFilter()
    filter.category = request.categoryID
    filter.session = request.sessionID
    filter.club = request.club
    let asked = filter
    return try commands.store.read { (snapshot) throws(StoreError) in
      let page = try snapshot.eventEntryPage(
        event: request.tournamentID, asked, principal: caller, pageSize: request.pageSize,
        pageToken: request.pageToken)
      let isOfficial = try snapshot.isOfficial(caller, of: request.tournamentID)
      var response = ListEventEntriesResponse()
      response.entries = page.items.map {
        EventEntry($0, showsLicence: isOfficial || $0.principal == caller)
      }
      response.nextPageToken = page.nextPageToken
      return response
    }
  }

  func setState(
    _ request: SetEventEntryStateRequest, _ call: CallContext, _ responder: Responder<EventEntry>
  ) throws {
    try commands.submit(call, responder) {
      try SetEntryState(
        request.participantID, QuiverStore.EventEntryState(rawValue: request.state.rawValue),
        reason: request.reason, expected: request.expectedRevision)
    }
  }

  func drawTargets(
    _ request: DrawTargetsRequest, _ call: CallContext,
    _ responder: Responder<DrawTargetsResponse>
  ) throws {
    let caller = try call.storeCaller()
    var scope = DrawPlaces.Scope()
    scope.event = request.tournamentID
    scope.session = request.sessionID
    scope.category = request.categoryID
    scope.firstTarget = request.firstTarget
    scope.lastTarget = request.lastTarget
    scope.redraws = request.redraw
    scope.takesWaiting = request.includeWaiting
    scope.expectedRevision = request.expectedRevision
    let command = try DrawPlaces(
      scope, DrawPlaces.Method(rawValue: request.method.rawValue), seed: request.seed)
    commands.submit(command, by: caller, call, responder) { reply in
      var response = DrawTargetsResponse()
      response.entries = reply.entries.map { EventEntry($0) }
      response.seed = reply.seed
      response.mixedTargets = reply.mixed.map { mixed in
        MixedTarget.with { shown in
          shown.target = UInt32(clamping: mixed.target)
          (shown.distances, shown.faces) = (mixed.hasDistances, mixed.hasFaces)
        }
      }
      return response
    }
  }

  func placeEntry(
    _ request: PlaceEventEntryRequest, _ call: CallContext, _ responder: Responder<EventEntry>
  ) throws {
    try commands.submit(call, responder) {
      try PlaceEntry(
        request.participantID, session: request.sessionID, target: request.target,
        letter: request.letter, swaps: request.swap,
        expected: PlaceEntry.Expected(
          own: request.expectedRevision, other: request.otherRevision))
    }
  }
}
