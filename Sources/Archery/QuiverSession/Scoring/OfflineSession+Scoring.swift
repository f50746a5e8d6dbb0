public import QuiverAPI
import QuiverProtobuf
import QuiverRules

/// Events and their scoring. Each change is stored on this device first and sent in order.
extension OfflineSession {
  /// A tournament or a practice session on this device.
  public struct ScoringEvent: Sendable, Equatable, Identifiable {
    /// The id of the event on this device.
    public let id: LocalID
    /// The id that the server assigned; 0: the server does not know the event yet.
    public let serverID: Int64
    /// The text to show: the tournament's name, or that of the round.
    public let title: String
    /// Whether it is a tournament.
    public let isTournament: Bool
  }

  /// The events on this device, newest first.
  public func scoringEvents() async throws(SessionError) -> [ScoringEvent] {
    try await store().read { (transaction) throws(SessionError) in try transaction.events() }.map {
      ScoringEvent(
        id: LocalID(rawValue: $0.key), serverID: $0.serverID, title: $0.title,
        isTournament: $0.isTournament)
    }
  }

  /// Begins a session of rounds without a tournament, with up to 3 guests; works without a
  /// connection.
  ///
  /// `format` is a library format; an `arrowLimit` above 0 takes its first arrows only. Throws for
  /// a format that is not in the library and for a setup that is not on this device.
  @discardableResult
  public func startRounds(
    codename: String, arrowLimit: Int = 0, guests: [String] = [], setup: LocalID? = nil,
    conditions: SessionConditions? = nil
  ) async throws(SessionError) -> LocalID {
    guard let known = RoundLibrary.format(codename) else {
      throw SessionError(.invalid, "there is no such round", field: "format.codename")
    }
    guard (0...known.arrowCount).contains(arrowLimit) else {
      throw SessionError(
        .invalid, "must be at most \(known.arrowCount)", field: "format.arrow_limit")
    }
    var reference = FormatReference()
    reference.codename = codename
    reference.arrowLimit = UInt32(clamping: arrowLimit)
    let format = arrowLimit == 0 ? known : known.cut(toArrows: arrowLimit)
    let name = shownName
    let wanted = reference
    return try await scoring { (transaction) throws(SessionError) in
      let object = try setup.map { (id) throws(SessionError) in
        guard let object = try transaction.object(id.rawValue), object.isVisible else {
          throw SessionError(.notFound, "this setup is not here any more")
        }
        return object
      }
      let draft = EventEdits.RoundsDraft(
        reference: wanted, format: format, guests: guests, setup: object, ownName: name,
        conditions: conditions)
      return LocalID(rawValue: try self.eventEdits(transaction).start(draft))
    }
  }

  /// Replaces the place, the weather, the wind and the light of a practice session, with or without
  /// a connection; nil: nothing is known of them. The last change of any device is kept.
  public func setConditions(
    _ conditions: SessionConditions?, of event: LocalID
  ) async throws(SessionError) {
    try await scoring { (transaction) throws(SessionError) in
      let known = try Self.event(event, transaction)
      try self.eventEdits(transaction).setConditions(conditions, of: known)
    }
  }

  /// Adds a guest to an event, with or without a connection.
  @discardableResult
  public func addGuest(_ name: String, to event: LocalID) async throws(SessionError) -> LocalID {
    try await scoring { (transaction) throws(SessionError) in
      let known = try Self.event(event, transaction)
      return LocalID(rawValue: try self.eventEdits(transaction).addGuest(name, to: known))
    }
  }

  /// Adds entries without an account to a tournament, as its organiser.
  @discardableResult
  public func addEntries(
    _ names: [String], to event: LocalID
  ) async throws(SessionError) -> [LocalID] {
    try await scoring { (transaction) throws(SessionError) in
      let known = try Self.event(event, transaction)
      return try self.eventEdits(transaction).addEntries(names, to: known).map {
        LocalID(rawValue: $0)
      }
    }
  }

  /// Downloads a tournament, which can be scored without a connection afterwards.
  @discardableResult
  public func loadTournament(_ serverID: Int64) async throws(SessionError) -> LocalID {
    let failure = await load { (store) throws(SessionError) in
      try await self.fetchTournament(serverID, store)
    }
    let known = try await store().read { (transaction) throws(SessionError) in
      try transaction.event(serverID: serverID)
    }
    if let failure, known == nil || !failure.isTransient { throw failure }
    guard let known else { throw SessionError(.notFound, "this event is not here") }
    return LocalID(rawValue: known.key)
  }

  /// Stores a change of scores, and wakes the sync loop.
  func scoring<Result: Sendable>(
    _ body: @escaping @Sendable (LocalTransaction) throws(SessionError) -> Result
  ) async throws(SessionError) -> Result {
    let result = try await store().write(body)
    wakeups.send([.outbox])
    return result
  }

  func scoringEdits(_ transaction: LocalTransaction) -> ScoringEdits {
    ScoringEdits(
      transaction: transaction, limits: configuration.limits,
      nowMilliseconds: WallClock.nowMilliseconds(), device: configuration.device)
  }

  private func eventEdits(_ transaction: LocalTransaction) -> EventEdits {
    EventEdits(
      transaction: transaction, limits: configuration.limits,
      nowMilliseconds: WallClock.nowMilliseconds())
  }

  static func event(
    _ id: LocalID, _ transaction: LocalTransaction
  ) throws(SessionError) -> LocalEvent {
    guard let event = try transaction.event(id.rawValue) else {
      throw SessionError(.notFound, "this event is no longer on this device")
    }
    return event
  }
}
