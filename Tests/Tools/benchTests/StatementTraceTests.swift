import Foundation
import Testing

@testable import bench

// One after the other, because the trace of the process is for one store.
@Suite(.timeLimit(.minutes(5)), .serialized) struct StatementTraceTests {
  @Test(
    "A peer of the store runs the statements that the store runs for the same",
    arguments: StatementTrace.Peer.allCases)
  func comparesPeers(peer: StatementTrace.Peer) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("quiver-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let program = folder.appendingPathComponent(peer.rawValue).path
    let sources = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("tools/bench/peers").path
    try Peers.compile(peer.rawValue, in: sources, to: program, packages: ["sqlite3"])
    let difference = try peer.difference(ofProgramAt: program)
    #expect(difference == nil)
  }

  @Test("A difference names the first statement that is another one, of both")
  func namesDifference() {
    func difference(_ own: [String], _ stored: [String]) -> String? {
      StatementTrace.difference(of: own, from: stored, peer: "peer")
    }
    #expect(difference(["A", "B"], ["A", "B"]) == nil)
    let other = difference(["A", "B"], ["A", "C"])
    #expect(other?.hasSuffix("statement 2 of the peer is B, and that of the store is C") == true)
    let fewer = difference(["A"], ["A", "C"])
    #expect(fewer?.contains("statement 2 of the peer is nothing") == true)
    let more = difference(["A", "B"], ["A"])
    #expect(more?.hasSuffix("that of the store is nothing") == true)
    #expect(difference([], []) != nil)
  }
}
