import CPostgres
import QuiverPlatform

extension PostgresConnection {
  /// The C connection (`PGconn`), finished when the last reference to it is released.
  final class Handle {
    let pointer: OpaquePointer

    /// How TCP detects a peer that has disappeared, also when no answer is awaited: in seconds, and
    /// in milliseconds for data without an acknowledgement. The address may set others.
    private static let keepalive = [
      ("keepalives", "1"), ("keepalives_idle", "5"), ("keepalives_interval", "2"),
      ("keepalives_count", "3"), ("tcp_user_timeout", "10000"),
    ]

    /// Begins to connect, to one host of the address where it is named by its settings; the socket
    /// does not block (`PQconnectStartParams`).
    init(
      _ configuration: PostgresConfiguration, host: [(keyword: String, value: String)]
    ) throws(PostgresError) {
      // `dbname` with `expand_dbname` takes the whole string; later keywords take precedence.
      let options =
        Self.keepalive + [
          ("dbname", configuration.address.connectionString), ("client_encoding", "UTF8"),
          ("fallback_application_name", configuration.applicationName),
        ] + host.map { ($0.keyword, $0.value) }
      let started = Self.withCStrings(options.map(\.0)) { keywords in
        Self.withCStrings(options.map(\.1)) { values in
          PQconnectStartParams(keywords, values, 1)
        }
      }
      guard let started else {
        throw PostgresError(.outOfMemory, "no memory for a connection")
      }
      pointer = started
      quiver_pg_ignore_notices(started)
      // So that the SQLSTATE of a refused connection can be read in the message.
      PQsetErrorVerbosity(started, PQERRORS_VERBOSE)
    }

    deinit {
      PQfinish(pointer)
    }

    /// Waits for the socket (`poll`); false where the deadline has passed.
    func wait(forWriting: Bool, until deadline: PostgresDeadline) throws(PostgresError) -> Bool {
      while true {
        var timeout: Int32 = -1
        if let remaining = deadline.remainingMilliseconds {
          if remaining == 0 { return false }
          timeout = Int32(clamping: remaining)
        }
        var descriptor = pollfd(
          fd: PQsocket(pointer), events: Int16(POLLIN | (forWriting ? POLLOUT : 0)), revents: 0)
        guard descriptor.fd >= 0 else { throw PostgresError(connection: pointer) }
        let count = poll(&descriptor, 1, timeout)
        if count > 0 { return true }
        guard count == 0 || errno == EINTR else {
          throw PostgresError(.connectionLost, "poll failed with error \(errno)")
        }
      }
    }

    /// Whether the server has sent something, or ended the connection (`poll`).
    var hasInput: Bool {
      var descriptor = pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0)
      return descriptor.fd < 0 || poll(&descriptor, 1, 0) != 0
    }

    private static func withCStrings<Result>(
      _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
      let copies = texts.map { strdup($0) }
      defer { for copy in copies { free(copy) } }
      var pointers: [UnsafePointer<CChar>?] = copies.map { copy in
        copy.map { UnsafePointer($0) }
      }
      pointers.append(nil)
      return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
  }
}
