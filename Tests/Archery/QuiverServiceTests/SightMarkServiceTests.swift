import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

@Suite("Sight marks", .timeLimit(.minutes(5)))
struct SightMarkServiceTests {
  @Test("Sight marks are created, listed, updated and deleted")
  func life() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let sight = try await Self.sight(client)
      let far = try await client.call(
        Equipment.createSightMark, .of(Self.mark(sight, 70, .metre, 6.5)))
      let near = try await client.call(
        Equipment.createSightMark, .of(Self.mark(sight, 20, .yard, 2.25)))
      #expect(near.sightID == sight && near.unit == .yard && near.markValue == 2.25)
      let list = ListSightMarksRequest.with { $0.sightID = sight }
      #expect(try await client.call(Equipment.listSightMarks, list).sightMarks == [near, far])

      var update = UpdateSightMarkRequest()
      update.sightMark = far
      update.sightMark?.markValue = 6.75
      update.sightMark?.distance = 90
      update.updateMask = ["mark_value"]
      let changed = try await client.call(Equipment.updateSightMark, update)
      #expect(changed.markValue == 6.75 && changed.distance == 70 && changed.revision == 2)
      let stale = try #require(await client.refusal(Equipment.updateSightMark, update))
      #expect(stale.code == .aborted)
      #expect(try SightMark(serializedBytes: stale.details.first?.value ?? []) == changed)

      _ = try await client.call(Equipment.deleteSightMark, .with { $0.id = near.id })
      #expect(try await client.call(Equipment.listSightMarks, list).sightMarks == [changed])
      _ = try await client.call(Equipment.sights.delete, .with { $0.id = sight })
      #expect(await client.refusal(Equipment.listSightMarks, list)?.code == .notFound)
    }
  }

  @Test("A sight mark that is not valid fails with the name of its field", arguments: BadMark.all)
  private func badMarks(_ bad: BadMark) async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let sight = try await Self.sight(client)
      let before = try server.lastSequence()
      var request = CreateSightMarkRequest.of(Self.mark(sight, 18, .metre, 3))
      bad.spoil(&request)
      let refusal = await client.refusal(Equipment.createSightMark, request)
      #expect(refusal?.code == bad.code)
      #expect(refusal?.message.hasPrefix(bad.prefix) == true, "\(refusal?.message ?? "none")")
      #expect(try server.lastSequence() == before)
    }
  }

  @Test("An update refuses fields that a sight mark does not have")
  func masks() async throws {
    try await TestServer.run { server in
      let client = try server.client()
      let sight = try await Self.sight(client)
      let made = try await client.call(
        Equipment.createSightMark, .of(Self.mark(sight, 18, .metre, 3)))
      for (mask, prefix) in [
        ([], "update_mask: "), (["sight_id"], "update_mask[0]: "),
        (["notes", "colour"], "update_mask[1]: "),
      ] as [([String], String)] {
        let update = UpdateSightMarkRequest.with {
          $0.sightMark = made
          $0.updateMask = mask
        }
        let refusal = await client.refusal(Equipment.updateSightMark, update)
        #expect(refusal?.code == .invalidArgument)
        #expect(refusal?.message.hasPrefix(prefix) == true)
      }
    }
  }

  private static func sight(_ client: Client) async throws -> Int64 {
    let request = CreateItemRequest<Sight>.with {
      $0.item = .with {
        $0.brand = "Shibuya"
        $0.model = "Ultima"
      }
    }
    return try await client.call(Equipment.sights.create, request).id
  }

  private static func mark(
    _ sight: Int64, _ distance: Double, _ unit: DistanceUnit, _ value: Double
  ) -> SightMark {
    .with {
      $0.sightID = sight
      $0.distance = distance
      $0.unit = unit
      $0.markValue = value
    }
  }
}

extension CreateSightMarkRequest {
  fileprivate static func of(_ mark: SightMark) -> Self { .with { $0.sightMark = mark } }
}

/// A mark that cannot be made, with the beginning of what is said of it.
private struct BadMark: Sendable, CustomTestStringConvertible {
  var code = StatusCode.invalidArgument
  let prefix: String
  let spoil: @Sendable (inout CreateSightMarkRequest) -> Void

  var testDescription: String { prefix }

  static let all = [
    BadMark(prefix: "sight_mark: ") { $0.sightMark = nil },
    BadMark(prefix: "sight_mark.distance: ") { $0.sightMark?.distance = 0 },
    BadMark(prefix: "sight_mark.distance: ") { $0.sightMark?.distance = .nan },
    BadMark(prefix: "sight_mark.unit: ") { $0.sightMark?.unit = .unspecified },
    BadMark(prefix: "sight_mark.unit: ") { $0.sightMark?.unit = DistanceUnit(rawValue: 3) },
    BadMark(prefix: "sight_mark.mark_value: ") { $0.sightMark?.markValue = .infinity },
    BadMark(prefix: "sight_mark.notes: ") {
      $0.sightMark?.notes = .init(repeating: "n", count: 4_001)
    },
    BadMark(prefix: "sight_mark.client_id: ") { $0.sightMark?.clientID = [1, 2] },
    BadMark(prefix: "sight_mark.sight_id: ") { $0.sightMark?.sightID = 0 },
    BadMark(prefix: "sight_mark.setup_id: ") { $0.sightMark?.setupID = 1 },
    BadMark(code: .notFound, prefix: "sight_mark.sight_id: ") {
      $0.sightMark?.sightID = 4_711
    },
  ]
}
