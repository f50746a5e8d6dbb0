import Foundation
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension ClientCase {
  /// What a client must survive.
  static let faults: [ClientCase] = [
    ClientCase("X01", "unknown frames that are ignorable are skipped") { stage in
      let (connection, request) = try stage.opened()
      for type in 12...15 {
        connection.send(
          Frames.frame(type: UInt8(type), .ignorable, stream: request.stream, pattern(4_096)))
      }
      connection.respond(request.stream, [1])
      try require(stage.driver.message(1), is: [1], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("X02", "unknown fields of payloads are skipped") { stage in
      try stage.makeClient()
      try stage.call(1, .unary)
      let connection = try stage.listener.accept()
      try connection.readHello()
      let unknown: [UInt8] = [0xFA, 0x3F, 3, 1, 2, 3, 0xF5, 0x3F, 1, 2, 3, 4, 0xF0, 0x3F, 9]
      connection.send(
        Preface.bytes, Frames.frame(.hello, Hello().serializedBytes() + unknown))
      let request = try connection.wholeRequest()
      connection.send(
        Frames.frame(.headers, stream: request.stream, unknown),
        Frames.frame(.response, stream: request.stream, ScriptedConnection.echo([1]) + unknown))
      try require(stage.driver.message(1), is: [1], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("X03", "a frame that is never complete ends with its connection") { stage in
      let (connection, request) = try stage.opened(.download)
      connection.data(request.stream, [1])
      connection.send(Frames.header(type: 4, stream: request.stream, promising: 16_384) + [1, 2])
      try stage.read(1, 0)
      try require(stage.driver.message(1), is: [1], "the message")
      connection.cut()
      try stage.driver.end(1, 14)
    },
    ClientCase("X04", "a message that is never complete ends at the deadline") { stage in
      let connection = try stage.warmed()
      let request = try stage.timed(2, .unary, milliseconds: 2_000, on: connection)
      connection.send(Frames.frame(.response, .more, stream: request.stream, pattern(2_000)))
      try stage.driver.end(2, 4)
    },
    ClientCase("X05", "a HELLO with a limit below its bound ends the connection") { stage in
      try stage.makeClient()
      try stage.call(1, .unary, [], ["timeout_ms": 9_000])
      let connection = try stage.listener.accept()
      try connection.greet { $0.maxFrameBytes = 100 }
      try connection.expectGoAway("PROTOCOL_ERROR")
    },
    ClientCase("X06", "a HELLO of 4,096 bytes is read, and a longer one refused") { stage in
      try stage.makeClient()
      try stage.call(1, .unary)
      let connection = try stage.listener.accept()
      try connection.greet { $0.software = String(repeating: "x", count: 4_000) }
      connection.respond(try connection.wholeRequest().stream, [1])
      try require(stage.driver.message(1), is: [1], "the reply")
      try stage.driver.end(1, 0)
      try stage.driver.closeClient()
      try stage.makeClient()
      try stage.call(1, .unary, [], ["timeout_ms": 9_000])
      let second = try stage.listener.accept()
      try second.readHello()
      second.send(Preface.bytes, Frames.header(type: 1, promising: 4_097))
      try second.expectGoAway("FRAME_SIZE_ERROR")
    },
    ClientCase("X07", "10,000 PINGs are answered or end the connection", repeated: false) { stage in
      let (connection, request) = try stage.opened(.unary, [], ["timeout_ms": 9_000])
      for _ in 0..<100 {
        var pings: [UInt8] = []
        for number in 0..<100 { pings += Frames.ping(UInt64(number)) }
        guard connection.send(pings) else { return }
        _ = try? connection.nextIfAny(within: 0)
      }
      connection.respond(request.stream, [1])
      _ = try stage.driver.event(1)
    },
    ClientCase("X08", "answers to PING carry the same bytes") { stage in
      let (connection, request) = try stage.opened()
      for number in 1...5 { connection.send(Frames.ping(UInt64(number))) }
      try connection.wait("five answers") { connection.pingsAnswered == 5 }
      connection.send(Frames.ping(9, .end))
      connection.respond(request.stream, [1])
      try require(stage.driver.message(1), is: [1], "the reply")
      try stage.driver.end(1, 0)
    },
    ClientCase("X09", "GOAWAY inside a reply stream leaves the stream") { stage in
      let (connection, request) = try stage.opened(.download)
      connection.data(request.stream, [1])
      connection.goAway(.noError, last: request.stream)
      connection.data(request.stream, [2])
      connection.status(request.stream, 0)
      try stage.read(1, 0)
      try require(stage.driver.message(1), is: [1], "the message")
      try require(stage.driver.message(1), is: [2], "the message")
      try stage.driver.end(1, 0)
    },
    ClientCase("X11", "a reply that would take many times its size is INTERNAL", repeated: false) {
      stage in
      let (connection, request) = try stage.opened(.watch)
      try stage.read(1, 0)
      // A span, and 220,000 empty changes of two bytes each.
      let message = Self.watched(after: 0, upto: 5, snapshot: true)
      let whole =
        message
        + [UInt8](repeating: 0, count: 440_000).enumerated().map { place, _ in
          place.isMultiple(of: 2) ? 0x12 : 0
        }
      var sent: UInt64 = 0
      for start in stride(from: 0, to: whole.count, by: 16_000) {
        let part = Array(whole[start..<min(start + 16_000, whole.count)])
        sent += UInt64(part.count + 32)
        try connection.wait("CREDIT for \(sent)") {
          sent <= connection.credits[request.stream] ?? 65_536
        }
        connection.send(
          Frames.data(request.stream, part, start + 16_000 < whole.count ? .more : []))
      }
      try stage.driver.end(1, 13)
    },
    ClientCase("X10", "bytes at random end the connection or nothing, never the client") { stage in
      for seed in 1...20 {
        try stage.makeClient()
        try stage.call(1, .unary, [], ["timeout_ms": 9_000])
        let connection = try stage.greeted()
        _ = try connection.wholeRequest()
        var random = UInt32(seed)
        var bytes: [UInt8] = []
        for _ in 0..<2_000 {
          random = random &* 1_664_525 &+ 1_013_904_223
          bytes.append(UInt8(random >> 24))
        }
        connection.send(bytes)
        connection.cut()
        // A retry may come; it is answered.
        let limit = now() + Int(Driver.patience)
        while try stage.driver.eventIfAny(1) == nil {
          try require(now() < limit, "the call did not end")
          guard let second = stage.listener.acceptIfAny(within: 20) else { continue }
          try? second.greet()
          if let request = try? second.wholeRequest() { second.respond(request.stream, [1]) }
        }
        try stage.driver.closeClient()
      }
      try stage.makeClient()
    },
  ]

  /// The invalid frames of `vectors/frames.json` that a client receives.
  static func vectorCases(_ folder: String) throws -> [ClientCase] {
    let file = URL(fileURLWithPath: folder).appendingPathComponent("frames.json")
    guard let data = try? Data(contentsOf: file),
      let all = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let invalid = all["invalid"] as? [[String: Any]]
    else { throw UsageError("\(file.path) cannot be read; --vectors names its folder") }
    let cases = invalid.filter { $0["to"] as? String == "client" }
    return try cases.enumerated().map { place, vector in
      let name = vector["name"] as? String ?? ""
      let bytes = try Hex.decode(vector["hex"] as? String ?? "")
      let before = try Hex.decode(vector["before"] as? String ?? "")
      let calls = vector["calls"] as? [String] ?? []
      let error = vector["error"] as? String
      let status = (vector["status"] as? [String: Any])?["code"] as? Int
      return ClientCase("V\(place < 9 ? "0" : "")\(place + 1)", "the vector \"\(name)\"") { stage in
        let method = calls.first == "server streaming" ? ScriptedMethod.download : .unary
        let (connection, _) = try stage.opened(method, [], ["timeout_ms": 9_000])
        connection.send(before, bytes)
        if let error {
          try connection.expectGoAway(error)
        } else {
          try stage.read(1, 0)
          try stage.driver.end(1, status ?? -1)
          try stage.expectAliveAfterCancel(connection)
        }
      }
    }
  }
}
