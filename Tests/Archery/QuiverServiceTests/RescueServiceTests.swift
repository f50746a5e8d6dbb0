import Foundation
import QuiverAPI
import QuiverClient
import QuiverCrypto
import QuiverProtobuf
import QuiverRPC
import QuiverRules
import QuiverStore
import QuiverWire
import Testing

@testable import QuiverService

@Suite("Operations that another phone delivers", .timeLimit(.minutes(5)))
struct RescueServiceTests {
  /// A phone that has joined target 1 and lost its connection.
  private struct Phone {
    let line: DeviceEvent
    let number: UInt8
    let principal: Int64

    init(_ line: DeviceEvent, _ number: UInt8, card: UInt32 = 1) async throws {
      self.line = line
      self.number = number
      principal = try await line.join(number, card: card).principalID
    }

    func arrow(_ participant: Int64, _ arrow: UInt32, _ value: UInt32) -> ScoringOperation {
      .with { operation in
        (operation.clientID, operation.kind) = (line.clientID(), .record)
        operation.participantID = participant
        (operation.endIndex, operation.arrowIndex) = (arrow / 3, arrow % 3)
        operation.value = value
      }
    }

    /// What it shows of operations that wait.
    func text(_ change: (inout RescuedOperations) -> Void) throws -> String {
      var rescued = RescuedOperations()
      (rescued.deviceID, rescued.device) = (principal, "phone \(number)")
      change(&rescued)
      return RescuedText.text(
        rescued.serializedBytes(), secret: try DeviceSecret(DeviceEvent.secret(number)))
    }
  }

  private static func deliver(
    _ text: String, by client: Client
  ) async throws -> DeliverOperationsResponse {
    try await client.call(Events.deliverOperations, .with { $0.text = text })
  }

  @Test("Whoever delivers them stores them once, as the device that has signed them")
  func delivers() async throws {
    try await TestServer.run { server in
      let line = try await DeviceEvent(server)
      let phone = try await Phone(line, 1)
      let operations = [
        phone.arrow(line.entries[0], 0, 9), phone.arrow(line.entries[1], 0, 8),
        // Of another target.
        phone.arrow(line.entries[2], 0, 7),
      ]
      let text = try phone.text { $0.operations = operations }
      let nobody = try server.nobody()
      let first = try await Self.deliver(text, by: nobody)
      #expect(first.tournamentID == line.event.id && first.device == "phone 1")
      #expect(first.verdicts.map(\.verdict) == [.stored, .stored, .refused])
      #expect(first.verdicts.map(\.clientID) == operations.map(\.clientID))
      #expect(first.verdicts.allSatisfy { $0.arrow == nil })
      // By others, again and again, and by the phone itself.
      let other = try await Phone(line, 2, card: 2)
      let clients = [
        nobody, try server.client(named: "Will"), line.event.organiser,
        try server.client(token: line.token(other.number)),
      ]
      for client in clients {
        let again = try await Self.deliver(text, by: client)
        #expect(again.verdicts.map(\.verdict) == [.same, .same, .refused])
      }
      let own = try server.client(token: line.token(1))
      let sent = try await own.call(
        Tournament.applyOperations, .with { $0.operations = operations })
      #expect(sent.verdicts.map(\.verdict) == [.same, .same, .refused])
      let rows = try await line.event.tournament.standings()
      #expect(rows == ["1 Ann 9 0", "2 Bea 8 0", "3 Cid 0 0"])
      // The history names the device and not who delivered it.
      let card = try await line.event.organiser.call(
        Rounds.getScorecard,
        .with { ($0.participantID, $0.includeHistory) = (line.entries[0], true) })
      #expect(card.history.map(\.principalID) == [phone.principal])
      #expect(card.history.map { $0.operation?.device } == ["phone 1"])
    }
  }

  @Test("Ends of a second card, and of a match, are delivered too")
  func otherCards() async throws {
    try await TestServer.run { server in
      let line = try await DeviceEvent(server)
      let phone = try await Phone(line, 1, card: 2)
      let end = CardOperation.with { operation in
        (operation.clientID, operation.participantID) = (line.clientID(), line.entries[0])
        operation.arrows = [9, 8, 7].map { value in MatchArrow.with { $0.value = value } }
      }
      let entry = MatchOperation.with { operation in
        (operation.clientID, operation.matchID, operation.side) = (line.clientID(), 999, 1)
        operation.entry = .with { $0.arrows = end.arrows }
      }
      let text = try phone.text { ($0.cardOperations, $0.matchOperations) = ([end], [entry]) }
      for verdict in [Verdict.stored, .same] {
        let reply = try await Self.deliver(text, by: try server.nobody())
        #expect(reply.cardVerdicts.map(\.verdict) == [verdict])
        #expect(reply.cardVerdicts[0].end == nil)
        #expect(reply.matchVerdicts.map(\.verdict) == [.refused])
      }
      let card = try await line.event.organiser.call(
        Events.getComparedCard, .with { $0.participantID = line.entries[0] })
      #expect(card.secondTotal == 24)
    }
  }

