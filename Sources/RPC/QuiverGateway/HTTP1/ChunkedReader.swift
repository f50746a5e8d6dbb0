import QuiverWire

/// Reads a body in chunks (RFC 9112, section 7.1), strictly.
struct ChunkedReader {
  private enum State {
    case size
    case data(Int)
    case dataEnd
    case trailer
    case done
  }

  /// What became of the input.
  enum Progress: Equatable {
    /// All of the input is taken.
    case needsMore
    /// The body is complete.
    case complete
    /// It is not in chunks.
    case invalid
  }

  private var state = State.size
  /// The line of a size or a trailer, as far as it has come.
  private var line: [UInt8] = []
  private var trailerBytes = 0

  /// A size with its extensions, and a trailer.
  private static let maxLineBytes = 256
  private static let maxTrailerBytes = 4_096

  /// Takes bytes from the front of `input`, and hands those of the body to `body`.
  mutating func read(
    _ input: inout ByteQueue, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Progress {
    while !input.isEmpty {
      switch state {
      case .done: return .complete
      case .data(let left):
        let count = min(left, input.count)
        body(UnsafeRawBufferPointer(rebasing: input.bytes[..<count]))
        input.consume(count)
        state = count == left ? .dataEnd : .data(left - count)
      case .size, .dataEnd, .trailer:
        let byte = input.bytes[0]
        input.consume(1)
        line.append(byte)
        guard line.count <= Self.maxLineBytes, isPlausible(byte) else { return .invalid }
        guard byte == 10 else { continue }
        guard endLine() else { return .invalid }
      }
    }
    if case .done = state { return .complete }
    return .needsMore
  }

  /// A line feed comes directly behind a carriage return, and that only before a line feed.
  private func isPlausible(_ byte: UInt8) -> Bool {
    let previous = line.dropLast().last
    return (byte == 10) == (previous == 13)
  }

  /// Takes the complete line; false: it is not what must come here.
  private mutating func endLine() -> Bool {
    let text = line.dropLast(2)
    defer { line.removeAll(keepingCapacity: true) }
    switch state {
    case .size:
      let digits = text.prefix { $0 != 59 }
      guard (1...8).contains(digits.count),
        let size = Digits.hexadecimal(digits)
      else { return false }
      state = size == 0 ? .trailer : .data(size)
    case .dataEnd:
      guard text.isEmpty else { return false }
      state = .size
    case .trailer:
      trailerBytes += line.count
      guard trailerBytes <= Self.maxTrailerBytes else { return false }
      if text.isEmpty { state = .done }
    case .data, .done: return false
    }
    return true
  }
}
