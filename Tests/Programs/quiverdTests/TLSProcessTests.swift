import ChildProcesses
import Foundation
import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverTLS
import QuiverWire
import TestSupport
import Testing

@Suite("The server process over TLS", .serialized, .timeLimit(.minutes(20)))
struct TLSProcessTests {
  let directory: TemporaryDirectory
  let certificates: String

  init() throws {
    directory = try TemporaryDirectory()
    certificates = directory.path + "/certificates"
    try makeCertificates()
  }

  // MARK: Helpers

  /// Runs a program; returns its exit code and all its output.
  static func run(_ words: [String], input: String? = nil) throws -> (code: Int32, text: String) {
    let process = ChildProcess()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = output
    process.standardError = output
    let pipe = Pipe()
    process.standardInput = input == nil ? FileHandle.nullDevice : pipe
    try process.run()
    if let input {
      try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try pipe.fileHandleForWriting.close()
    }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  /// Creates the server's and the client's certificate with tools/dev-certificates.
  func makeCertificates(days: Int = 90) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let made = try Self.run([
      root.path + "/tools/dev-certificates", "--out", certificates, "--days", "\(days)",
    ])
    try #require(made.code == 0, "\(made.text)")
  }

  func serve(_ flags: String...) throws -> (process: ServerProcess, port: String) {
    let process = try ServerProcess(
      [
        "--data", directory.path + "/data", "--listen", "tls://127.0.0.1:0", "--diagnostics",
        "--tls-certificate", certificates + "/server.pem", "--tls-key",
        certificates + "/server.key",
      ] + flags)
    let line = process.line(of: "listening")
    let address = try #require(line.split(separator: " ").last { $0.hasPrefix("address=") })
    try #require(address.contains("tls://"), "\(line)")
    let port = address.split(separator: ":").last.map { $0.filter(\.isNumber) }
    return (process, try #require(port))
  }

  /// The administrator's token.
  func token() throws -> String {
    try String(contentsOfFile: directory.path + "/data/admin.token", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// A client with the administrator's token.
  func client(_ port: String, certificate: Bool = false) throws -> RPCClient {
    try client(port, certificate: certificate, token: try token())
  }

  func client(
    _ port: String, certificate: Bool, token: String? = nil, source: TokenSource? = nil
  ) throws -> RPCClient {
    var configuration = RPCClient.Configuration(server: "tls://localhost:\(port)", token: token)
    configuration.tokenSource = source
    var security = TLSConfiguration(trustedRoots: .file(certificates + "/ca.pem"))
    if certificate {
      security.clientCertificate = .init(
        certificateFile: certificates + "/client.pem", keyFile: certificates + "/client.key")
    }
    configuration.security = try .tls(security)
    configuration.limits.maxAttempts = 1
    return try RPCClient(configuration)
  }

  func echo(_ client: RPCClient) async throws {
    var message = EchoMessage()
    message.text = "twelve arrows"
    let reply = try await client.call(Diagnostics.echo, message)
    #expect(reply.text == "twelve arrows")
  }

  /// The output of openssl's client.
  func openssl(_ port: String, _ flags: String..., input: String = "") throws -> String {
    try Self.run(
      [
        "timeout", "20", "openssl", "s_client", "-connect", "127.0.0.1:\(port)", "-CAfile",
        certificates + "/ca.pem",
      ] + flags, input: input
    ).text
  }

  // MARK: Cases

  @Test("Calls succeed over TLS, with and without a client's certificate")
  func calls() async throws {
    let (process, port) = try serve(
      "--tls-client-ca", certificates + "/ca.pem", "--tls-client", "optional")
    try await echo(try client(port))
    try await echo(try client(port, certificate: true))
    process.send(SIGTERM)
    #expect(process.end().code == 0)
  }

  @Test("openssl negotiates TLS 1.3 and quiver/1, and is refused without either, as is curl")
  func otherPrograms() async throws {
    let (process, port) = try serve()
    let calling = try client(port)
    try await echo(calling)
    let agreed = try openssl(port, "-alpn", "quiver/1", "-verify_return_error")
    #expect(agreed.contains("ALPN protocol: quiver/1") && agreed.contains("TLSv1.3"))
    #expect(agreed.contains("Verify return code: 0 (ok)"))
    #expect(try openssl(port).contains("alert no application protocol"))
    #expect(try openssl(port, "-alpn", "h2").contains("alert no application protocol"))
    #expect(
      try openssl(port, "-alpn", "quiver/1", "-tls1_2").contains("alert protocol version"))
    // s_client requests a renegotiation, which TLS 1.3 does not have.
    let renegotiated = try openssl(port, "-alpn", "quiver/1", input: "R\n")
    #expect(!renegotiated.contains("renegotiation done"))
    let curl = try Self.run([
      "curl", "-sS", "--max-time", "20", "--cacert", certificates + "/ca.pem",
      "https://127.0.0.1:\(port)/",
    ])
    #expect(curl.code != 0)
    let plain = try Self.run([
      "curl", "-sS", "--max-time", "20", "http://127.0.0.1:\(port)/",
    ])
    #expect(plain.text.contains("this port speaks TLS (quiver/1)"), "\(plain.text)")
    try await echo(calling)
    process.send(SIGTERM)
    let log = process.end().log
    for kind in ["noApplicationProtocol", "oldVersion", "plainText"] {
      #expect(log.contains("kind=\(kind)"))
    }
  }

  @Test("A Quiver client refuses openssl's server with the reason")
  func otherServer() async throws {
    let process = try serve().process
    defer { process.send(SIGTERM) }
    // Its certificate is valid, but its protocol is not Quiver's.
    let other = ChildProcess()
    other.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let output = Pipe()
    other.arguments = [
      "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", certificates + "/server.pem",
      "-key", certificates + "/server.key", "-naccept", "1",
    ]
    // It ends with its input.
    other.standardInput = Pipe()
    other.standardOutput = output
    other.standardError = FileHandle.nullDevice
    try other.run()
    defer { other.terminate() }
    var text = ""
    while !text.contains("ACCEPT ") || !text.hasSuffix("\n") {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      text += String(decoding: more, as: UTF8.self)
    }
    let accepted = try #require(text.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") })
    let otherPort = try #require(accepted.split(separator: ":").last)
    let error = await #expect(throws: RPCError.self) {
      try await echo(try client(String(otherPort)))
    }
    #expect(error?.code == .unavailable)
    #expect(
      error?.message.contains("does not speak quiver/1") == true, "\(error?.message ?? "")")
  }

