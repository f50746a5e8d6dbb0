import QuiverAPI
import QuiverClient
import QuiverCrypto
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@testable import QuiverService

/// A running event on two targets with plates, and phones with secrets of their own.
struct DeviceEvent {
  let server: TestServer
  let event: TestEvent
  let session: Int64
  /// Ann and Bea on target 1, Cid on target 2.
  let entries: [Int64]
  let plates: [String]

  init(
    _ server: TestServer, _ format: FormatReference = .library("wa18", arrows: 6)
  ) async throws {
    self.server = server
    event = try await TestEvent(server) { $0.format = format }
    let line = try await event.session("line", targets: 1...2, archers: 2)
    session = line.id
    entries = try await event.entries([
      TestEvent.draft("1", "Ann", session: line.id), TestEvent.draft("2", "Bea", session: line.id),
      TestEvent.draft("3", "Cid", session: line.id),
    ]).map(\.participantID)
    for (entry, place) in zip(entries, [(1, "A"), (1, "B"), (2, "A")]) {
      _ = try await event.organiser.call(
        Events.placeEventEntry,
        .with { request in
          (request.participantID, request.sessionID) = (entry, line.id)
          (request.target, request.letter) = (UInt32(place.0), place.1)
        })
    }
    let id = event.id
    _ = try await event.organiser.call(
      Events.setEventLeases, .with { ($0.tournamentID, $0.demanded) = (id, true) })
    plates = try await event.organiser.call(
      Events.createPlateCodes, .with { $0.tournamentID = id }
    ).codes.map(\.code)
    try await event.tournament.start()
  }

  static func secret(_ phone: UInt8) -> [UInt8] { (0..<32).map { $0 &* 5 &+ phone } }

  func token(_ phone: UInt8) -> String { "qd_" + Base64URL.encode(Self.secret(phone)) }

  @discardableResult
  func join(
    _ phone: UInt8, target: Int = 1, card: UInt32 = 1, takesOver: Bool = false,
    key: IdempotencyKey? = nil
  ) async throws -> JoinTargetResponse {
    try await server.nobody().call(
      Events.joinTarget,
      .with { request in
        (request.code, request.device) = (plates[target - 1], "phone \(phone)")
        (request.card, request.takeOver) = (card, takesOver)
        request.deviceSecret = Self.secret(phone)
      }, key: key)
  }

  /// A phone that has joined target 1.
  func phone(_ phone: UInt8, card: UInt32 = 1) async throws -> Client {
    try await join(phone, card: card)
    return try server.client(token: token(phone))
  }

  /// Calls from the line that are refused: each has one fault.
  func refusesFaults(of call: RaiseTargetCallRequest, by phone: Client) async throws {
    var request = call
    request.text = "another"
    #expect(await phone.refusal(Events.raiseTargetCall, request)?.code == .alreadyExists)
    request.clientID = clientID()
    request.target = 2
    #expect(await phone.refusal(Events.raiseTargetCall, request)?.code == .permissionDenied)
    request.target = 1
    request.owedArrows = 37
    #expect(await phone.refusal(Events.raiseTargetCall, request)?.code == .invalidArgument)
    request.owedArrows = 0
    request.text = "a\nb"
    #expect(await phone.refusal(Events.raiseTargetCall, request)?.code == .invalidArgument)
    request.text = String(repeating: "x", count: 301)
    #expect(await phone.refusal(Events.raiseTargetCall, request)?.code == .invalidArgument)
    request.text = ""
    request.participantID = entries[2]
    #expect(await phone.refusal(Events.raiseTargetCall, request)?.code == .failedPrecondition)
    request.participantID = entries[0]
    for kind in [QuiverAPI.TargetCallKind.unspecified, .lateArrows, .init(rawValue: 99)] {
      request.kind = kind
      #expect(await phone.refusal(Events.raiseTargetCall, request)?.code == .invalidArgument)
    }
  }

  func clientID() -> [UInt8] {
    (try? UUIDv7.make(unixMilliseconds: 1_790_000_000_000)) ?? []
  }

  func record(
    _ participant: Int64, _ arrow: UInt32, _ value: UInt32, by client: Client
  ) async throws -> OperationVerdict {
    let operation = QuiverAPI.ScoringOperation.with { operation in
      (operation.clientID, operation.kind) = (clientID(), .record)
      (operation.participantID, operation.device) = (participant, "phone")
      (operation.endIndex, operation.arrowIndex) = (arrow / 3, arrow % 3)
      operation.value = value
    }
    let response = try await client.call(
      Tournament.applyOperations, .with { $0.operations = [operation] })
    return try #require(response.verdicts.first)
  }
}
