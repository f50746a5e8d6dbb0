import Foundation
import Testing

/// The files of `Protos/vectors`; section 14 of the specification defines their format.
enum Vectors {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  struct Frames: Decodable {
    var format: Int
    var valid: [Valid]
    var invalid: [Invalid]
  }

  /// A valid frame, with its parts.
  struct Valid: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var from: String
    var hex: String
    var length: Int
    var type: Kind
    var flags: [String]
    var stream: UInt32
    var message: String?
    var number: String?
    var testDescription: String { name }
  }

  /// The name of a type, or the number of an unknown one.
  enum Kind: Decodable, Sendable, Equatable {
    case named(String)
    case numbered(UInt8)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(UInt8.self) {
        self = .numbered(number)
      } else {
        self = .named(try container.decode(String.self))
      }
    }
  }

  /// A frame that is an error of the connection or of a call.
  struct Invalid: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var to: String
    var before: String
    var calls: [String]?
    var hex: String
    var error: String?
    var status: Status?
    var testDescription: String { "to a \(to): \(name)" }
  }

  struct Status: Decodable, Sendable {
    var stream: UInt32
    var code: UInt32
    var notProcessed: Bool
  }

  struct Conversations: Decodable {
    var format: Int
    var conversations: [Conversation]
  }

  struct Conversation: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var id: String
    var about: String
    var roles: [String]
    var whole: Bool?
    var steps: [Step]
    var testDescription: String { "\(id): \(name)" }
  }

  struct Step: Decodable, Sendable {
    var client: String?
    var server: [ServerFrame]?
    var call: UInt32?
    var method: UInt32?
    var message: String?
    var timeoutMs: Int?
    var cancel: UInt32?
    var outcome: UInt32?
    var reply: String?
    var code: UInt32?
    var notProcessed: Bool?
    var waitMs: Int?
    var drain: Bool?
    var closed: Bool?
  }

  struct ServerFrame: Decodable, Sendable {
    var hex: String
    var free: [String]?
  }

  static func read<Value: Decodable>(_: Value.Type, _ name: String) -> Value? {
    let file = root.appending(path: "Protos/vectors/\(name).json")
    do {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return try decoder.decode(Value.self, from: Data(contentsOf: file))
    } catch {
      Issue.record("\(name).json: \(error)")
      return nil
    }
  }

  static let frames = read(Frames.self, "frames")
  static let conversations = read(Conversations.self, "conversations")?.conversations ?? []

  /// The bytes of hexadecimal digits; spaces are skipped.
  static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.filter { !$0.isWhitespace }.map { UInt8($0.hexDigitValue ?? 0) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0" + text : text
    }.joined()
  }
}
