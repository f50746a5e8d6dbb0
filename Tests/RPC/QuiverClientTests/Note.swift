import QuiverProtobuf
import QuiverRPC

/// The message of the test methods.
struct Note: Message {
  var text = ""
  var payload: [UInt8] = []
  var number: UInt32 = 0

  static let schema = Schema<Self>(
    "test.Note", .string(1, "text", \.text), .bytes(2, "payload", \.payload),
    .uint32(3, "number", \.number))

  init() {}

  init(_ text: String = "", payload: [UInt8] = [], number: UInt32 = 0) {
    self.text = text
    self.payload = payload
    self.number = number
  }
}

/// The test methods.
enum Notes {
  /// Returns the note with the server's name before its text.
  static let echo = UnaryMethod<Note, Note>("test.Notes/Echo", id: 25601)
  /// Fails with `Fixture.failure`.
  static let fail = UnaryMethod<Note, Note>("test.Notes/Fail", id: 25602)
  /// Replies when the test requests it.
  static let hold = UnaryMethod<Note, Note>("test.Notes/Hold", id: 25603)
  /// Returns `number` bytes.
  static let bytes = UnaryMethod<Note, Note>("test.Notes/Bytes", id: 25604)
  /// Returns bytes that do not decode as a note.
  static let garbage = UnaryMethod<Note, Note>("test.Notes/Garbage", id: 25605)
  /// Returns its idempotency key and the server's name.
  static let key = UnaryMethod<Note, Note>("test.Notes/Key", id: 25606, mutating: true)
  /// Returns the value of the metadata key in the note's text.
  static let metadata = UnaryMethod<Note, Note>("test.Notes/Metadata", id: 25607)
  /// Returns `number` notes.
  static let count = ServerStreamingMethod<Note, Note>("test.Notes/Count", id: 25608)
  /// Returns `number` notes, and is mutating.
  static let mark = ServerStreamingMethod<Note, Note>(
    "test.Notes/Mark", id: 25609, mutating: true)
  /// Returns the sum of the numbers.
  static let sum = ClientStreamingMethod<Note, Note>("test.Notes/Sum", id: 25610)
  /// Returns each note.
  static let talk = BidirectionalMethod<Note, Note>("test.Notes/Talk", id: 25611)
  /// Replies after `number` milliseconds, after a call to another server.
  static let relay = UnaryMethod<Note, Note>("test.Notes/Relay", id: 25612)
  /// Returns a description of its call.
  static let context = UnaryMethod<Note, Note>("test.Notes/Context", id: 25613)
  /// Returns `number` ticks, starting after the last one that any call received.
  static let watch = ServerStreamingMethod<Note, Tick>("test.Notes/Watch", id: 25614)
  /// Returns the position that the call states; the note's text is that of the reply.
  static let position = UnaryMethod<Note, Note>("test.Notes/Position", id: 25615)
  /// The same with a stream of one note.
  static let positions = ServerStreamingMethod<Note, Note>("test.Notes/Positions", id: 25616)
  /// A method that no server has.
  static let missing = UnaryMethod<Note, Note>("test.Notes/Missing", id: 25699)
}

/// The message of the test watch.
struct Tick: WatchMessage {
  var span: WatchSpan?

  static let schema = Schema<Self>("test.Tick", .message(1, "span", \.span))
}
