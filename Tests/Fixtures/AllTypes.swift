package import QuiverProtobuf

/// The message of `Tests/Fixtures/AllTypes.proto`: every kind of field in every manner.
package struct AllTypes: Message {
  package var int32: Int32 = 0
  package var sint32: Int32 = 0
  package var sfixed32: Int32 = 0
  package var uint32: UInt32 = 0
  package var fixed32: UInt32 = 0
  package var int64: Int64 = 0
  package var sint64: Int64 = 0
  package var sfixed64: Int64 = 0
  package var uint64: UInt64 = 0
  package var fixed64: UInt64 = 0
  package var float: Float = 0
  package var double: Double = 0
  package var bool = false
  package var string = ""
  package var bytes: [UInt8] = []
  package var colour = Colour.unspecified
  package var leaf: Leaf?

  package var optionalInt32: Int32?
  package var optionalSint32: Int32?
  package var optionalSfixed32: Int32?
  package var optionalUint32: UInt32?
  package var optionalFixed32: UInt32?
  package var optionalInt64: Int64?
  package var optionalSint64: Int64?
  package var optionalSfixed64: Int64?
  package var optionalUint64: UInt64?
  package var optionalFixed64: UInt64?
  package var optionalFloat: Float?
  package var optionalDouble: Double?
  package var optionalBool: Bool?
  package var optionalString: String?
  package var optionalBytes: [UInt8]?
  package var optionalColour: Colour?

  package var int32s: [Int32] = []
  package var sint32s: [Int32] = []
  package var sfixed32s: [Int32] = []
  package var uint32s: [UInt32] = []
  package var fixed32s: [UInt32] = []
  package var int64s: [Int64] = []
  package var sint64s: [Int64] = []
  package var sfixed64s: [Int64] = []
  package var uint64s: [UInt64] = []
  package var fixed64s: [UInt64] = []
  package var floats: [Float] = []
  package var doubles: [Double] = []
  package var bools: [Bool] = []
  package var strings: [String] = []
  package var byteStrings: [[UInt8]] = []
  package var colours: [Colour] = []
  package var leaves: [Leaf] = []
  package var branch: Branch?
  package var highNumber: UInt32 = 0

  package init() {}

  package static let schema = Schema<Self>(
    "quiver.fixture.AllTypes",
    .int32(1, "int32_value", \.int32),
    .sint32(2, "sint32_value", \.sint32),
    .sfixed32(3, "sfixed32_value", \.sfixed32),
    .uint32(4, "uint32_value", \.uint32),
    .fixed32(5, "fixed32_value", \.fixed32),
    .int64(6, "int64_value", \.int64),
    .sint64(7, "sint64_value", \.sint64),
    .sfixed64(8, "sfixed64_value", \.sfixed64),
    .uint64(9, "uint64_value", \.uint64),
    .fixed64(10, "fixed64_value", \.fixed64),
    .float(11, "float_value", \.float),
    .double(12, "double_value", \.double),
    .bool(13, "bool_value", \.bool),
    .string(14, "string_value", \.string),
    .bytes(15, "bytes_value", \.bytes),
    .enum(16, "colour", \.colour), .message(17, "leaf", \.leaf),
    .optionalInt32(21, "optional_int32", \.optionalInt32),
    .optionalSint32(22, "optional_sint32", \.optionalSint32),
    .optionalSfixed32(23, "optional_sfixed32", \.optionalSfixed32),
    .optionalUint32(24, "optional_uint32", \.optionalUint32),
    .optionalFixed32(25, "optional_fixed32", \.optionalFixed32),
    .optionalInt64(26, "optional_int64", \.optionalInt64),
    .optionalSint64(27, "optional_sint64", \.optionalSint64),
    .optionalSfixed64(28, "optional_sfixed64", \.optionalSfixed64),
    .optionalUint64(29, "optional_uint64", \.optionalUint64),
    .optionalFixed64(30, "optional_fixed64", \.optionalFixed64),
    .optionalFloat(31, "optional_float", \.optionalFloat),
    .optionalDouble(32, "optional_double", \.optionalDouble),
    .optionalBool(33, "optional_bool", \.optionalBool),
    .optionalString(34, "optional_string", \.optionalString),
    .optionalBytes(35, "optional_bytes", \.optionalBytes),
    .optionalEnum(36, "optional_colour", \.optionalColour),
    .int32s(41, "int32s", \.int32s),
    .sint32s(42, "sint32s", \.sint32s),
    .sfixed32s(43, "sfixed32s", \.sfixed32s),
    .uint32s(44, "uint32s", \.uint32s),
    .fixed32s(45, "fixed32s", \.fixed32s),
    .int64s(46, "int64s", \.int64s),
    .sint64s(47, "sint64s", \.sint64s),
    .sfixed64s(48, "sfixed64s", \.sfixed64s),
    .uint64s(49, "uint64s", \.uint64s),
    .fixed64s(50, "fixed64s", \.fixed64s),
    .floats(51, "floats", \.floats),
    .doubles(52, "doubles", \.doubles),
    .bools(53, "bools", \.bools),
    .strings(54, "strings", \.strings),
    .byteStrings(55, "byte_strings", \.byteStrings),
    .enums(56, "colours", \.colours), .messages(57, "leaves", \.leaves),
    .message(58, "branch", \.branch), .uint32(5000, "high_number", \.highNumber))
}

