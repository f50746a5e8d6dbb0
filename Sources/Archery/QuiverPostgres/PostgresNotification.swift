import CPostgres

/// A message of `NOTIFY` to a channel that the connection listens to.
package struct PostgresNotification: Sendable, Equatable {
  package let channel: String
  package let payload: String

  /// The process of the server that sent it, such as ``PostgresConnection/processID``.
  package let senderProcessID: Int32
}

extension PostgresConnection {
  /// The notifications that have arrived with answers so far (`PQnotifies`).
  package func takeNotifications() -> [PostgresNotification] {
    var found: [PostgresNotification] = []
    while let notification = PQnotifies(handle.pointer) {
      found.append(
        PostgresNotification(
          channel: String(cString: notification.pointee.relname),
          payload: String(cString: notification.pointee.extra),
          senderProcessID: notification.pointee.be_pid))
      PQfreemem(notification)
    }
    return found
  }

  /// Waits for notifications until the time is over; then there are none.
  ///
  /// No statement may be queued. Throws `connectionLost` where the connection ends meanwhile.
  package func waitForNotifications(
    milliseconds: UInt64
  ) throws(PostgresError) -> [PostgresNotification] {
    precondition(queuedCount == 0, "Notifications were awaited while statements were queued.")
    let end = PostgresDeadline.after(milliseconds: milliseconds)
    while true {
      guard PQconsumeInput(handle.pointer) == 1 else { throw lost() }
      let found = takeNotifications()
      guard found.isEmpty, try handle.wait(forWriting: false, until: end) else { return found }
    }
  }
}
