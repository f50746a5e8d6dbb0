import QuiverProtobuf
import QuiverRPC

/// What the tests' methods take and answer.
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

/// The tests' methods.
enum Notes {
  /// Answers the note with the server's name before its text.
  static let echo = UnaryMethod<Note, Note>("test.Notes/Echo", id: 25601)
  /// Fails as `Fixture.failure` says.
  static let fail = UnaryMethod<Note, Note>("test.Notes/Fail", id: 25602)
  /// Is answered when the test says so.
  static let hold = UnaryMethod<Note, Note>("test.Notes/Hold", id: 25603)
  /// Answers `number` bytes.
  static let bytes = UnaryMethod<Note, Note>("test.Notes/Bytes", id: 25604)
  /// Answers bytes that are no note.
  static let garbage = UnaryMethod<Note, Note>("test.Notes/Garbage", id: 25605)
  /// Answers its idempotency key, and the server's name.
  static let key = UnaryMethod<Note, Note>("test.Notes/Key", id: 25606, mutating: true)
  /// Answers the value of the metadata key that the note's text names.
  static let metadata = UnaryMethod<Note, Note>("test.Notes/Metadata", id: 25607)
  /// Answers `number` notes.
  static let count = ServerStreamingMethod<Note, Note>("test.Notes/Count", id: 25608)
  /// The same, and changes something.
  static let mark = ServerStreamingMethod<Note, Note>(
    "test.Notes/Mark", id: 25609, mutating: true)
  /// Answers the sum of the numbers.
  static let sum = ClientStreamingMethod<Note, Note>("test.Notes/Sum", id: 25610)
  /// Answers each note.
  static let talk = BidirectionalMethod<Note, Note>("test.Notes/Talk", id: 25611)
  /// Is answered after `number` milliseconds, by a server that calls another one for it.
  static let relay = UnaryMethod<Note, Note>("test.Notes/Relay", id: 25612)
  /// Says what it knows of its call.
  static let context = UnaryMethod<Note, Note>("test.Notes/Context", id: 25613)
  /// Answers `number` ticks, from one after the last that any call was sent.
  static let watch = ServerStreamingMethod<Note, Tick>("test.Notes/Watch", id: 25614)
  /// No server has it.
  static let missing = UnaryMethod<Note, Note>("test.Notes/Missing", id: 25699)
}

/// A message of the tests' watch.
struct Tick: WatchMessage {
  var span: WatchSpan?

  static let schema = Schema<Self>("test.Tick", .message(1, "span", \.span))
}