  @Test("What a former device has recorded is stored where nothing is, and waits otherwise")
  func former() async throws {
    try await TestServer.run { server in
      let line = try await DeviceEvent(server)
      let phone = try await Phone(line, 1)
      let text = try phone.text {
        $0.operations = [phone.arrow(line.entries[0], 0, 9), phone.arrow(line.entries[0], 1, 8)]
      }
      _ = try await line.event.organiser.call(
        Events.endDevice,
        .with { ($0.tournamentID, $0.principalID) = (line.event.id, phone.principal) })
      let next = try await Phone(line, 2)
      _ = try await Self.deliver(
        try next.text { $0.operations = [next.arrow(line.entries[0], 0, 5)] },
        by: try server.nobody())
      let reply = try await Self.deliver(text, by: try server.nobody())
      #expect(reply.verdicts.map(\.verdict) == [.late, .stored])
    }
  }

  @Test("Forged and damaged texts are refused and change nothing")
  func forged() async throws {
    var options = ServerAssembly.Options()
    options.maxFailedJoinCodesPerMinute = 1_000
    try await TestServer.run(options) { server in
      let line = try await DeviceEvent(server)
      let phone = try await Phone(line, 1)
      let other = try await Phone(line, 2, card: 2)
      let operation = phone.arrow(line.entries[0], 0, 10)
      let text = try phone.text { $0.operations = [operation] }
      let nobody = try server.nobody()
      let before = try server.lastSequence()
      func refusal(_ text: String) async -> StatusCode? {
        await nobody.refusal(Events.deliverOperations, .with { $0.text = text })?.code
      }
      // Of each byte one bit, without those that make it no message.
      let bytes = try #require(Base64URL.decode(text.dropFirst(3)))
      for index in bytes.indices {
        var changed = bytes
        changed[index] ^= 1 << UInt8(index % 8)
        let code = await refusal("qr_" + Base64URL.encode(changed))
        #expect(code == .notFound || code == .invalidArgument, "byte \(index)")
      }
      // Signed by another device of the event, or by a secret that no device has.
      for secret in [UInt8(2), 9] {
        var rescued = RescuedOperations()
        (rescued.deviceID, rescued.operations) = (phone.principal, [operation])
        let forged = RescuedText.text(
          rescued.serializedBytes(), secret: try DeviceSecret(DeviceEvent.secret(secret)))
        #expect(await refusal(forged) == .notFound)
      }
      for device in [Int64(0), -1, Int64.max, other.principal + 1_000] {
        var rescued = RescuedOperations()
        (rescued.deviceID, rescued.operations) = (device, [operation])
        let unknown = RescuedText.text(
          rescued.serializedBytes(), secret: try DeviceSecret(DeviceEvent.secret(1)))
        #expect(await refusal(unknown) == .notFound)
      }
      let many = try phone.text { rescued in
        rescued.operations = (0..<51).map { phone.arrow(line.entries[0], $0 % 6, 1) }
      }
      let texts = [
        "", "qr_", "qr_A", "qr_AAAA", "qd_" + text.dropFirst(3), String(text.dropFirst(3)),
        text + "=", text + " ", many,
        try phone.text { _ in },
      ]
      for text in texts { #expect(await refusal(text) == .invalidArgument, "\(text.prefix(9))") }
      #expect(try server.lastSequence() == before)
      #expect(try await Self.deliver(text, by: nobody).verdicts.map(\.verdict) == [.stored])
    }
  }

  @Test("Texts that nobody has signed are limited, and a signed one is taken nevertheless")
  func limited() async throws {
    var options = ServerAssembly.Options()
    options.maxFailedJoinCodesPerMinute = 3
    try await TestServer.run(options) { server in
      let line = try await DeviceEvent(server)
      let phone = try await Phone(line, 1)
      let nobody = try server.nobody()
      let text = try phone.text { $0.operations = [phone.arrow(line.entries[0], 0, 10)] }
      var codes: [StatusCode?] = []
      for _ in 0..<5 {
        let forged = String(text.dropLast(4)) + (text.hasSuffix("AAAA") ? "BBBB" : "AAAA")
        codes.append(
          await nobody.refusal(Events.deliverOperations, .with { $0.text = forged })?.code)
      }
      #expect(codes == [.notFound, .notFound, .notFound, .resourceExhausted, .resourceExhausted])
      #expect(try await Self.deliver(text, by: nobody).verdicts.map(\.verdict) == [.stored])
    }
  }

  /// A case of Tests/Fixtures/session/rescue.json, which rescue_vectors.py makes.
  private struct Vectors: Decodable {
    let cases: [Case]

    struct Case: Decodable {
      let name: String
      let token: String
      let deviceId: String
      let device: String
      let text: String
    }
  }

  @Test("Devices show the texts that another implementation makes of the same operations")
  func vectors() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/session/rescue.json")
    let vectors = try JSONDecoder().decode(Vectors.self, from: try Data(contentsOf: file))
    #expect(vectors.cases.count == 3)
    for vector in vectors.cases {
      let bytes = try #require(Base64URL.decode(vector.token.dropFirst(3)))
      let text = try RescuedText(vector.text)
      let made = RescuedText.text(text.payload, secret: try DeviceSecret(bytes))
      #expect(made == vector.text, "\(vector.name)")
      let rescued = try RescuedOperations(serializedBytes: text.payload)
      #expect("\(rescued.deviceID)" == vector.deviceId && rescued.device == vector.device)
      #expect(rescued.serializedBytes() == text.payload, "\(vector.name)")
    }
  }
}
