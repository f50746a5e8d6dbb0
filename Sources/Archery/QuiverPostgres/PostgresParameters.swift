/// The values of one run of a statement, each encoded as the type that its parameter has.
struct PostgresParameters {
  /// The type of each parameter, from the first on (`PQparamtype`).
  let types: [UInt32]

  private var bytes: [UInt8] = []
  /// Where the value of each parameter starts; negative for NULL.
  private var starts: [Int]
  private var lengths: [Int32]
  private var formats: [Int32]

  private static let textFormat: Int32 = 0
  private static let binaryFormat: Int32 = 1

  init(types: [UInt32]) {
    self.types = types
    starts = Array(repeating: -1, count: types.count)
    lengths = Array(repeating: 0, count: types.count)
    formats = Array(repeating: Self.binaryFormat, count: types.count)
  }

  /// Sets every value to NULL, and keeps the memory.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    for index in starts.indices { starts[index] = -1 }
  }

  mutating func setNull(at index: Int) {
    starts[index] = -1
  }

  mutating func set(_ value: Int64, at index: Int) throws(PostgresError) {
    switch types[index] {
    case PostgresType.int64, PostgresType.transactionID: set(bigEndian: value, at: index)
    case PostgresType.int32: set(bigEndian: try Self.narrowed(value, to: Int32.self), at: index)
    case PostgresType.int16: set(bigEndian: try Self.narrowed(value, to: Int16.self), at: index)
    case PostgresType.boolean where value == 0 || value == 1:
      set(bigEndian: UInt8(truncatingIfNeeded: value), at: index)
    case PostgresType.float64: set(bigEndian: Double(value).bitPattern, at: index)
    case PostgresType.float32: set(bigEndian: Float(value).bitPattern, at: index)
    case PostgresType.numeric: set(number: String(value), at: index)
    default: throw Self.mismatch("an integer", index)
    }
  }

  mutating func set(_ value: Double, at index: Int) throws(PostgresError) {
    switch types[index] {
    case PostgresType.float64: set(bigEndian: value.bitPattern, at: index)
    case PostgresType.float32: set(bigEndian: Float(value).bitPattern, at: index)
    case PostgresType.numeric where value.isFinite:
      set(number: "\(value)", at: index)
    case PostgresType.int64, PostgresType.int32, PostgresType.int16:
      guard let integer = Int64(exactly: value) else { throw Self.mismatch("a real", index) }
      try set(integer, at: index)
    default: throw Self.mismatch("a real", index)
    }
  }

  mutating func set(_ value: String, at index: Int) throws(PostgresError) {
    switch types[index] {
    case PostgresType.text, PostgresType.varchar, PostgresType.character, PostgresType.name,
      PostgresType.unknown:
      let text = Array(value.utf8)
      guard !text.contains(0) else {
        throw PostgresError(.invalidValue, "a text of PostgreSQL cannot contain U+0000")
      }
      // libpq reads a value in the text format up to a zero byte.
      set(text, at: index, Self.binaryFormat)
    case PostgresType.bytes: set(Array(value.utf8), at: index, Self.binaryFormat)
    default: throw Self.mismatch("a text", index)
    }
  }

  mutating func set(_ value: [UInt8], at index: Int) throws(PostgresError) {
    guard types[index] == PostgresType.bytes else { throw Self.mismatch("a blob", index) }
    set(value, at: index, Self.binaryFormat)
  }

  /// Hands the arrays that libpq takes to `body`, valid until it returns.
  func withPointers<Result>(
    _ body: (
      _ values: UnsafePointer<UnsafePointer<CChar>?>, _ lengths: UnsafePointer<Int32>,
      _ formats: UnsafePointer<Int32>
    ) -> Result
  ) -> Result {
    // One byte more, so that an empty value has an address: NULL has none.
    let bytes = bytes + [0]
    return bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        let values = starts.map { start in
          start < 0 ? nil : characters.baseAddress.map { UnsafePointer($0 + start) }
        }
        return body(values, lengths, formats)
      }
    }
  }

  private mutating func set<Value: FixedWidthInteger>(bigEndian value: Value, at index: Int) {
    withUnsafeBytes(of: value.bigEndian) { set($0, at: index, Self.binaryFormat) }
  }

  private mutating func set(number text: String, at index: Int) {
    set(Array(text.utf8) + [0], at: index, Self.textFormat)
  }

  private mutating func set(_ value: some Collection<UInt8>, at index: Int, _ format: Int32) {
    starts[index] = bytes.count
    lengths[index] = Int32(clamping: value.count)
    formats[index] = format
    bytes += value
  }

  private static func narrowed<Value: FixedWidthInteger>(
    _ value: Int64, to type: Value.Type
  ) throws(PostgresError) -> Value {
    guard let narrowed = Value(exactly: value) else {
      throw PostgresError(.invalidValue, "an integer does not fit the type of its parameter")
    }
    return narrowed
  }

  private static func mismatch(_ what: String, _ index: Int) -> PostgresError {
    PostgresError(.invalidValue, "parameter \(index + 1) does not take \(what)")
  }
}
