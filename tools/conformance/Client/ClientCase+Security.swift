import QuiverTLS
import QuiverWire

extension ClientCase {
  /// TLS: trust, names, the protocol inside, tickets and ends without a close_notify.
  static let security: [ClientCase] = [
    ClientCase("T01", "a server whose authority is not trusted is refused", secureOnly: true) {
      stage in
      // A file with another authority's certificate: the server's own, which has signed nothing.
      let folder = stage.listener.certificates ?? ""
      try stage.makeClient(limits: ["ca": "\(folder)/client.pem"])
      try refused(stage)
    },
    ClientCase("T02", "a server whose certificate has another name is refused", secureOnly: true) {
      stage in
      try stage.makeClient(limits: ["server_name": "other.example"])
      try refused(stage)
    },
    ClientCase("T03", "a server that answers without TLS is refused", secureOnly: true) { stage in
      try stage.makeClient()
      try stage.call(1, .unary, [1], ["timeout_ms": 8_000])
      try refused(stage) { descriptor in
        let plain = ScriptedConnection(descriptor, seed: 0)
        plain.send(Preface.bytes, Frames.frame(.hello, []))
        return plain
      }
    },
    ClientCase(
      "T04", "a reply behind which TLS ends without a close_notify counts", secureOnly: true
    ) { stage in
      let (connection, request) = try stage.opened()
      connection.respond(request.stream, [1])
      connection.cut()
      try require(stage.driver.message(1), is: [1], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("T05", "a certificate of the client is shown", secureOnly: true) { stage in
      let folder = stage.listener.certificates ?? ""
      try stage.makeClient(
        limits: ["certificate": "\(folder)/client.pem", "key": "\(folder)/client.key"])
      try stage.call(1, .unary, [1])
      let connection = try stage.greeted()
      try require(
        connection.peerURIs, is: ["quiver:user/archer"], "the names in the client's certificate")
      connection.respond(try connection.wholeRequest().stream, [2])
      try require(stage.driver.message(1), is: [2], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("T06", "a second connection resumes the session of the first", secureOnly: true) {
      stage in
      let (connection, request) = try stage.opened()
      connection.respond(request.stream, [1])
      try require(stage.driver.message(1), is: [1], "the reply")
      try stage.driver.end(1, 0)
      try require(connection.hasResumedSession, is: false, "a session before the first one")
      connection.cut()
      try stage.call(2, .unary, [1], ["wait_for_ready": true])
      let second = try stage.greeted()
      let again = try second.wholeRequest()
      try require(second.hasResumedSession, is: true, "whether the session was resumed")
      second.respond(again.stream, [2])
      try require(stage.driver.message(2), is: [2], "the reply")
      try stage.driver.end(2, 0)
    },
  ]

  /// Throws unless a call ends UNAVAILABLE, whatever number of connections the client tries.
  private static func refused(
    _ stage: Stage, _ accept: ((Int32) -> ScriptedConnection)? = nil
  ) throws {
    if accept == nil { try stage.call(1, .unary, [1], ["timeout_ms": 8_000]) }
    var connections: [ScriptedConnection] = []
    let limit = now() + 9_000
    while now() < limit {
      if let accept {
        if let descriptor = stage.listener.acceptRaw(within: 30) {
          connections.append(accept(descriptor))
        }
      } else if let connection = stage.listener.acceptIfAny(within: 30) {
        connections.append(connection)
        // The handshake fails in it.
        try require((try? connection.readHello()) == nil, "a HELLO came")
      }
      guard case .end(let end) = try stage.driver.eventIfAny(1) else { continue }
      return try require(end.code, is: 14, "the code (\(end.text))")
    }
    // An attempt may have taken all of that time: the end has come meanwhile.
    let end = try stage.driver.end(1, 14)
    try require(end.code, is: 14, "the code (\(end.text))")
  }
}
