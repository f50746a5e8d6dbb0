import QuiverAPI
import QuiverWire
import Testing

extension Riser {
  static var hoyt: Riser {
    var riser = Riser()
    riser.brand = "Hoyt"
    riser.model = "Formula Xi"
    riser.lengthInches = 25
    riser.material = "aluminium"
    riser.weightGrams = 1260
    riser.gripType = "Jager"
    return riser
  }
}

extension CreateItemRequest<Riser> {
  static func of(_ riser: Riser) -> Self {
    var request = Self()
    request.item = riser
    return request
  }
}

extension GetItemRequest<Riser> {
  static func of(id: Int64) -> Self {
    var request = Self()
    request.id = id
    return request
  }
}

/// A riser that cannot be made, with the beginning of what is said of it.
struct BadRiser: Sendable, CustomTestStringConvertible {
  let prefix: String
  let testDescription: String
  let spoil: @Sendable (inout CreateItemRequest<Riser>) -> Void

  init(
    _ prefix: String, _ description: String,
    _ spoil: @escaping @Sendable (inout CreateItemRequest<Riser>) -> Void
  ) {
    self.prefix = prefix
    testDescription = description
    self.spoil = spoil
  }

  static let all = [
    BadRiser("riser: ", "no riser") { $0.item = nil },
    BadRiser("riser.brand: ", "empty brand") { $0.item?.brand = "" },
    BadRiser("riser.brand: ", "blank brand") { $0.item?.brand = " \t\u{A0}\u{2003} " },
    BadRiser("riser.brand: ", "long brand") { $0.item?.brand = .init(repeating: "é", count: 201) },
    BadRiser("riser.model: ", "blank model") { $0.item?.model = "\n" },
    BadRiser("riser.notes: ", "long notes") {
      $0.item?.notes = .init(repeating: "n", count: 4_001)
    },
    BadRiser("riser.material: ", "long material") {
      $0.item?.material = .init(repeating: "m", count: 201)
    },
    BadRiser("riser.grip_type: ", "long grip") {
      $0.item?.gripType = .init(repeating: "g", count: 201)
    },
    BadRiser("riser.length_in: ", "length of zero") { $0.item?.lengthInches = 0 },
    BadRiser("riser.length_in: ", "length in millimetres") { $0.item?.lengthInches = 635 },
    BadRiser("riser.length_in: ", "length that is no number") { $0.item?.lengthInches = .nan },
    BadRiser("riser.weight_g: ", "weight below zero") { $0.item?.weightGrams = -0.1 },
    BadRiser("riser.weight_g: ", "infinite weight") { $0.item?.weightGrams = .infinity },
    BadRiser("riser.client_id: ", "short client_id") { $0.item?.clientID = [1, 2, 3] },
    BadRiser("riser.client_id: ", "client_id that is no UUIDv7") {
      $0.item?.clientID = .init(repeating: 0xFF, count: 16)
    },
  ]
}

/// An update that cannot be, with the beginning of what is said of it.
struct BadUpdate: Sendable, CustomTestStringConvertible {
  let code: StatusCode
  let prefix: String
  let testDescription: String
  let spoil: @Sendable (inout UpdateItemRequest<Riser>) -> Void

  init(
    _ prefix: String, _ description: String, code: StatusCode = .invalidArgument,
    _ spoil: @escaping @Sendable (inout UpdateItemRequest<Riser>) -> Void
  ) {
    self.code = code
    self.prefix = prefix
    testDescription = description
    self.spoil = spoil
  }

  static let all = [
    BadUpdate("riser: ", "no riser") { $0.item = nil },
    BadUpdate("update_mask: ", "no mask") { $0.updateMask = [] },
    BadUpdate("update_mask[1]: ", "unknown field") { $0.updateMask = ["brand", "colour"] },
    BadUpdate("update_mask[0]: ", "empty path") { $0.updateMask = [""] },
    BadUpdate("update_mask[0]: ", "JSON spelling") { $0.updateMask = ["gripType"] },
    BadUpdate("update_mask[2]: ", "field of the server") {
      $0.updateMask = ["brand", "model", "revision"]
    },
    BadUpdate("update_mask[0]: ", "the id") { $0.updateMask = ["id"] },
    BadUpdate("update_mask[0]: ", "the client_id") { $0.updateMask = ["client_id"] },
    BadUpdate("riser.revision: ", "no revision") { $0.item?.revision = 0 },
    BadUpdate("it was changed", "revision ahead", code: .aborted) { $0.item?.revision = 2 },
    BadUpdate("riser.brand: ", "cleared brand") { $0.item?.brand = "" },
    BadUpdate("riser.length_in: ", "length out of range") {
      $0.item?.lengthInches = 100.5
      $0.updateMask = ["length_in"]
    },
    BadUpdate("riser.id: ", "no id") { $0.item?.id = 0 },
    BadUpdate("riser.id: ", "id below zero") { $0.item?.id = -1 },
    BadUpdate("there is no", "unknown id", code: .notFound) { $0.item?.id = 4_711 },
    BadUpdate("riser.client_id: ", "short client_id") {
      $0.item?.id = 0
      $0.item?.clientID = [7]
    },
  ]
}

/// Ids that name no item, with the beginning of what is said of them.
struct BadReference: Sendable {
  var id: Int64 = 0
  var clientID: [UInt8] = []
  var code = StatusCode.invalidArgument
  var prefix: String

  static let all = [
    BadReference(prefix: "id: "),
    BadReference(id: -5, prefix: "id: "),
    BadReference(id: 1, clientID: .init(repeating: 1, count: 16), prefix: "client_id: "),
    BadReference(clientID: [1], prefix: "client_id: "),
    BadReference(
      clientID: .init(repeating: 1, count: 16), code: .notFound, prefix: "there is no"),
    BadReference(id: .max, code: .notFound, prefix: "there is no"),
  ]
}