package struct Leaf: Message {
  package var name = ""
  package var weight: Double = 0

  package init() {}

  package init(name: String, weight: Double = 0) {
    self.name = name
    self.weight = weight
  }

  package static let schema = Schema<Self>(
    "quiver.fixture.Leaf", .string(1, "name", \.name), .double(2, "weight", \.weight))
}

package struct Branch: Message {
  package var main: Leaf?
  package var leaves: [Leaf] = []
  package var lengths: [Int32] = []

  package init() {}

  package init(main: Leaf? = nil, leaves: [Leaf] = [], lengths: [Int32] = []) {
    self.main = main
    self.leaves = leaves
    self.lengths = lengths
  }

  package static let schema = Schema<Self>(
    "quiver.fixture.Branch", .message(1, "main", \.main), .messages(2, "leaves", \.leaves),
    .int32s(3, "lengths", \.lengths))
}

package struct Colour: OpenEnum {
  package let rawValue: Int32
  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let unspecified = Colour(rawValue: 0)
  package static let red = Colour(rawValue: 1)
  package static let ultraviolet = Colour(rawValue: -3)

  package static let schema = EnumSchema(
    "quiver.fixture.Colour",
    [(0, "COLOUR_UNSPECIFIED"), (1, "COLOUR_RED"), (-3, "COLOUR_ULTRAVIOLET")])
}

extension AllTypes {
  /// A message with something in every field.
  package static var filled: AllTypes {
    var all = AllTypes()
    all.int32 = -1
    all.sint32 = .min
    all.sfixed32 = -2
    all.uint32 = .max
    all.fixed32 = 7
    all.int64 = .min
    all.sint64 = -9
    all.sfixed64 = .max
    all.uint64 = .max
    all.fixed64 = 10
    all.float = 1.5
    all.double = -0.0
    all.bool = true
    all.string = "a\u{0}ü"
    all.bytes = [0, 255]
    all.colour = .ultraviolet
    all.leaf = Leaf(name: "leaf whose name is longer than fifteen bytes", weight: 2)
    all.optionalInt32 = 0
    all.optionalSint32 = -22
    all.optionalSfixed32 = 23
    all.optionalUint32 = 24
    all.optionalFixed32 = 25
    all.optionalInt64 = 26
    all.optionalSint64 = -27
    all.optionalSfixed64 = 28
    all.optionalUint64 = 0
    all.optionalFixed64 = 30
    all.optionalFloat = .infinity
    all.optionalDouble = 0
    all.optionalBool = false
    all.optionalString = ""
    all.optionalBytes = []
    all.optionalColour = Colour(rawValue: 77)
    all.fillRepeated()
    return all
  }

  private mutating func fillRepeated() {
    int32s = [1, -1, 300]
    sint32s = [-1, 1]
    sfixed32s = [-1]
    uint32s = [1, .max]
    fixed32s = [3]
    int64s = [.min, .max]
    sint64s = [.min, .max]
    sfixed64s = [1]
    uint64s = [.max]
    fixed64s = [4, 5]
    floats = [-0.0, 2.5]
    doubles = [0.1]
    bools = [true, false, true]
    strings = ["", "one", String(repeating: "long ", count: 40)]
    byteStrings = [[], [1], [UInt8](repeating: 9, count: 300)]
    colours = [.red, .ultraviolet, .unspecified]
    leaves = [Leaf(), Leaf(name: "x", weight: .pi)]
    branch = Branch(main: Leaf(name: "m"), leaves: [Leaf(name: "n")], lengths: [5, 6])
    highNumber = 1
  }
}

/// What `Tests/Fixtures/AllTypes.proto` declares.
package enum Fixture {
  package static let file = ProtoFile(
    path: "AllTypes.proto", package: "quiver.fixture",
    dependencies: ["quiver/v1/wire.proto"],
    messages: [AllTypes.schema.core, Leaf.schema.core, Branch.schema.core],
    enums: [Colour.schema], services: [service])

  package static let service = ServiceSchema(
    "quiver.fixture.Trees", number: 200,
    [
      MethodSchema(51201, "Plant", .unary, Leaf.self, Branch.self),
      MethodSchema(51202, "Gather", .clientStreaming, Leaf.self, Branch.self),
      MethodSchema(51203, "Scatter", .serverStreaming, Branch.self, Leaf.self),
      MethodSchema(51204, "Blow", .bidirectional, Leaf.self, Leaf.self),
    ])
}
