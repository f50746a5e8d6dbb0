import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Testing

/// One archer with a few items, and an item of another.
struct SetupQuiver: Sendable {
  let client: Client
  let riser: Int64
  let weight: Int64
  let foreignRiser: Int64

  init(_ server: TestServer) async throws {
    client = try server.client()
    riser = try await client.call(Equipment.risers.create, .of(.hoyt)).id
    var item = Weight()
    item.location = "Front"
    item.name = "Disc"
    let creation = CreateItemRequest<Weight>.with { $0.item = item }
    weight = try await client.call(Equipment.weights.create, creation).id
    let other = try server.client(named: "Marian")
    foreignRiser = try await other.call(Equipment.risers.create, .of(.hoyt)).id
  }

  func make(_ name: String, _ items: [Int64]) async throws -> BowSetup {
    var request = CreateBowSetupRequest()
    request.bowSetup = BowSetup()
    request.bowSetup?.name = name
    request.bowSetup?.components = items.map { .of($0) }
    return try await client.call(Equipment.createBowSetup, request)
  }

  func get(_ id: Int64, version: UInt32 = 0) async throws -> BowSetup {
    let request = GetBowSetupRequest.with {
      $0.id = id
      $0.version = version
    }
    return try await client.call(Equipment.getBowSetup, request)
  }

  func refusal(_ id: Int64) async -> RPCError? {
    await client.refusal(Equipment.getBowSetup, .with { $0.id = id })
  }
}

extension Message {
  /// A message with what `fill` sets.
  static func with(_ fill: (inout Self) -> Void) -> Self {
    var message = Self()
    fill(&message)
    return message
  }
}

extension SetupComponent {
  static func of(_ id: Int64, quantity: UInt32 = 0) -> Self {
    .with {
      $0.equipmentID = id
      $0.quantity = quantity
    }
  }
}

/// A setup that cannot be made, with the beginning of what is said of it.
struct BadSetup: Sendable, CustomTestStringConvertible {
  let code: StatusCode
  let prefix: String
  let testDescription: String
  let spoil: @Sendable (inout CreateBowSetupRequest, SetupQuiver) -> Void

  init(
    _ prefix: String, _ description: String, code: StatusCode = .invalidArgument,
    _ spoil: @escaping @Sendable (inout CreateBowSetupRequest, SetupQuiver) -> Void
  ) {
    self.code = code
    self.prefix = prefix
    testDescription = description
    self.spoil = spoil
  }

  static let all = [
    BadSetup("bow_setup: ", "no setup") { request, _ in request.bowSetup = nil },
    BadSetup("bow_setup.name: ", "blank name") { request, _ in request.bowSetup?.name = " \n" },
    BadSetup("bow_setup.name: ", "long name") { request, _ in
      request.bowSetup?.name = .init(repeating: "é", count: 201)
    },
    BadSetup("bow_setup.notes: ", "long notes") { request, _ in
      request.bowSetup?.notes = .init(repeating: "n", count: 4_001)
    },
    BadSetup("bow_setup.client_id: ", "short client_id") { request, _ in
      request.bowSetup?.clientID = [1]
    },
    BadSetup("bow_setup.is_default: ", "inactive default", code: .failedPrecondition) {
      request, _ in
      request.bowSetup?.isActive = false
      request.bowSetup?.isDefault = true
    },
    BadSetup("bow_setup.components[2]: ", "the same item twice") { request, quiver in
      request.bowSetup?.components.append(.of(quiver.weight))
    },
    BadSetup("bow_setup.components[0].quantity: ", "two risers") { request, _ in
      request.bowSetup?.components[0].quantity = 2
    },
    BadSetup("bow_setup.components[1].quantity: ", "too many weights") { request, _ in
      request.bowSetup?.components[1].quantity = 1_001
    },
    BadSetup("bow_setup.components[1].type: ", "a weight as a sight") { request, _ in
      request.bowSetup?.components[1].type = .sight
    },
    BadSetup("bow_setup.components[1].type: ", "a type that is none") { request, _ in
      request.bowSetup?.components[1].type = EquipmentType(rawValue: 11)
    },
    BadSetup("bow_setup.components[0].equipment_id: ", "no item") { request, _ in
      request.bowSetup?.components[0] = SetupComponent()
    },
    BadSetup("bow_setup.components[0].equipment_id: ", "id below zero") { request, _ in
      request.bowSetup?.components[0] = .of(-1)
    },
    BadSetup(
      "bow_setup.components[0].equipment_id: ", "another's item", code: .notFound
    ) { request, quiver in
      request.bowSetup?.components[0] = .of(quiver.foreignRiser)
    },
    BadSetup(
      "bow_setup.components[0].equipment_client_id: ", "an unknown client_id", code: .notFound
    ) { request, _ in
      request.bowSetup?.components[0] = .with {
        $0.equipmentClientID = .init(repeating: 1, count: 16)
      }
    },
    BadSetup("bow_setup.components: ", "too many components") { request, quiver in
      request.bowSetup?.components = .init(repeating: .of(quiver.weight), count: 51)
    },
  ]
}

/// An update of a setup that cannot be, with the beginning of what is said of it.
struct BadSetupUpdate: Sendable, CustomTestStringConvertible {
  let code: StatusCode
  let prefix: String
  let testDescription: String
  let spoil: @Sendable (inout UpdateBowSetupRequest, SetupQuiver) -> Void

  init(
    _ prefix: String, _ description: String, code: StatusCode = .invalidArgument,
    _ spoil: @escaping @Sendable (inout UpdateBowSetupRequest, SetupQuiver) -> Void
  ) {
    self.code = code
    self.prefix = prefix
    testDescription = description
    self.spoil = spoil
  }

  static let all = [
    BadSetupUpdate("bow_setup: ", "no setup") { request, _ in request.bowSetup = nil },
    BadSetupUpdate("update_mask: ", "no mask") { request, _ in request.updateMask = [] },
    BadSetupUpdate("update_mask[1]: ", "unknown field") { request, _ in
      request.updateMask = ["name", "colour"]
    },
    BadSetupUpdate("update_mask[0]: ", "field of the server") { request, _ in
      request.updateMask = ["version"]
    },
    BadSetupUpdate("bow_setup.revision: ", "no revision") { request, _ in
      request.bowSetup?.revision = 0
    },
    BadSetupUpdate("it was changed", "revision ahead", code: .aborted) { request, _ in
      request.bowSetup?.revision = 2
    },
    BadSetupUpdate("bow_setup.name: ", "blank name") { request, _ in
      request.bowSetup?.name = "\t"
    },
    BadSetupUpdate("bow_setup.is_active: ", "a state that is not given") { request, _ in
      request.bowSetup?.isActive = nil
      request.updateMask = ["is_active"]
    },
    BadSetupUpdate("bow_setup.is_default: ", "inactive default", code: .failedPrecondition) {
      request, _ in
      request.bowSetup?.isActive = false
      request.bowSetup?.isDefault = true
      request.updateMask = ["is_active", "is_default"]
    },
    BadSetupUpdate("bow_setup.components[1]: ", "the riser twice") { request, quiver in
      request.bowSetup?.components.append(.of(quiver.riser))
      request.updateMask = ["components"]
    },
    BadSetupUpdate("bow_setup.id: ", "no id") { request, _ in request.bowSetup?.id = 0 },
    BadSetupUpdate("there is no", "unknown id", code: .notFound) { request, _ in
      request.bowSetup?.id = 4_711
    },
  ]
}
