import QuiverPostgres
import TestCertificates
import TestPostgres
import Testing

@Suite(.timeLimit(.minutes(5))) struct PostgresTLSTests {
  @Test("TLS is used as the address asks for, and a certificate of another authority is refused")
  func certificates() throws {
    let authority = try TestAuthority()
    let other = try TestAuthority()
    let issued = try authority.issue("server")
    let server = try PostgresServer(arguments: [
      "--certificate", issued.certificateFile, "--key", issued.keyFile,
    ])
    func connect(_ options: String) throws -> PostgresConnection {
      let address = server.tcpAddress + "?passfile=\(server.passfile)&\(options)"
      return try PostgresConnection(PostgresConfiguration(try PostgresAddress(address)))
    }
    let verified = "sslmode=verify-full&sslrootcert="
    #expect(try connect(verified + authority.authorityFile).usesTLS)
    #expect(try connect("sslmode=require").usesTLS)
    #expect(try !connect("sslmode=disable").usesTLS)
    let error = #expect(throws: PostgresError.self) {
      _ = try connect(verified + other.authorityFile)
    }
    #expect(error?.kind == .connectionLost)
  }

  @Test("a server without TLS is refused where the address requires it")
  func required() throws {
    let server = try PostgresServer.shared
    let address = server.tcpAddress + "?passfile=\(server.passfile)&sslmode=require"
    let error = #expect(throws: PostgresError.self) {
      _ = try PostgresConnection(PostgresConfiguration(try PostgresAddress(address)))
    }
    #expect(error?.kind == .connectionLost)
  }
}
