import QuiverRPC

/// What a client does next, where it has a choice.
enum Arrival {
  case event(Driver.Event)
  case frame(ScriptedConnection, ScriptedConnection.Frame)
  case connection(ScriptedConnection)
}

extension Stage {
  /// The next event of a call, frame on one of the connections, or connection, whichever is there.
  ///
  /// A case that gives a retry some time, and then waits for an end, fails where the retry comes
  /// later: this waits for both.
  func arrival(of id: Int, on connections: [ScriptedConnection] = []) throws -> Arrival {
    let limit = now() + Int(Driver.patience)
    repeat {
      if let event = try driver.eventIfAny(id) { return .event(event) }
      for connection in connections {
        if let frame = try connection.nextIfAny(within: 5) { return .frame(connection, frame) }
      }
      if let connection = listener.acceptIfAny(within: 5) { return .connection(connection) }
    } while now() < limit
    throw Failure("the client neither sent, nor connected, nor ended call \(id)")
  }

  /// A connection on which a call was answered, for a call whose deadline must not pass while the
  /// connection is made.
  func warmed() throws -> ScriptedConnection {
    let (connection, request) = try opened()
    connection.respond(request.stream, [1])
    try require(driver.message(1), is: [1], "the reply of the first call")
    try driver.end(1, 0)
    return connection
  }

  /// A call with a deadline on a connection that is open; its REQUEST.
  func timed(
    _ id: Int, _ method: ScriptedMethod, milliseconds: Int, on connection: ScriptedConnection
  ) throws -> ScriptedConnection.Request {
    try call(id, method, [], ["timeout_ms": milliseconds])
    return try connection.wholeRequest()
  }
}
