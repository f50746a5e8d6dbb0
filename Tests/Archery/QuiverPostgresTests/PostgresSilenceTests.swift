import Foundation
import TestPostgres
import Testing

@testable import QuiverPostgres

@Suite(.timeLimit(.minutes(1))) struct PostgresSilenceTests {
  private func connection(_ server: SilentServer, _ more: String = "") throws -> PostgresConnection
  {
    var configuration = PostgresConfiguration(try PostgresAddress(server.address + more))
    configuration.graceMilliseconds = 50
    return try PostgresConnection(configuration)
  }

  @Test("a statement ends at its deadline though the server takes no request to cancel it")
  func cancellation() throws {
    let server = try SilentServer()
    let connection = try connection(server)
    connection.deadline = .after(milliseconds: 300)
    connection.isInterrupted = { true }
    let error = #expect(throws: PostgresError.self) { try connection.run(control: "SELECT 1") }
    #expect(error?.kind == .noAnswer)
    #expect(!connection.isAlive)
    withExtendedLifetime(server) {}
  }

  @Test("a connection on which a cancellation may still arrive is not used again")
  func lateCancellation() throws {
    let connection = try PostgresServer.shared.connect()
    connection.deadline = .after(milliseconds: 20_000)
    connection.isInterrupted = { true }
    let error = #expect(throws: PostgresError.self) {
      try connection.run(control: "SELECT pg_sleep(15)")
    }
    #expect(error?.kind == .cancelled)
    // The request was taken before the answer came.
    #expect(connection.isAlive)
    connection.isInterrupted = nil
    for _ in 0..<20 { #expect(try connection.value("SELECT 5") == "5") }
  }

  @Test("TCP finds a peer that has gone, unless the address sets other times")
  func keepalive() throws {
    let server = try SilentServer()
    let standard = try connection(server)
    #expect(standard.option(SOL_SOCKET, SO_KEEPALIVE) == 1)
    #expect(standard.option(Int32(IPPROTO_TCP), TCP_KEEPIDLE) == 5)
    #expect(standard.option(Int32(IPPROTO_TCP), TCP_KEEPINTVL) == 2)
    #expect(standard.option(Int32(IPPROTO_TCP), TCP_KEEPCNT) == 3)
    #expect(standard.option(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT) == 10_000)
    let other = try connection(server, " keepalives_idle=77 tcp_user_timeout=7000")
    #expect(other.option(Int32(IPPROTO_TCP), TCP_KEEPIDLE) == 77)
    #expect(other.option(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT) == 7_000)
    withExtendedLifetime(server) {}
  }
}

extension PostgresConnection {
  /// An option of the socket.
  fileprivate func option(_ level: Int32, _ name: Int32) -> Int32 {
    var value: Int32 = -1
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(socketDescriptor, level, name, &value, &size)
    return value
  }
}
