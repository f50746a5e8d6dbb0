import CTLS
import Synchronization

/// The latest ticket of each server that a client has spoken with. May be used from any thread.
final class TicketStore: Sendable {
  /// A counted reference of an `SSL_SESSION`.
  // Sendable because libssl counts references atomically and a stored session is not changed.
  private struct Ticket: @unchecked Sendable { var session: OpaquePointer }

  private let tickets = Mutex<[String: Ticket]>([:])
  private let handshakes = Mutex(TLSClient.HandshakeCounts())

  /// How many tickets are kept.
  var count: Int { tickets.withLock { $0.count } }

  deinit {
    for ticket in tickets.withLock({ $0.values.map { $0 } }) { SSL_SESSION_free(ticket.session) }
  }

  /// The handshakes that have succeeded.
  var handshakeCounts: TLSClient.HandshakeCounts { handshakes.withLock { $0 } }

  /// Counts a handshake that has succeeded.
  func addHandshake(isResumed: Bool) {
    handshakes.withLock { counts in
      counts.full += isResumed ? 0 : 1
      counts.resumed += isResumed ? 1 : 0
    }
  }

  /// Takes over a reference of `session`.
  func put(_ session: OpaquePointer, for server: String) {
    let ticket = Ticket(session: session)
    let old = tickets.withLock { tickets -> Ticket? in
      if tickets[server] == nil, tickets.count >= TLSLimits.keptTickets,
        let any = tickets.keys.first
      {
        defer { tickets[server] = ticket }
        return tickets.removeValue(forKey: any)
      }
      return tickets.updateValue(ticket, forKey: server)
    }
    if let old { SSL_SESSION_free(old.session) }
  }

  /// Has `ssl` begin with the server's ticket, if there is one.
  func resume(_ ssl: OpaquePointer, of server: String) {
    tickets.withLock { tickets in
      guard let ticket = tickets[server], SSL_SESSION_is_resumable(ticket.session) == 1 else {
        return
      }
      SSL_set_session(ssl, ticket.session)
    }
  }
}
