import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import Synchronization
import Testing

@Suite("Comparisons that are given up")
struct ComparisonCancellationTests {
  private final class Count: Sendable {
    let value = Mutex(0)
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

  @Test("While comparisons run others are answered; those that are given up stop")
  func givenUp() async throws {
    try await TestServer.run { server in
      let archer = try ComparisonArcher(server)
      var setups: [BowSetup] = []
      for name in ["A", "B", "C", "D"] { setups.append(try await archer.setup(name)) }
      try await Self.shootShortRounds(setups, 80, archer)
      let client = archer.client
      let request = ComparisonArcher.request(setups, .bootstrapT)

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
      // The same connection and so the same shard, which does not wait for what is computed.
      for _ in 0..<20 {
        let setups = try await client.call(Comparison.listComparableSetups, .init()).setups
        #expect(setups.count == 4)
      }
      #expect(ended.value.withLock { $0 } < running.count)
      for task in running { task.cancel() }
      var codes: [StatusCode?] = []
      for task in running { codes.append(await task.value) }
      #expect(codes.contains(.cancelled))
      #expect(codes.allSatisfy { $0 == nil || $0 == .cancelled })

      let late = await Self.refusal(request, client, timeout: .milliseconds(1))
      #expect(late == .deadlineExceeded)
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
