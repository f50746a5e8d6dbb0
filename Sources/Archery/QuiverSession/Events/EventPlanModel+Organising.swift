public import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// What organisers and judges change over the server. The server's limits and refusals hold.
extension EventPlanModel {
  /// Adds a category, with a round of its own unless `format` is nil. By an organiser.
  @discardableResult
  public func createCategory(
    _ category: EventCategory, format: FormatReference? = nil
  ) async throws(SessionError) -> EventCategory {
    var request = CreateEventCategoryRequest()
    (request.category, request.format) = (category, format)
    request.category?.tournamentID = event
    return try await organise("add a category", Events.createEventCategory, request)
  }

  /// Replaces the fields of a category at the revision that it has. By an organiser.
  @discardableResult
  public func updateCategory(
    _ category: EventCategory
  ) async throws(SessionError) -> EventCategory {
    try await organise(
      "change a category", Events.updateEventCategory, .with { $0.category = category })
  }

  /// Deletes a category without entries. By an organiser.
  public func deleteCategory(_ id: Int64) async throws(SessionError) {
    let event = event
    _ = try await organise(
      "delete a category", Events.deleteEventCategory,
      .with { ($0.tournamentID, $0.categoryID) = (event, id) })
  }

  /// Adds a round to a category, at the revision that it has: before the round of a number, or
  /// after all rounds (0). By an organiser.
  @discardableResult
  public func addRound(
    _ format: FormatReference, to category: EventCategory, before number: Int = 0
  ) async throws(SessionError) -> EventCategory {
    let event = event
    return try await organise(
      "add a round", Events.addQualificationRound,
      .with { request in
        (request.tournamentID, request.categoryID) = (event, category.id)
        (request.revision, request.format) = (category.revision, format)
        request.before = UInt32(clamping: number)
      })
  }

  /// Removes a round of a category, at the revision that it has. By an organiser.
  @discardableResult
  public func removeRound(
    _ number: Int, of category: EventCategory
  ) async throws(SessionError) -> EventCategory {
    let event = event
    return try await organise(
      "remove a round", Events.removeQualificationRound,
      .with { request in
        (request.tournamentID, request.categoryID) = (event, category.id)
        (request.revision, request.number) = (category.revision, UInt32(clamping: number))
      })
  }

  /// Adds up to 1,000 entries without an account. By an organiser.
  @discardableResult
  public func importEntries(
    _ entries: [EventEntryDraft]
  ) async throws(SessionError) -> [EventEntry] {
    let event = event
    return try await organise(
      "import entries", Events.importEventEntries,
      .with { ($0.tournamentID, $0.entries) = (event, entries) }
    ).entries
  }

  /// Changes fields of an entry, by the names that `UpdateEventEntryRequest.updateMask` has. By
  /// an organiser.
  @discardableResult
  public func updateEntry(
    _ entry: EventEntry, fields: [String]
  ) async throws(SessionError) -> EventEntry {
    try await organise(
      "change an entry", Events.updateEventEntry,
      .with { ($0.entry, $0.updateMask) = (entry, fields) })
  }

  /// Checks an entry in, or notes that it did not start or finish. By an organiser or a judge.
  @discardableResult
  public func setState(
    _ state: EventEntryState, of participant: Int64, reason: String = ""
  ) async throws(SessionError) -> EventEntry {
    try await organise(
      "change the state of an entry", Events.setEventEntryState,
      .with { ($0.participantID, $0.state, $0.reason) = (participant, state, reason) })
  }

  /// Adds a session with targets for a round. By an organiser.
  @discardableResult
  public func createSession(
    _ session: EventSession
  ) async throws(SessionError) -> EventSession {
    var request = CreateEventSessionRequest()
    request.session = session
    request.session?.tournamentID = event
    return try await organise("add a session", Events.createEventSession, request)
  }

  /// Replaces the fields of a session at the revision that it has. By an organiser.
  @discardableResult
  public func updateSession(
    _ session: EventSession
  ) async throws(SessionError) -> EventSession {
    try await organise(
      "change a session", Events.updateEventSession, .with { $0.session = session })
  }

  /// Deletes a session without entries. By an organiser.
  public func deleteSession(_ id: Int64) async throws(SessionError) {
    let event = event
    _ = try await organise(
      "delete a session", Events.deleteEventSession,
      .with { ($0.tournamentID, $0.sessionID) = (event, id) })
  }

  /// Draws the entries of a session to its free places. By an organiser.
  ///
  /// `fill` sets further fields of the request, for example a category or a seed.
  @discardableResult
  public func drawTargets(
    inSession id: Int64, _ method: DrawMethod = .random,
    _ fill: (inout DrawTargetsRequest) -> Void = { _ in }
  ) async throws(SessionError) -> [EventEntry] {
    var request = DrawTargetsRequest()
    fill(&request)
    (request.tournamentID, request.sessionID, request.method) = (event, id, method)
    return try await organise("draw targets", Events.drawTargets, request).entries
  }

  /// Moves an entry to a place of a session, or removes its place (target 0); `swaps` gives its
  /// place to whoever has that one. By an organiser or a judge.
  @discardableResult
  public func place(
    _ participant: Int64, inSession id: Int64, target: Int, letter: String, swaps: Bool = false
  ) async throws(SessionError) -> EventEntry {
    try await organise(
      "place an entry", Events.placeEventEntry,
      .with { request in
        (request.participantID, request.sessionID) = (participant, id)
        (request.target, request.letter) = (UInt32(clamping: target), letter)
        request.swap = swaps
      })
  }

  /// Has the change made once, and loads the structure.
  private func organise<Request: Message, Response: Message>(
    _ operation: String, _ method: UnaryMethod<Request, Response>, _ request: Request
  ) async throws(SessionError) -> Response {
    let event = event
    return try await change(operation) { (session) async throws(SessionError) in
      let reply = try await session.once(method, request)
      // Without a connection the next load shows it.
      _ = await session.load { (store) throws(SessionError) in
        try await session.fetchEventPlan(event, store)
      }
      return reply
    }
  }
}
