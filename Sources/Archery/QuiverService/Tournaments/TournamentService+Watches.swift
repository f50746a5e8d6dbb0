import QuiverAPI
import QuiverRPC
import QuiverRules
import QuiverStore
import QuiverWire
import Synchronization

extension TournamentService {
  func watchLeaderboard(
    _ request: WatchLeaderboardRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchLeaderboardResponse>
  ) throws {
    let viewer = try call.viewer(of: request.tournamentID)
    let rows = try Self.window(request)
    let reader = ReadNames()
    commands.read(call, replies) { () throws(StoreError) in
      try checkShown(request, to: viewer)
      reader.set(try names(of: request.tournamentID, shownTo: viewer))
    } start: { () throws(RPCError) in
      var key = rows
      key.reader = reader.value
      try leaderboards.start(
        key, of: request.tournamentID, call, viewer: viewer.principal, replies)
    }
  }

  /// Whose names a watch shows: where an event hides none, one window is for all.
  private func names(
    of tournament: Int64, shownTo viewer: Viewer
  ) throws(StoreError) -> NameReader {
    let store = commands.store
    let hides = try store.leaderboard(tournament).read { (_, order, _) in order.hidesNames }
    guard hides else { return .member }
    return try store.read { (snapshot) throws(StoreError) in
      try snapshot.nameReader(event: tournament, principal: viewer.principal)
    }
  }

  /// Throws NOT_FOUND unless the viewer sees the event, and who its window is around takes part.
  private func checkShown(
    _ request: WatchLeaderboardRequest, to viewer: Viewer
  ) throws(StoreError) {
    try commands.store.read { (snapshot) throws(StoreError) in
      _ = try snapshot.visibleTournament(id: request.tournamentID, principal: viewer.principal)
      try snapshot.checkPart(request.part, of: request.tournamentID)
      let id = request.aroundParticipantID
      guard id != 0 else { return }
      guard try snapshot.participant(id: id)?.sessionID == request.tournamentID else {
        throw StoreError(
          .notFound, "there is no such participant of this event",
          field: "around_participant_id")
      }
    }
  }

  func watchTournament(
    _ request: WatchTournamentRequest, _ call: CallContext,
    _ replies: StreamResponder<WatchTournamentResponse>
  ) throws {
    let viewer = try call.viewer(of: request.tournamentID)
    commands.read(call, replies) { () throws(StoreError) in
      try commands.store.checkSees(request.tournamentID, principal: viewer.principal)
    } start: { () throws(RPCError) in
      try JournalWatch.start(
        TournamentWatch(event: request.tournamentID, principal: viewer.principal), watches, call,
        replies)
    }
  }

  private static func window(
    _ request: WatchLeaderboardRequest
  ) throws -> LeaderboardWindowKey {
    let isPart = request.part != Snapshot.EntryFilter() || request.firstRow != 0
    guard request.aroundParticipantID == 0 else {
      guard !isPart else {
        throw RPCError.invalid("around_participant_id", "must not be given beside a part")
      }
      guard request.top == 0 else {
        throw RPCError.invalid("top", "must not be given beside around_participant_id")
      }
      let around = Int(request.around)
      guard around <= LeaderboardWindowKey.maximumAround else {
        throw RPCError.invalid("around", "must be at most \(LeaderboardWindowKey.maximumAround)")
      }
      return .around(
        request.aroundParticipantID, around == 0 ? LeaderboardWindowKey.defaultAround : around)
    }
    guard request.top <= UInt32(LeaderboardWindowKey.maximumTop) else {
      throw RPCError.invalid("top", "must be at most \(LeaderboardWindowKey.maximumTop)")
    }
    let count = request.top == 0 ? LeaderboardWindowKey.defaultTop : Int(request.top)
    guard isPart else { return .top(count) }
    guard request.club.count <= StoreLimits.entryTextLength else {
      throw RPCError.invalid("club", "must have at most \(StoreLimits.entryTextLength) characters")
    }
    return .part(request.part, first: Int(request.firstRow), count: count)
  }

  /// Batches one after the other, in the order in which they come.
  func syncOperations(
    _ requests: RequestStream<SyncOperationsRequest>, _ call: CallContext,
    _ replies: ReplyWriter<SyncOperationsResponse>
  ) async throws {
    let caller = try call.storeCaller()
    guard call.caller?.mayMutate == true else {
      throw RPCError(.permissionDenied, "this call takes a token of the scope write")
    }
    for try await request in requests {
      let slices = try ScoringCalls.commands(request.operations)
      let outcomes: [ScoringOutcome]
      do throws(StoreError) {
        outcomes = try await scoring.apply(slices[...], CommandOptions(caller: caller))
      } catch {
        throw RPCError(error)
      }
      var response = SyncOperationsResponse()
      response.batch = request.batch
      response.verdicts = zip(outcomes, request.operations).map {
        OperationVerdict($0, clientID: $1.clientID)
      }
      try await replies.send(response)
    }
  }
}

/// What the read before a watch has found for its start, which comes after it.
private final class ReadNames: Sendable {
  private let reader = Mutex(NameReader.everybody)

  func set(_ found: NameReader) { reader.withLock { $0 = found } }

  var value: NameReader { reader.withLock { $0 } }
}

extension WatchLeaderboardRequest {
  /// The part of the event whose rows it asks for; empty: the whole leaderboard.
  fileprivate var part: Snapshot.EntryFilter {
    var part = Snapshot.EntryFilter()
    part.category = categoryID
    part.session = sessionID
    part.club = club
    return part
  }
}

extension CommandCalls {
  /// Submits a command of a stream, and waits for its reply without holding a thread.
  ///
  /// It runs even if the call is cancelled in the meantime.
  func perform<C: Command>(
    _ command: C, by caller: CommandCaller
  ) async throws(StoreError) -> C.Reply {
    try await perform(command, CommandOptions(caller: caller))
  }

  /// The same with a deadline and a cancellation, and without a key.
  func perform<C: Command>(
    _ command: C, _ options: CommandOptions
  ) async throws(StoreError) -> C.Reply {
    let result = await withCheckedContinuation { continuation in
      let reply = KeptReply<C.Reply>()
      store.submit(
        command, options, target: DirectTarget.shared,
        encode: { value in
          reply.keep(value)
          return []
        },
        completion: { result in continuation.resume(returning: reply.result(result)) })
    }
    return try result.get()
  }
}
