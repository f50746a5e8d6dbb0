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
    try await organise("add a category", Events.createEventCategory) { request in
      (request.category, request.format) = (category, format)
      request.category?.tournamentID = event
    }
  }

  /// Replaces the fields of a category at the revision that it has. By an organiser.
  @discardableResult
  public func updateCategory(
    _ category: EventCategory
  ) async throws(SessionError) -> EventCategory {
    try await organise("change a category", Events.updateEventCategory) { $0.category = category }
  }

  /// Deletes a category without entries. By an organiser.
  public func deleteCategory(_ id: Int64) async throws(SessionError) {
    try await organise("delete a category", Events.deleteEventCategory) {
      ($0.tournamentID, $0.categoryID) = (event, id)
    }
  }

  /// Adds a round to a category, at the revision that it has: before the round of a number, or
  /// after all rounds (0). By an organiser.
  @discardableResult
  public func addRound(
    _ format: FormatReference, to category: EventCategory, before number: Int = 0
  ) async throws(SessionError) -> EventCategory {
    try await organise("add a round", Events.addQualificationRound) {
      (request) throws(SessionError) in
      (request.tournamentID, request.categoryID) = (event, category.id)
      (request.revision, request.format) = (category.revision, format)
      request.before = try UInt32(number, field: "before")
    }
  }

  /// Removes a round of a category, at the revision that it has. By an organiser.
  @discardableResult
  public func removeRound(
    _ number: Int, of category: EventCategory
  ) async throws(SessionError) -> EventCategory {
    try await organise("remove a round", Events.removeQualificationRound) {
      (request) throws(SessionError) in
      (request.tournamentID, request.categoryID) = (event, category.id)
      (request.revision, request.number) = (
        category.revision, try UInt32(number, field: "number")
      )
    }
  }

  /// Adds up to 1,000 entries without an account. By an organiser.
  @discardableResult
  public func importEntries(
    _ entries: [EventEntryDraft]
  ) async throws(SessionError) -> [EventEntry] {
    try await organise("import entries", Events.importEventEntries) {
      ($0.tournamentID, $0.entries) = (event, entries)
    }.entries
  }

  /// Changes fields of an entry, by the names that `UpdateEventEntryRequest.updateMask` has. By
  /// an organiser.
  @discardableResult
  public func updateEntry(
    _ entry: EventEntry, fields: [String]
  ) async throws(SessionError) -> EventEntry {
    try await organise("change an entry", Events.updateEventEntry) {
      ($0.entry, $0.updateMask) = (entry, fields)
    }
  }

  /// Checks an entry in, or notes that it did not start or finish. By an organiser or a judge.
  @discardableResult
  public func setState(
    _ state: EventEntryState, of participant: Int64, reason: String = ""
  ) async throws(SessionError) -> EventEntry {
    try await organise("change the state of an entry", Events.setEventEntryState) {
      ($0.participantID, $0.state, $0.reason) = (participant, state, reason)
    }
  }

  /// Adds a session with targets for a round. By an organiser.
  @discardableResult
  public func createSession(
    _ session: EventSession
  ) async throws(SessionError) -> EventSession {
    try await organise("add a session", Events.createEventSession) { request in
      request.session = session
      request.session?.tournamentID = event
    }
  }

  /// Replaces the fields of a session at the revision that it has. By an organiser.
  @discardableResult
  public func updateSession(
    _ session: EventSession
  ) async throws(SessionError) -> EventSession {
    try await organise("change a session", Events.updateEventSession) { $0.session = session }
  }

  /// Sets which places of a session nobody gets, as `4C` or `4` for a whole target, and which
  /// targets archers in wheelchairs are drawn to first. Both lists replace those of the session. By
  /// an organiser.
  @discardableResult
  public func setPlaces(
    ofSession id: Int64, blocked: [String], wheelchairs: [UInt32]
  ) async throws(SessionError) -> EventSession {
    try await organise("set the places of a session", Events.setSessionPlaces) { request in
      (request.tournamentID, request.sessionID) = (event, id)
      (request.blockedPlaces, request.wheelchairTargets) = (blocked, wheelchairs)
    }
  }

  /// Deletes a session without entries. By an organiser.
  public func deleteSession(_ id: Int64) async throws(SessionError) {
    try await organise("delete a session", Events.deleteEventSession) {
      ($0.tournamentID, $0.sessionID) = (event, id)
    }
  }

  /// Draws the entries of a session to its free places. By an organiser.
  ///
  /// `fill` sets further fields of the request, for example a category or a seed.
  @discardableResult
  public func drawTargets(
    inSession id: Int64, _ method: DrawMethod = .random,
    _ fill: (inout DrawTargetsRequest) -> Void = { _ in }
  ) async throws(SessionError) -> [EventEntry] {
    try await organise("draw targets", Events.drawTargets) { request in
      fill(&request)
      (request.tournamentID, request.sessionID, request.method) = (event, id, method)
    }.entries
  }

  /// Moves an entry to a place of a session, or removes its place (target 0); `swaps` gives its
  /// place to whoever has that one. By an organiser or a judge.
  @discardableResult
  public func place(
    _ participant: Int64, inSession id: Int64, target: Int, letter: String, swaps: Bool = false
  ) async throws(SessionError) -> EventEntry {
    try await organise("place an entry", Events.placeEventEntry) {
      (request) throws(SessionError) in
      (request.participantID, request.sessionID) = (participant, id)
      (request.target, request.letter) = (try UInt32(target, field: "target"), letter)
      request.swap = swaps
    }
  }
}
