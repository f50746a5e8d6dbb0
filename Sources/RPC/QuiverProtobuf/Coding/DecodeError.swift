/// The error for bytes that are not a valid message: the place and the reason, never the data.
public struct DecodeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package let reason: Reason

  /// The names of the fields that lead to the place, outermost first; empty for the message itself.
  public let path: [String]

  /// The class of the error.
  public struct Code: Hashable, Sendable {
    private enum Value { case malformed, invalidUTF8, limitExceeded, arenaExhausted }
    private let value: Value

    /// The bytes are not protobuf, or not of this type.
    public static let malformed = Code(value: .malformed)
    /// A string is not UTF-8.
    public static let invalidUTF8 = Code(value: .invalidUTF8)
    /// The message is larger, deeper or fuller than the limits allow.
    public static let limitExceeded = Code(value: .limitExceeded)
    /// Unpacking ran out of memory within its budget, although the check beforehand passed.
    public static let arenaExhausted = Code(value: .arenaExhausted)
  }

  /// Each way in which bytes are refused.
  package enum Reason: UInt8, Sendable, CaseIterable {
    case truncated, tagTooLong, fieldNumberOutOfRange, group, unknownWireType, wireTypeMismatch
    case varintTooLong, lengthTooLong, lengthBeyondEnd, packedLength, repeatedSubmessage
    case invalidUTF8, unpackRefused
    case tooDeep, tooManyFields, tooManyElements, tooManyUnknownFields, tooMuchMemory
    case arenaExhausted
  }

  package init(_ reason: Reason, path: [String] = []) {
    self.reason = reason
    self.path = path
  }

  /// The kind of the error.
  public var code: Code {
    switch reason {
    case .truncated, .tagTooLong, .fieldNumberOutOfRange, .group, .unknownWireType,
      .wireTypeMismatch, .varintTooLong, .lengthTooLong, .lengthBeyondEnd, .packedLength,
      .repeatedSubmessage, .unpackRefused:
      .malformed
    case .invalidUTF8: .invalidUTF8
    case .tooDeep, .tooManyFields, .tooManyElements, .tooManyUnknownFields, .tooMuchMemory:
      .limitExceeded
    case .arenaExhausted: .arenaExhausted
    }
  }

  public var description: String {
    path.isEmpty ? reason.sentence : "\(path.joined(separator: ".")): \(reason.sentence)"
  }
}

extension DecodeError.Reason {
  /// The reason in words.
  package var sentence: String {
    switch self {
    case .truncated: "the bytes end inside a value"
    case .tagTooLong: "a tag is longer than 5 bytes"
    case .fieldNumberOutOfRange: "a field number is not between 1 and 536870911"
    case .group: "groups are not supported"
    case .unknownWireType: "a wire type does not exist"
    case .wireTypeMismatch: "the wire type is not that of the field"
    case .varintTooLong: "a varint is longer than 10 bytes"
    case .lengthTooLong: "a length is longer than 5 bytes or above 2147483647"
    case .lengthBeyondEnd: "a length goes beyond the end"
    case .packedLength: "packed values do not fill their length"
    case .repeatedSubmessage: "a sub-message that may occur once occurs twice"
    case .invalidUTF8: "a string is not valid UTF-8"
    case .unpackRefused: "the message could not be unpacked"
    case .tooDeep: "messages are nested too deeply"
    case .tooManyFields: "the message has too many fields"
    case .tooManyElements: "the message has too many repeated values"
    case .tooManyUnknownFields: "the message has too many unknown fields"
    case .tooMuchMemory: "the message would take too much memory"
    case .arenaExhausted: "unpacking the message took too much memory"
    }
  }
}
