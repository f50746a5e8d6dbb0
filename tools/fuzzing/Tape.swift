/// An input that is read as a program: numbers in order, then zeros.
struct Tape {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place >= bytes.count }

  mutating func byte() -> UInt8 {
    guard place < bytes.count else { return 0 }
    defer { place += 1 }
    return bytes[place]
  }

  mutating func number(below limit: Int) -> Int { Int(byte()) % limit }

  mutating func big() -> UInt64 { (0..<8).reduce(0) { number, _ in number << 8 | UInt64(byte()) } }

  mutating func take(_ count: Int) -> [UInt8] {
    let end = min(place + count, bytes.count)
    defer { place = end }
    return Array(bytes[place..<end])
  }
}
