import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import TestSupport

/// Rounds of two setups, shot through a running server.
struct ComparedArcher {
  private let client: RPCClient

  init(_ server: RunningServer) throws {
    let token = try String(
      contentsOfFile: server.directory.path + "/data/admin.token", encoding: .utf8)
    client = try RPCClient(
      .init(
        server: server.address, token: token.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// Six rounds of 60 arrows of a setup, a day apart, the last one yesterday.
  func shoot(_ setup: Int64, level: Int, drift: Double) async throws {
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    for day in 1...6 {
      var request = CreateSessionRequest()
      request.format = FormatReference()
      request.format?.codename = "wa18"
      request.setupID = setup
      let session = try await client.call(Rounds.createSession, request)
      guard let round = session.rounds.first else { continue }
      for end in 0..<20 {
        var record = RecordEndRequest()
        for arrow in 0..<3 {
          // A pattern, other in each round; rounds differ in their level, too.
          let step = (end * 3 + arrow) * 7 + day * 5
          var operation = ScoringOperation()
          operation.participantID = round.participantID
          operation.endIndex = UInt32(end)
          operation.arrowIndex = UInt32(arrow)
          operation.value = UInt32(level + step % 3 - (arrow == 0 ? day % 3 : 0))
          operation.x = drift + Double(step % 11 - 5) / 25
          operation.y = Double(step % 13 - 6) / 40
          operation.scoredAtMilliseconds =
            now - Int64(day) * 86_400_000 + Int64(end * 3 + arrow) * 30_000
          record.operations.append(operation)
        }
        _ = try await client.call(Rounds.recordEnd, record)
      }
    }
  }
}
