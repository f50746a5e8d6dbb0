import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension OfflineSession {
  /// The number of leaderboard rows that a watch covers; further rows come with each load.
  private static let followedRows: UInt32 = 200

  /// Keeps the local copy of a tournament current: its status, participants and scores.
  ///
  /// Resumes after the last message when the connection returns, until the task is cancelled or the
  /// session is closed. Returns the error with which the server permanently ended the watch. Calls
  /// `onUpdate` after each message.
  func follow(
    _ key: Int64, onUpdate: @escaping @Sendable () async -> Void
  ) async -> SessionError? {
    guard let store = try? store(),
      let event = try? await store.read({ (transaction) throws(SessionError) in
        try transaction.event(key)
      }), event.isTournament, event.isOnServer
    else { return nil }
    var request = WatchTournamentRequest()
    request.tournamentID = event.serverID
    var window = WatchLeaderboardRequest()
    window.tournamentID = event.serverID
    window.top = Self.followedRows
    return await withTaskGroup(of: SessionError?.self) { [request, window] group in
      group.addTask {
        await self.watch(Tournament.watchTournament, request) { (message) throws(SessionError) in
          try await self.take(message, of: key, in: store)
          await onUpdate()
        }
      }
      group.addTask {
        await self.watch(Tournament.watchLeaderboard, window) { (message) throws(SessionError) in
          try await self.take(message, of: key, in: store)
          await onUpdate()
        }
      }
      let last = await group.next() ?? nil
      group.cancelAll()
      return last
    }
  }

  private func take(
    _ message: WatchTournamentResponse, of key: Int64, in store: LocalStore
  ) async throws(SessionError) {
    let now = WallClock.nowMilliseconds()
    let mayGoOn = try await store.write { (transaction) throws(SessionError) in
      try transaction.take(message, of: key, fetchedAt: now, limits: store.limits)
    }
    if mayGoOn { wakeups.send([.outbox]) }
  }

  private func take(
    _ message: WatchLeaderboardResponse, of key: Int64, in store: LocalStore
  ) async throws(SessionError) {
    let changed = try await store.write { (transaction) throws(SessionError) in
      try transaction.take(message, of: key)
    }
    guard !changed.isEmpty else { return }
    // Runs after the requests in progress, and before the next message is read.
    await queue.run {
      do throws(SessionError) {
        let cards = try await self.cards(of: changed)
        try await store.write { (transaction) throws(SessionError) in
          try transaction.takeCards(cards, of: key)
        }
      } catch {
        // The next change or load asks again.
      }
    }
  }

  /// Reads a watch and resumes it after lost connections. Returns the error with which the server
  /// ended it; nil if the task was cancelled or the session closed.
  func watch<Request: Message, Response: WatchMessage>(
    _ method: ServerStreamingMethod<Request, Response>, _ request: Request,
    take: (Response) async throws(SessionError) -> Void
  ) async -> SessionError? {
    let (info, bytes) = (method.info, request.serializedBytes())
    let messages = ResumingStream<Response> { self.source(info, bytes) }
    var iterator = messages.makeAsyncIterator()
    while !isFinished {
      let message: Response?
      do throws(RPCError) {
        message = try await iterator.next()
      } catch {
        return isFinished ? nil : SessionError(error)
      }
      guard let message else { return nil }
      note(.online)
      do throws(SessionError) {
        try await take(message)
      } catch {
        return withState({ $0.isClosed }) ? nil : error
      }
    }
    return nil
  }

  private var isFinished: Bool { Task.isCancelled || withState { $0.isClosed } }

  private func source(_ method: MethodInfo, _ request: [UInt8]) -> ResumableSource {
    let limits = configuration.limits
    return ResumableSource(
      backoff: limits.backoff,
      resumption: { error in
        guard case .transient(let asked) = Disposition(error) else { return .no }
        return .after(limits.pushBack(asked))
      },
      sleep: { (delay) throws(RPCError) in
        await self.pause(delay)
        guard !self.isFinished else {
          throw RPCError(.cancelled, "the watch has ended", origin: .client)
        }
      },
      open: { (position) throws(RPCError) in
        try self.transport.stream(method, request, after: position)
      })
  }

  /// Waits for the delay, or until a call reaches the server.
  private func pause(_ delay: Duration) async {
    let changes = signal.listen()
    let shortest = min(delay, configuration.limits.firstRetryDelay)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await Task.sleep(for: delay) }
      group.addTask {
        try? await Task.sleep(for: shortest)
        for await _ in changes where self.isOnline { return }
      }
      await group.next()
      group.cancelAll()
    }
  }
}
