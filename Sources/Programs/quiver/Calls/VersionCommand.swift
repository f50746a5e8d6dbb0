import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `quiver version`: the versions of this program and of the server.
enum VersionCommand {
  static let command = Command(
    "version", summary: "print the versions of this program and of the server",
    details: "No token is needed, and none is sent. `quiver --version` asks no server.",
    flags: [.json, .timeout]
  ) { arguments async throws(Failure) in
    _ = try arguments.operands(0...0, "no operands")
    let access = try Access(arguments, sendsToken: false)
    let client = access.client
    _ = try await access.attempt { () async throws(RPCError) in
      try await client.call(Health.check, HealthCheckRequest())
    }
    let versions = Versions(
      client: "quiver/\(QuiverProgram.version)",
      server: Terminal.oneLine(client.serverSoftware ?? "unknown"),
      protocolVersion: Int(Preface.majorVersion))
    guard !arguments.has(.json) else { return try Terminal.print(versions.json) }
    try Terminal.print(
      table: [
        ["client", versions.client], ["server", versions.server],
        ["protocol", "\(versions.protocolVersion)"],
      ], hasHeading: false)
  }

  private struct Versions: Codable {
    let client: String
    let server: String
    let protocolVersion: Int

    var json: String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }
}