  @Test("SIGHUP loads a new certificate; one that is not valid is logged and not used")
  func reload() async throws {
    let (process, port) = try serve()
    let calling = try client(port)
    try await echo(calling)
    try makeCertificates()
    process.send(SIGHUP)
    #expect(process.line(of: "certificate-reloaded").contains("expires="))
    try await echo(try client(port))
    try "no key".write(
      toFile: certificates + "/server.key", atomically: true, encoding: .utf8)
    process.send(SIGHUP)
    #expect(process.line(of: "certificate-rejected").contains("server.key"))
    try await echo(calling)
    try await echo(try client(port))
    process.send(SIGTERM)
    #expect(process.end().code == 0)
  }

  @Test("The start warns of a certificate that expires within two weeks")
  func expiry() throws {
    try makeCertificates(days: 5)
    let (process, _) = try serve()
    let line = process.line(of: "certificate-expires")
    #expect(line.contains("level=warning") && (line.contains("days=4") || line.contains("days=5")))
    process.send(SIGTERM)
    #expect(process.end().code == 0)
  }

  @Test("Flags and files that do not fit together stop the start with the reason")
  func refusals() throws {
    let pair = [
      "--tls-certificate", certificates + "/server.pem", "--tls-key",
      certificates + "/server.key",
    ]
    let secure = ["--listen", "tls://127.0.0.1:0"]
    let cases: [([String], String)] = [
      (secure, "needs --tls-certificate FILE and --tls-key FILE"),
      (secure + pair.prefix(2), "--tls-certificate needs --tls-key"),
      (secure + pair.suffix(2), "--tls-key needs --tls-certificate"),
      (pair, "give one, --listen tls://HOST:PORT"),
      (secure + pair + ["--tls-client", "required"], "--tls-client needs --tls-client-ca"),
      (secure + pair + ["--tls-client", "maybe"], "--tls-client requires required or optional"),
      (
        secure + pair.prefix(3) + [certificates + "/client.key"],
        "is not that of the certificate"
      ),
      (secure + pair.prefix(3) + ["/nowhere.key"], "/nowhere.key: No such file"),
      (secure + pair + ["--tls-client-ca", "/dev/null"], "does not hold certificates"),
    ]
    for (flags, words) in cases {
      let ending = try ServerProcess(["--data", directory.path + "/data"] + flags).end()
      #expect(ending.code == 64, "\(flags)")
      #expect(ending.log.contains(words), "\(ending.log)")
    }
  }
}
