import QuiverAPI
import QuiverProtobuf
import QuiverRules

/// Events to score, and what a scorer does. Each change is kept here at once and sent in its turn.
extension OfflineSession {
  /// An event that is kept here.
  public struct ScoringEvent: Sendable, Equatable, Identifiable {
    public let id: LocalID
    /// 0: the server does not know it yet.
    public let serverID: Int64
    public let title: String
    public let isTournament: Bool
  }

  /// What is kept here, newest first.
  public func scoringEvents() async throws(SessionError) -> [ScoringEvent] {
    try await store().read { (transaction) throws(SessionError) in try transaction.events() }.map {
      ScoringEvent(
        id: LocalID(rawValue: $0.key), serverID: $0.serverID, title: $0.title,
        isTournament: $0.isTournament)
    }
  }

  /// Begins a session of rounds alone, with up to 3 guests; no server is needed.
  ///
  /// `format` is one of the library, cut to its first `arrowLimit` arrows where that is above 0.
  /// Throws for a format that is not in the library and for a setup that is not here.
  @discardableResult
  public func startRounds(
    codename: String, arrowLimit: Int = 0, guests: [String] = [], setup: LocalID? = nil
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
        reference: wanted, format: format, guests: guests, setup: object, ownName: name)
      return LocalID(rawValue: try self.eventEdits(transaction).start(draft))
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

  /// Takes over a tournament, which can be scored without a connection from then on.
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

  /// Makes a change of scores, and has it sent soon.
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
      throw SessionError(.notFound, "this event is not here any more")
    }
    return event
  }
}
