import QuiverAPI
import QuiverJSON
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// The deframer: frames do not depend on how bytes are split, and no more is stored than arrived.
enum FrameFuzz {
  static func run(_ input: UnsafeRawBufferPointer) {
    guard let first = input.first else { return }
    let bytes = Array(input.dropFirst())
    let whole = frames(bytes, cut: bytes.count)
    Fuzz.hold(frames(bytes, cut: Int(first % 17) + 1) == whole, "the cut changes the frames")
  }

  private static func frames(_ bytes: [UInt8], cut: Int) -> [[UInt8]] {
    var deframer = Deframer()
    var found: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      let end = min(start + max(cut, 1), bytes.count)
      bytes[start..<end].withUnsafeBytes { chunk in
        var offset = 0
        while let header = deframer.header(chunk, at: &offset),
          let payload = deframer.payload(of: header, chunk, at: &offset)
        {
          Fuzz.hold(payload.count == header.payloadByteCount, "a payload of another size")
          found.append(Array(payload))
        }
      }
      Fuzz.hold(deframer.keptByteCount <= bytes.count, "more is kept than came")
      start = end
    }
    return found
  }
}

/// Every schema: a message that the pre-scan accepts can be unpacked, and survives encoding.
enum SchemaFuzz {
  private static let schemas: [MessageSchema] = ServiceCatalogue.archery.files.flatMap(\.messages)
  private static let coder = SharedCoder()

  /// Only one thread fuzzes.
  private struct SharedCoder: @unchecked Sendable { let coder = MessageCoder() }

  static func run(_ input: UnsafeRawBufferPointer) {
    guard input.count >= 2 else { return }
    let place = (Int(input[0]) << 8 | Int(input[1])) % schemas.count
    let bytes = Array(input.dropFirst(2))
    do {
      let message = try coder.coder.decode(schemas[place], from: bytes)
      let written = message.serializedBytes()
      let again = try coder.coder.decode(schemas[place], from: written)
      Fuzz.hold(again.serializedBytes() == written, "\(place) is not read back as written")
    } catch {
      Fuzz.hold(error.code != .arenaExhausted, "the scan reckoned too little for \(place)")
      Fuzz.hold(error.reason != .unpackRefused, "the scan took what \(place) refuses")
    }
  }
}

/// The head of a call: the decoder by hand compared with libprotobuf-c.
enum HeadFuzz {
  static func run(_ input: UnsafeRawBufferPointer) {
    guard let head = try? RequestHead(decoding: input) else { return }
    guard let referee = try? RequestHeadMessage(serializedBytes: Array(input)) else {
      // The pre-scan for libprotobuf-c also limits fields and lengths, which a head does not.
      return
    }
    Fuzz.hold(head.methodID == referee.methodID, "another method")
    Fuzz.hold(head.timeoutMilliseconds == referee.timeoutMilliseconds, "another timeout")
    Fuzz.hold(head.afterSequence == referee.afterSequence, "another sequence")
    Fuzz.hold(head.storeEpoch == referee.storeEpoch, "another epoch")
    Fuzz.hold(head.returnsCreditAtOnce == referee.creditAtOnce, "other credit")
    Fuzz.hold(
      (head.extras?.metadata.entries.count ?? 0) == referee.metadata.count, "other metadata")
    Fuzz.hold((head.extras?.methodName ?? "") == referee.methodName, "another name")
  }
}

/// The JSON reader: any input is read or refused, and messages survive conversion.
enum JSONFuzz {
  private static let json = MessageJSON()
  private static let schemas: [MessageSchema] = ServiceCatalogue.archery.files.flatMap(\.messages)

  static func run(_ input: UnsafeRawBufferPointer) {
    guard let first = input.first else { return }
    let schema = schemas[Int(first) % schemas.count]
    guard let message = try? json.message(schema, from: Array(input.dropFirst())) else { return }
    let text = json.text(of: message)
    guard let again = try? json.message(schema, from: Array(text.utf8)) else {
      Fuzz.stop("\(text) is not read back")
    }
    Fuzz.hold(json.text(of: again) == text, "\(text) is read as \(json.text(of: again))")
  }
}
