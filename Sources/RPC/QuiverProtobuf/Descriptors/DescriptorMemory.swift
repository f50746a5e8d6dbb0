internal import CProtobufC

/// Memory that C structures point into; freed with this object.
final class DescriptorMemory {
  private var blocks: [UnsafeMutableRawPointer] = []

  deinit {
    for block in blocks { block.deallocate() }
  }

  /// A NUL-terminated copy.
  func string(_ text: String) -> UnsafePointer<CChar> {
    UnsafePointer(array(text.utf8.map { CChar(bitPattern: $0) } + [0]))
  }

  /// A copy of the elements, of which there may be none.
  func array<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let block = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
    block.initialize(from: elements, count: elements.count)
    blocks.append(UnsafeMutableRawPointer(block))
    return block
  }

  /// A copy of one structure.
  func value<Value: BitwiseCopyable>(_ value: Value) -> UnsafeMutablePointer<Value> {
    array([value])
  }

  /// A real `ProtobufCEnumDescriptor`: distinct values by number, all names by name.
  func descriptor(of schema: EnumSchema) -> UnsafeMutablePointer<ProtobufCEnumDescriptor> {
    var distinct: [EnumSchema.Value] = []
    for value in schema.values.enumerated().sorted(by: {
      ($0.element.number, $0.offset) < ($1.element.number, $1.offset)
    }) where distinct.last?.number != value.element.number {
      distinct.append(value.element)
    }
    let values = distinct.map { value in
      ProtobufCEnumValue(
        name: string(value.name), c_name: string(value.name), value: value.number)
    }
    let names = schema.values.sorted { $0.name < $1.name }.map { value in
      ProtobufCEnumValueIndex(
        name: string(value.name),
        index: UInt32(distinct.firstIndex { $0.number == value.number } ?? 0))
    }
    let ranges = DescriptorStorage.ranges(of: distinct.map(\.number))
    let qualified = QualifiedName(schema.name)
    var result = ProtobufCEnumDescriptor()
    result.magic = UInt32(PROTOBUF_C__ENUM_DESCRIPTOR_MAGIC)
    result.name = string(qualified.full)
    result.short_name = string(qualified.short)
    result.c_name = string(qualified.identifier)
    result.package_name = string(qualified.package)
    result.n_values = UInt32(values.count)
    result.values = UnsafePointer(array(values))
    result.n_value_names = UInt32(names.count)
    result.values_by_name = UnsafePointer(array(names))
    result.n_value_ranges = UInt32(ranges.count - 1)
    result.value_ranges = UnsafePointer(array(ranges))
    return value(result)
  }
}

/// The parts of `quiver.v1.Riser`.
struct QualifiedName {
  let full: String
  let package: String
  let short: String

  init(_ full: String) {
    self.full = full
    if let dot = full.lastIndex(of: ".") {
      package = String(full[..<dot])
      short = String(full[full.index(after: dot)...])
    } else {
      package = ""
      short = full
    }
  }

  /// The name as a C identifier, `quiver__v1__Riser`.
  var identifier: String {
    var result = ""
    for character in full { result += character == "." ? "__" : String(character) }
    return result
  }
}
