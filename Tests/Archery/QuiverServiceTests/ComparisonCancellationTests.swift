import Foundation
import QuiverAPI
import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverWire
import Synchronization
import Testing

@testable import QuiverService

@Suite("Cancelled comparisons", .timeLimit(.minutes(5)))
struct ComparisonCancellationTests {
  private final class Count: Sendable {
    let value = Mutex(0)
  }

  /// Keeps every thread that computes from it, until it is released.
  private final class ComputeHold: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let count = ProcessInfo.processInfo.activeProcessorCount
    private let isReleased = Mutex(false)

    init() throws {
      for index in 0..<count {
        // Of a principal each, since they take turns.
        let executor = try ComputeExecutor.shared.executor(of: -1 - Int64(index))
        Task(executorPreference: executor) { self.wait() }
      }
    }

    private func wait() { gate.wait() }

    func release() {
      let isFirst = isReleased.withLock { isReleased in
        defer { isReleased = true }
        return !isReleased
      }
      if isFirst { for _ in 0..<count { gate.signal() } }
    }
  }

  /// Waits until the open calls of all connections are as wanted; false: they never were.
  private static func poll(
    _ server: TestServer, _ isWanted: (Int) -> Bool
  ) async -> Bool {
    for _ in 0..<100_000 {
      let open = await server.server.connections().map(\.openCallCount).reduce(0, +)
      if isWanted(open) { return true }
      await Task.yield()
    }
    return false
  }

  /// Rounds of three arrows, all of them sent in one batch.
  private static func shootShortRounds(
    _ setups: [BowSetup], _ count: Int, _ archer: ComparisonArcher
  ) async throws {
    var request = ApplyOperationsRequest()
    for (place, setup) in setups.enumerated() {
      for index in 0..<count {
        let session = try await archer.client.call(
          Rounds.createSession,
          .with { request in
            request.format = .library("wa18", arrows: 3)
            request.setupID = setup.id
          })
        let round = try #require(session.rounds.first)
        for arrow in 0..<3 {
          request.operations.append(
            try ComparisonArcher.record(
              round.participantID, end: 0, arrow: arrow,
              UInt32(4 + place + (index * 3 + arrow * index) % 3),
              at: ComparisonArcher.asOf - Int64(index + 1) * 3_600_000))
        }
      }
    }
    let verdicts = try await archer.client.call(Rounds.applyOperations, request).verdicts
    #expect(verdicts.allSatisfy { $0.verdict == .stored })
  }

  @Test("Other calls are served while comparisons run, and cancelled comparisons stop")
  func givenUp() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      var setups: [BowSetup] = []
      for name in ["A", "B", "C", "D"] { setups.append(try await archer.setup(name)) }
      try await Self.shootShortRounds(setups, 80, archer)
      let client = archer.client
      let request = ComparisonArcher.request(setups, .bootstrapT)

      // Nothing is computed until this is released.
      let hold = try ComputeHold()
      defer { hold.release() }
      let ended = Count()
      var running: [Task<StatusCode?, Never>] = []
      for _ in 0..<96 {
        running.append(
          Task {
            let refusal = await client.refusal(Comparison.compare, request)
            ended.value.withLock { $0 += 1 }
            return refusal?.code
          })
      }
      let hasComeIn = await Self.poll(server) { $0 >= 96 }
      try #require(hasComeIn, "not all comparisons have come")
      // The same connection and so the same shard, which does not wait for what is computed.
      for _ in 0..<20 {
        let setups = try await client.call(Comparison.listComparableSetups, .init()).setups
        #expect(setups.count == 4)
      }
      #expect(ended.value.withLock { $0 } == 0)
      for task in running { task.cancel() }
      for task in running {
        let code = await task.value
        #expect(code == .cancelled)
      }

      let late = await Self.refusal(request, client, timeout: .milliseconds(1))
      #expect(late == .deadlineExceeded)
      // Answered behind those of before on the same connection: the server has heard of them.
      _ = try await client.call(Comparison.listComparableSetups, .init())
      hold.release()
      // Were the others computed to their end, this one would come too late for its deadline.
      let last = try await client.call(Comparison.compare, request)
      #expect(last.pairs.count == 6 && last.pairs.allSatisfy { $0.inference != nil })
    }
  }

  private static func refusal(
    _ request: CompareRequest, _ client: Client, timeout: Duration
  ) async -> StatusCode? {
    do throws(RPCError) {
      _ = try await client.client.call(
        Comparison.compare, request, options: CallOptions(timeout: timeout))
      return nil
    } catch {
      return error.code
    }
  }
}
