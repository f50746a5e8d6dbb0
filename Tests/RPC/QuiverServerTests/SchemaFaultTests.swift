import QuiverProtobuf
import QuiverServer
import Testing

@Suite(.timeLimit(.minutes(1))) struct SchemaFaultTests {
  struct Loop: Message {
    var inner: [Loop] = []

    static let schema = Schema<Self>("test.loop.v1.Loop", .messages(1, "inner", \.inner))
  }

  enum Looping: RPCService {
    struct Methods: Sendable {
      let go = UnaryMethod<Loop, Note>("test.loop.v1.Looping/Go", id: 12_289)
    }

    static let methods = Methods()
  }

  enum Reserved: RPCService {
    struct Methods: Sendable {
      let go = UnaryMethod<Note, Note>("test.notes.v1.Reserved/Go", id: 257)
    }

    static let methods = Methods()
  }

  enum Twice: RPCService {
    struct Methods: Sendable {
      let go = UnaryMethod<Note, Note>("test.notes.v1.Twice/Go", id: 10_241)
    }

    static let methods = Methods()
  }

  enum Split: RPCService {
    struct Methods: Sendable {
      let one = UnaryMethod<Note, Note>("test.notes.v1.Split/One", id: 12_545)
      let two = UnaryMethod<Note, Note>("test.notes.v1.Split/Two", id: 12_801)
    }

    static let methods = Methods()
  }

  enum Nameless: RPCService {
    struct Methods: Sendable {
      let go = UnaryMethod<Note, Note>("Go", id: 13_313)
    }

    static let methods = Methods()
  }

  enum Detailed: RPCService {
    struct Methods: Sendable {
      let go = UnaryMethod<Note, Note>("test.detailed.v1.Detailed/Go", id: 13_569)
    }

    static let methods = Methods()
    static let details: [any Message.Type] = [Loop.self]
  }

  struct TwiceNumbered: Message {
    var one = ""
    var two = ""

    static let schema = Schema<Self>(
      "test.fields.v1.TwiceNumbered", .string(1, "one", \.one), .string(1, "two", \.two))
  }

  enum Fields: RPCService {
    struct Methods: Sendable {
      let go = UnaryMethod<TwiceNumbered, Note>("test.fields.v1.Fields/Go", id: 13_825)
    }

    static let methods = Methods()
  }

  @Test("A field that is declared twice traps where the service is declared, in a debug build")
  func aFieldThatIsDeclared() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Service(Fields.self, [.handle(Fields.go) { _, _ in Note() }])
    }
    let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("field two = 1 of test.fields.v1.TwiceNumbered is declared twice"))
  }

  static func field(_ number: Int32, _ name: String) -> FieldSchema {
    FieldSchema(number: number, name: name, type: .bool, label: .implicit)
  }

  static let fields: [(fields: [FieldSchema], fault: String?)] = [
    ([field(1, "a"), field(536_870_911, "b"), field(18_999, "c"), field(20_000, "d")], nil),
    ([field(1, "a"), field(1, "b")], "field b = 1 of m.M is declared twice"),
    ([field(1, "a"), field(2, "a")], "field a = 2 of m.M is declared twice"),
    ([field(0, "a")], "field number 0 of m.M is out of range"),
    ([field(-1, "a")], "field number -1 of m.M is out of range"),
    ([field(536_870_912, "a")], "field number 536870912 of m.M is out of range"),
    ([field(19_000, "a")], "field number 19000 of m.M is out of range"),
    ([field(19_999, "a")], "field number 19999 of m.M is out of range"),
  ]

  @Test("The fault of fields is what a release build refuses a server for", arguments: 0..<8)
  func theFaultOfFieldsIs(_ index: Int) {
    let (fields, fault) = Self.fields[index]
    #expect(MessageSchema.fault("m.M", fields) == fault)
  }

  static let note: @Sendable (Note, CallContext) async throws -> Note = { note, _ in note }

  static let faults: [(services: [Service], words: String)] = [
    (
      [Service(Looping.self, [.handle(Looping.go) { _, _ in Note() }])],
      "messages must not contain themselves"
    ),
    ([Service(Reserved.self, [.handle(Reserved.go, note)])], "are reserved"),
    (
      [NoteHandlers().service, Service(Twice.self, [.handle(Twice.go, note)])], "have the id 10241"
    ),
    ([NoteHandlers().service, NoteHandlers().service], "two services are"),
    ([Service(Twice.self, [])], "no handler is registered for test.notes.v1.Twice/Go"),
    (
      [Service(Twice.self, [.handle(Twice.go, note), .handle(Twice.go, note)])], "has two handlers"
    ),
    (
      [Service(Twice.self, [.handle(Twice.go, note), .handle(Split.one, note)])],
      "is not a method of"
    ),
    (
      [Service(Split.self, [.handle(Split.one, note), .handle(Split.two, note)])],
      "must be 256 x service + 1 to 255"
    ),
    ([Service(Nameless.self, [.handle(Nameless.go, note)])], "PACKAGE.SERVICE/METHOD"),
    (
      [Service(Detailed.self, [.handle(Detailed.go, note)])],
      "messages must not contain themselves"
    ),
  ]

  @Test("A fault of the services is an error that names it", arguments: 0..<10)
  func aFaultOfTheServices(
    _ index: Int
  ) throws {
    let (services, words) = Self.faults[index]
    let error = #expect(throws: ServerError.self) {
      try RPCServer(.init(addresses: ["127.0.0.1:0"], services: services))
    }
    #expect(error?.code == .schema)
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "none")")
  }

  @Test("Limits, addresses and certificates are validated before anything listens")
  func limitsAddressesAndCertificatesAre() throws {
    let service = NoteHandlers().service
    var limits = RPCServer.Configuration(addresses: ["127.0.0.1:0"], services: [service])
    limits.limits.maxMessageBytes = 1
    #expect(throws: ServerError.self) { try RPCServer(limits) }
    #expect(throws: ServerError.self) { try RPCServer(.init(addresses: [], services: [service])) }
    #expect(throws: ServerError.self) {
      try RPCServer(.init(addresses: ["nowhere"], services: [service]))
    }
    #expect(throws: ServerError.self) {
      try RPCServer(.init(addresses: ["tls://127.0.0.1:0"], services: [service]))
    }
  }
}
