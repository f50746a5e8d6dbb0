import Foundation
import GatewayCalls
import QuiverClient
import QuiverDispatch
import QuiverRPC
import QuiverRules
import QuiverTLS
import ServerPrograms
import TestCertificates

/// Kills real servers while clients call them over a network, and checks what they stored.
struct ServedKills {
  let scratch: ScratchDirectory
  var seed: UInt64
  /// Whether the clients use TLS.
  var isSecure = false
  /// Whether the clients call through a gateway, which is not killed.
  var isBehindGateway = false

  /// The result.
  struct Outcome {
    var kills = Kills.Outcome()
    /// How many acknowledged items the clients read.
    var readCount = 0
    /// How many calls were cut by a kill or refused.
    var failureCount = 0
    /// The handshakes of the clients; none without TLS.
    var handshakes = TLSClient.HandshakeCounts()
  }

  private static let clientCount = 8
  /// With TLS, the connections after the first one of a server resume its session.
  private static let callsPerConnection = 25
  private static let mostCallsPerRound = 400
  /// A directory is used for as many rounds, because each check reads all of it.
  private static let roundsPerDirectory = 50

  func rounds(_ count: Int) async throws -> Outcome {
    var random = SplitMix64(seed: seed)
    var outcome = Outcome()
    for first in stride(from: 0, to: count, by: Self.roundsPerDirectory) {
      try await rounds(first..<min(first + Self.roundsPerDirectory, count), &random, &outcome)
    }
    return outcome
  }

  private func rounds(
    _ rounds: Range<Int>, _ random: inout SplitMix64, _ outcome: inout Outcome
  ) async throws {
    let authority = isSecure ? try TestAuthority() : nil
    let certificate = try authority?.issue("server")
    let security = try authority.map {
      try TLSClient(TLSConfiguration(trustedRoots: .file($0.authorityFile)))
    }
    let server = ServerProgram(
      directory: scratch.make(), flags: certificate?.flags ?? [], isSecure: isSecure)
    try server.start()
    defer { server.kill() }
    let token = try server.token()
    let address = server.address
    let gateway = isBehindGateway ? ServerProgram(gatewayOf: server, in: scratch.make()) : nil
    try gateway?.start()
    defer { gateway?.kill() }
    let gatewayAddress = gateway.flatMap { GatewayAddress("http://" + $0.address) }
    let transport = try DispatchTransport()
    let clients = try RecordedClients(
      Self.clientCount, callsPerConnection: Self.callsPerConnection
    ) { index -> any CallCarrier in
      if let gatewayAddress { return GatewayCaller(transport, gatewayAddress, .token(token)) }
      var configuration = RPCClient.Configuration(server: address, token: token)
      configuration.security = security.map { TransportSecurity($0) }
      // Half of the clients leave the repetition of cut calls to the library.
      if index.isMultiple(of: 2) { configuration.limits.maxAttempts = 1 }
      return try RPCClient(configuration)
    }
    for round in rounds {
      try await clients.waitForAcknowledged(
        Int.random(in: 1...Self.mostCallsPerRound, using: &random))
      try await Task.sleep(for: .microseconds(Int.random(in: 0...3_000, using: &random)))
      server.kill()
      outcome.kills.killedCount += 1
      // The next server recovers from some crashes, the checker from others.
      if round.isMultiple(of: 2) {
        outcome.kills.findings += try RecordedClients.findings(in: server.data, clients.events)
          .map { "round \(round), seed \(seed): \($0)" }
      }
      try server.start()
    }
    try await clients.waitForAcknowledged(Self.clientCount)
    await clients.stop()
    // Its server is there until it has ended, as in an installation.
    try gateway?.end()
    server.kill()
    outcome.kills.findings += try clients.findings(in: server.data)
      .map { "after round \(rounds.upperBound - 1), seed \(seed): \($0)" }
    outcome.kills.acknowledgedCount += clients.acknowledgedCount
    outcome.readCount += clients.readCount
    outcome.failureCount += clients.failures.count
    if let counts = security?.handshakeCounts {
      outcome.handshakes.full += counts.full
      outcome.handshakes.resumed += counts.resumed
    }
    try? FileManager.default.removeItem(atPath: server.directory)
  }
}

extension TestAuthority.Issued {
  /// The flags of a server that uses the certificate.
  fileprivate var flags: [String] {
    ["--tls-certificate", certificateFile, "--tls-key", keyFile]
  }
}
