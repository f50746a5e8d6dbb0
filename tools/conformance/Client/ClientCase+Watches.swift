import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

extension ClientCase {
  /// Watches that resume.
  static let watches: [ClientCase] = [
    ClientCase("W01", "a watch begins with a snapshot and states credit at once") { stage in
      let (connection, request) = try stage.opened(.watch)
      try require(request.head.afterSequence, is: 0, "after_sequence")
      try require(request.head.creditAtOnce, "credit_at_once is missing")
      connection.watch(request.stream, 0, 5, snapshot: true)
      try stage.read(1, 1)
      try require(stage.driver.span(1).upto, is: 5, "upto")
      try connection.wait("CREDIT after the message was taken") {
        connection.credits[request.stream] ?? 0 > 65_536
      }
    },
    ClientCase("W02", "a watch resumes after its last message on a new connection") { stage in
      let (connection, request) = try stage.opened(.watch)
      connection.watch(request.stream, 0, 5, snapshot: true)
      connection.watch(request.stream, 5, 8)
      try stage.read(1, 0)
      try require(stage.driver.span(1).upto, is: 5, "upto")
      try require(stage.driver.span(1).upto, is: 8, "upto")
      connection.cut()
      let second = try stage.greeted()
      let again = try second.wholeRequest()
      try require(again.head.afterSequence, is: 8, "after_sequence")
      try require(again.head.storeEpoch, is: 77, "the epoch")
      second.watch(again.stream, 8, 9)
      try require(stage.driver.span(1).after, is: 8, "after")
    },
    ClientCase("W03", "an incomplete snapshot is not a position") { stage in
      let (connection, request) = try stage.opened(.watch)
      connection.watch(request.stream, 0, 5, snapshot: true, incomplete: true)
      try stage.read(1, 0)
      try require(stage.driver.span(1).isIncomplete, "the first part is not incomplete")
      connection.cut()
      let second = try stage.greeted()
      try require(try second.wholeRequest().head.afterSequence, is: 0, "after_sequence")
    },
    ClientCase("W04", "OUT_OF_RANGE brings a new snapshot") { stage in
      let (connection, request) = try stage.opened(.watch, [], ["after": 40, "epoch": "76"])
      try require(request.head.afterSequence, is: 40, "after_sequence")
      try require(request.head.storeEpoch, is: 76, "the epoch")
      connection.status(request.stream, 11)
      try stage.read(1, 0)
      let again = try connection.wholeRequest()
      try require(again.head.afterSequence, is: 0, "after_sequence")
      try require(again.head.storeEpoch, is: 0, "the epoch")
      connection.watch(again.stream, 0, 3, snapshot: true)
      try require(stage.driver.span(1).isSnapshot, "no snapshot")
    },
    ClientCase("W05", "a watch resumes after UNAVAILABLE on the same connection") { stage in
      let (connection, request) = try stage.opened(.watch)
      connection.watch(request.stream, 0, 5, snapshot: true)
      connection.status(request.stream, 14)
      try stage.read(1, 0)
      try require(stage.driver.span(1).upto, is: 5, "upto")
      let again = try connection.wholeRequest()
      try require(again.head.afterSequence, is: 5, "after_sequence")
      connection.watch(again.stream, 5, 6)
      try require(stage.driver.span(1).upto, is: 6, "upto")
    },
    ClientCase("W06", "a watch whose permission ends is over") { stage in
      let (connection, request) = try stage.opened(.watch)
      connection.watch(request.stream, 0, 5, snapshot: true)
      connection.status(request.stream, 7)
      try stage.read(1, 0)
      try require(stage.driver.span(1).upto, is: 5, "upto")
      try stage.driver.end(1, 7)
      if let frame = try connection.nextIfAny(within: 300) { throw Failure(frame.words) }
    },
    ClientCase("W07", "a watch follows a server whose epoch changes") { stage in
      let (connection, request) = try stage.opened(.watch)
      connection.watch(request.stream, 0, 5, snapshot: true)
      try stage.read(1, 0)
      try require(stage.driver.span(1).epoch, is: "77", "the epoch")
      connection.cut()
      let second = try stage.greeted()
      let again = try second.wholeRequest()
      second.status(again.stream, 11)
      let third = try second.wholeRequest()
      try require(third.head.afterSequence, is: 0, "after_sequence")
      second.watch(third.stream, 0, 2, epoch: 78, snapshot: true)
      try require(stage.driver.span(1).epoch, is: "78", "the epoch")
      second.cut()
      let last = try stage.greeted()
      let fourth = try last.wholeRequest()
      try require(fourth.head.afterSequence, is: 2, "after_sequence")
      try require(fourth.head.storeEpoch, is: 78, "the epoch")
    },
    ClientCase("W08", "a watch resumes over a server that drains") { stage in
      let (connection, request) = try stage.opened(.watch)
      connection.watch(request.stream, 0, 5, snapshot: true)
      try stage.read(1, 0)
      try require(stage.driver.span(1).upto, is: 5, "upto")
      connection.goAway(.noError, last: 2_147_483_647)
      connection.status(request.stream, 14)
      let second = try stage.greeted()
      try require(try second.wholeRequest().head.afterSequence, is: 5, "after_sequence")
    },
  ]
}

extension ClientCase {
  /// A message of the watch.
  static func watched(
    after: Int64, upto: Int64, epoch: UInt64 = 77, snapshot: Bool = false, incomplete: Bool = false
  ) -> [UInt8] {
    var span = WatchSpan()
    span.after = after
    span.upto = upto
    span.storeEpoch = epoch
    span.isSnapshot = snapshot
    span.isIncomplete = incomplete
    var message = WatchItemsResponse()
    message.span = span
    return message.serializedBytes()
  }
}

extension ScriptedConnection {
  /// Sends a message of the watch.
  func watch(
    _ stream: UInt32, _ after: Int64, _ upto: Int64, epoch: UInt64 = 77, snapshot: Bool = false,
    incomplete: Bool = false
  ) {
    let message = ClientCase.watched(
      after: after, upto: upto, epoch: epoch, snapshot: snapshot, incomplete: incomplete)
    send(Frames.data(stream, message))
  }
}
