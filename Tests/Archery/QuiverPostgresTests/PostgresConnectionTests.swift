import Foundation
import QuiverPostgres
import TestPostgres
import Testing

@Suite(.timeLimit(.minutes(5))) struct PostgresConnectionTests {
  @Test("a connection reports the server's version and encoding")
  func parameters() throws {
    let connection = try PostgresServer.shared.connect()
    #expect(connection.serverVersion >= 150_000)
    #expect(connection.parameter("server_encoding") == "UTF8")
    #expect(connection.parameter("client_encoding") == "UTF8")
    #expect(connection.parameter("no_such_parameter") == nil)
    #expect(
      try connection.value(
        "SELECT application_name FROM pg_stat_activity WHERE pid = "
          + "\(connection.processID)") == "quiver")
  }

  @Test("TCP wants the password of the file, and its absence and a wrong one are refused")
  func passwords() throws {
    let server = try PostgresServer.shared
    let address = server.tcpAddress + "?passfile=\(server.passfile)"
    let connection = try PostgresConnection(
      PostgresConfiguration(try PostgresAddress(address)))
    #expect(try connection.value("SELECT 5") == "5")
    let wrong = server.tcpAddress.replacing("quiver@", with: "quiver:opensesame@")
    let error = #expect(throws: PostgresError.self) {
      try PostgresConnection(PostgresConfiguration(try PostgresAddress(wrong)))
    }
    #expect(error?.kind == .authenticationFailed)
    #expect(error?.sqlState == "28P01")
    let absent = #expect(throws: PostgresError.self) {
      let address = server.tcpAddress + "?passfile=/dev/null"
      _ = try PostgresConnection(PostgresConfiguration(try PostgresAddress(address)))
    }
    #expect(absent?.endsConnection == true || absent?.kind == .authenticationFailed)
    for text in [error, absent].map({ "\($0.map { "\($0)" } ?? "")" }) {
      #expect(!text.contains("opensesame"), "\(text)")
    }
  }

  @Test(
    "an address is described without its password, and an error does not repeat it",
    arguments: [
      "postgres://archer:opensesame@db.example:5433/quiver?sslmode=verify-full",
      "host=db.example port=5433 dbname=quiver user=archer password=opensesame",
    ])
  func description(_ text: String) throws {
    let address = try PostgresAddress(text)
    #expect(address.description == "host=db.example port=5433 dbname=quiver user=archer")
    #expect(address.hasPassword)
    #expect(try !PostgresAddress("postgres://archer@db.example/quiver").hasPassword)
  }

  @Test(
    "a connection string that cannot be parsed is refused without repeating it",
    arguments: [
      "postgres://archer:opensesame@[::1", "host=db.example password=opensesame unknown=1",
      "password='opensesame",
    ])
  func invalidAddress(_ text: String) throws {
    let error = #expect(throws: PostgresError.self) { try PostgresAddress(text) }
    #expect(error?.kind == .invalidAddress)
    #expect(error.map { "\($0)" }?.contains("opensesame") == false)
  }

  @Test("a port where nothing listens and a database that does not exist are told apart")
  func unreachable() throws {
    let nobody = #expect(throws: PostgresError.self) {
      _ = try PostgresConnection(
        PostgresConfiguration(try PostgresAddress("postgres://quiver@127.0.0.1:1/quiver")))
    }
    #expect(nobody?.kind == .connectionLost)
    let missing = #expect(throws: PostgresError.self) {
      _ = try PostgresServer.shared.connect(database: "no_such_database")
    }
    #expect(missing?.sqlState == "3D000")
    #expect(missing?.kind == .other)
  }

  @Test("a server that accepts connections and never answers is given up at the time limit")
  func silentServer() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) + listen(listener, 1)
          + getsockname(listener, address, &length)
      }
    }
    #expect(code == 0)
    let port = UInt16(bigEndian: address.sin_port)
    var configuration = PostgresConfiguration(
      try PostgresAddress("postgres://quiver@127.0.0.1:\(port)/quiver?sslmode=disable"))
    configuration.connectMilliseconds = 100
    let error = #expect(throws: PostgresError.self) { try PostgresConnection(configuration) }
    #expect(error?.kind == .noAnswer)
  }

  @Test("a role with no connection left is told from other refusals")
  func tooManyConnections() throws {
    let server = try PostgresServer.shared
    try server.connect().execute("CREATE ROLE single LOGIN CONNECTION LIMIT 1")
    let address = server.socketAddress.replacing("quiver@", with: "single@")
    let configuration = PostgresConfiguration(try PostgresAddress(address))
    let connection = try PostgresConnection(configuration)
    let error = #expect(throws: PostgresError.self) { try PostgresConnection(configuration) }
    #expect(error?.kind == .tooManyConnections)
    #expect(try connection.value("SELECT 5") == "5")
  }

  @Test("a connection that the server ends fails its statement and every later one")
  func terminated() throws {
    let server = try PostgresServer.shared
    let connection = try server.connect()
    #expect(
      try server.connect().value("SELECT pg_terminate_backend(\(connection.processID), 10000)")
        == "1")
    for _ in 1...2 {
      let error = #expect(throws: PostgresError.self) { try connection.value("SELECT 5") }
      #expect(error?.kind == .connectionLost)
    }
    #expect(connection.transactionState == .unknown)
  }

  @Test("a server process that stands still is given up after the deadline")
  func frozen() throws {
    let server = try PostgresServer.shared
    var configuration = try server.configuration()
    configuration.graceMilliseconds = 50
    let connection = try PostgresConnection(configuration)
    server.signal(SIGSTOP, processID: connection.processID)
    defer { server.signal(SIGCONT, processID: connection.processID) }
    connection.deadline = .after(milliseconds: 50)
    let error = #expect(throws: PostgresError.self) { try connection.value("SELECT 5") }
    #expect(error?.kind == .noAnswer)
    connection.deadline = .never
    let later = #expect(throws: PostgresError.self) { try connection.value("SELECT 5") }
    #expect(later?.kind == .noAnswer)
  }

  @Test("a notification of a committed transaction arrives at the connections that listen")
  func notifications() throws {
    let server = try PostgresServer.shared
    let (listener, sender) = (try server.connect(), try server.connect())
    try listener.run(control: "LISTEN topics")
    #expect(try listener.waitForNotifications(milliseconds: 0).isEmpty)
    try sender.begin(.serializable)
    try sender.run(control: "NOTIFY topics, '5'")
    #expect(try listener.waitForNotifications(milliseconds: 20).isEmpty)
    try sender.commit()
    let found = try listener.waitForNotifications(milliseconds: 60_000)
    #expect(found.map(\.channel) == ["topics"] && found.map(\.payload) == ["5"])
    #expect(found.map(\.senderProcessID) == [sender.processID])
    _ = try server.connect().value("SELECT pg_terminate_backend(\(listener.processID), 10000)")
    let error = #expect(throws: PostgresError.self) {
      try listener.waitForNotifications(milliseconds: 60_000)
    }
    #expect(error?.kind == .connectionLost)
  }
}
