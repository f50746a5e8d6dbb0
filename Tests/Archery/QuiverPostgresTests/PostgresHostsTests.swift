import ChildProcesses
import Foundation
import QuiverPostgres
import TestPostgres
import Testing

@Suite(.timeLimit(.minutes(5))) struct PostgresHostsTests {
  private func configuration(_ hosts: String, _ ports: String) throws -> PostgresConfiguration {
    var configuration = PostgresConfiguration(
      try PostgresAddress(
        "host=\(hosts) port=\(ports) dbname=quiver user=quiver sslmode=disable gssencmode=disable"))
    configuration.connectMilliseconds = 3_000
    return configuration
  }

  @Test("a host that is silent keeps nobody from the next one, which is the first one from then on")
  func silentHost() throws {
    let server = try PostgresServer.shared
    let silent = try SilentHost()
    let configuration = try configuration(
      "127.0.0.1,\(server.directory)", "\(silent.port),\(server.port)")
    #expect(try PostgresConnection(configuration).value("SELECT 7") == "7")
    #expect(silent.acceptCount() == 1)
    for _ in 0..<3 { #expect(try PostgresConnection(configuration).isAlive) }
    #expect(silent.acceptCount() == 0)
  }

  @Test("of several hosts the one that is no replica is taken, and a replica alone is refused")
  func replica() throws {
    let primary = try PostgresServer()
    let directory = primary.directory + "-replica"
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    func run(_ arguments: [String]) throws -> String {
      let (process, output) = (ChildProcess(), Pipe())
      process.executableURL = root.appending(path: "tools/postgres")
      process.arguments = arguments
      process.standardOutput = output
      try process.run()
      defer { process.waitUntilExit() }
      return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    defer {
      _ = try? run(["stop", "--directory", directory, "--immediate"])
      try? FileManager.default.removeItem(atPath: directory)
    }
    let printed = try run(["replicate", "--of", primary.directory, "--directory", directory])
    let line = try #require(printed.split(separator: "\n").first { $0.hasPrefix("socket=") })
    let port = try #require(line.split(separator: "&port=").last)
    var both = try configuration(
      "\(directory),\(primary.directory)", "\(port),\(primary.port)")
    #expect(try PostgresConnection(both).value("SELECT pg_is_in_recovery()") == "1")
    both.requiresPrimary = true
    for _ in 0..<2 {
      #expect(try PostgresConnection(both).value("SELECT pg_is_in_recovery()") == "0")
    }
    var alone = try configuration(directory, "\(port)")
    alone.requiresPrimary = true
    let error = #expect(throws: PostgresError.self) { _ = try PostgresConnection(alone) }
    #expect(error?.kind == .readOnly)
  }

  @Test("a connection whose prepared statements are gone has ended")
  func lostStatements() throws {
    let connection = try PostgresServer.shared.connect()
    let text = PostgresText("SELECT CAST(?1 AS bigint)")
    let statement = try connection.statement(text)
    try statement.bind(Int64(3), at: 1)
    #expect(try connection.run(statement).int64(0, 0) == 3)
    try connection.execute("DEALLOCATE ALL")
    let error = #expect(throws: PostgresError.self) {
      try connection.run(try connection.statement(text))
    }
    #expect(error?.endsConnection == true)
    #expect(!connection.isAlive)
  }
}

/// A host whose connections are made by the kernel, and that never answers.
private final class SilentHost {
  let port: UInt16
  private let listener: Int32

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    port = UInt16(bigEndian: place.sin_port)
    guard isListening else { throw PostgresError(.other, "cannot listen") }
    _ = fcntl(listener, F_SETFL, O_NONBLOCK)
  }

  deinit { close(listener) }

  /// How many connections were made since the call before.
  func acceptCount() -> Int {
    var count = 0
    while case let client = accept(listener, nil, nil), client >= 0 {
      close(client)
      count += 1
    }
    return count
  }
}
