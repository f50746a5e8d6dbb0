import ProtobufFixtures
import QuiverJSON
import QuiverProtobuf
import TestSupport
import Testing

/// A text that is refused, and the message.
struct RefusedJSON: Sendable, CustomTestStringConvertible {
  let text: String
  let code: JSONError.Code
  let description: String

  init(_ text: String, _ code: JSONError.Code, _ description: String) {
    self.text = text
    self.code = code
    self.description = description
  }

  var testDescription: String { text }

  /// Texts for `AllTypes`.
  static let table: [RefusedJSON] = [
    .init("", .syntax, "line 1, column 1: expected a value"),
    .init("{\n  \"int32Value\": 1,\n}", .syntax, "line 3, column 1: expected a name"),
    .init("{} x", .syntax, "line 1, column 4: expected the end"),
    .init(#"{"int32Value" 1}"#, .syntax, "line 1, column 15: expected a colon"),
    .init(
      #"{"int32Value": 1 "x"}"#, .syntax,
      "line 1, column 18: expected a comma or a closing brace"),
    .init(
      "{\"int32s\": [1 2]}", .syntax, "line 1, column 15: expected a comma or a closing bracket"),
    .init(
      #"{"int32Value": 01}"#, .syntax, "line 1, column 17: expected a comma or a closing brace"),
    .init(#"{"int32Value": -}"#, .syntax, "line 1, column 17: expected a digit"),
    .init(#"{"int32Value": 1.}"#, .syntax, "line 1, column 18: expected a digit"),
    .init(#"{"int32Value": 1e}"#, .syntax, "line 1, column 18: expected a digit"),
    .init(#"{"boolValue": tru}"#, .syntax, "line 1, column 15: expected a value"),
    .init(#"{"doubleValue": NaN}"#, .syntax, "line 1, column 17: expected a value"),
    .init("{\"stringValue\": \"a", .syntax, "line 1, column 19: a string does not end"),
    .init(
      "{\"stringValue\": \"\n\"}", .syntax,
      "line 1, column 18: a control character must be escaped"),
    .init(#"{"stringValue": "\x"}"#, .syntax, "line 1, column 20: an escape does not exist"),
    .init(
      "{\"doubleValue\": \(String(repeating: "1", count: 33))}", .limitExceeded,
      "line 1, column 49: a number has more than 32 characters"),
    .init(
      "{\"int32s\": [1.\(String(repeating: "0", count: 4_000))]}", .limitExceeded,
      "line 1, column 45: a number has more than 32 characters"),
    .init(
      "{\"int64Value\": \"\(String(repeating: "0", count: 33))\"}", .limitExceeded,
      "int64Value has more than 32 characters"),
    .init(
      "{\"doubleValue\": \"1e\(String(repeating: "0", count: 31))\"}", .limitExceeded,
      "doubleValue has more than 32 characters"),
    .init(#"{"stringValue": "\ud800"}"#, .syntax, "line 1, column 24: half a surrogate pair"),
    .init(#"{"stringValue": "\udc00x"}"#, .syntax, "line 1, column 24: half a surrogate pair"),
    .init(
      #"{"stringValue": "\u12g4"}"#, .syntax,
      "line 1, column 22: expected four hexadecimal digits"),
    .init("[]", .wrongKind, "the message must be an object, not an array"),
    .init("null", .wrongKind, "the message must be an object, not null"),
    .init(#"{"colour2": 1}"#, .unknownName, "colour2 is not a field of quiver.fixture.AllTypes"),
    .init(
      #"{"branch": {"leaves": [{}, {"nme": 1}]}}"#, .unknownName,
      "branch.leaves[1].nme is not a field of quiver.fixture.Leaf"),
    .init(#"{"int32Value": 1, "int32Value": 1}"#, .duplicateName, "int32Value occurs twice"),
    .init(#"{"int32Value": 1, "int32_value": 2}"#, .duplicateName, "int32_value occurs twice"),
    .init(#"{"leaf": {"name": "a", "name": null}}"#, .duplicateName, "leaf.name occurs twice"),
    .init(#"{"leaf": []}"#, .wrongKind, "leaf must be an object, not an array"),
    .init(#"{"int32s": 1}"#, .wrongKind, "int32s must be an array, not a number"),
    .init(#"{"int32s": [1, null]}"#, .wrongKind, "int32s[1] must be an integer, not null"),
    .init(#"{"boolValue": "true"}"#, .wrongKind, "boolValue must be a boolean, not a string"),
    .init(#"{"stringValue": 1}"#, .wrongKind, "stringValue must be a string, not a number"),
    .init(#"{"bytesValue": 1}"#, .wrongKind, "bytesValue must be base64, not a number"),
    .init(#"{"doubleValue": true}"#, .wrongKind, "doubleValue must be a number, not a boolean"),
    .init(#"{"doubleValue": "1x"}"#, .wrongKind, "doubleValue must be a number"),
    .init(#"{"int32Value": 1.5}"#, .wrongKind, "int32Value must be an integer"),
    .init(#"{"int32Value": " 1"}"#, .wrongKind, "int32Value must be an integer"),
    .init(
      #"{"int32Value": 2147483648}"#, .outOfRange,
      "int32Value must be between -2147483648 and 2147483647"),
    .init(
      #"{"leaves": [], "uint32Value": -1}"#, .outOfRange,
      "uint32Value must be between 0 and 4294967295"),
    .init(
      #"{"uint64Value": 18446744073709551616}"#, .outOfRange,
      "uint64Value must be between 0 and 18446744073709551615"),
    .init(
      #"{"int64Value": "1e999999999999999999999"}"#, .outOfRange,
      "int64Value must be between -9223372036854775808 and 9223372036854775807"),
    .init(#"{"doubleValue": 1e400}"#, .outOfRange, "doubleValue is too large"),
    .init(#"{"floatValue": 1e39}"#, .outOfRange, "floatValue is too large"),
    .init(
      #"{"colour": "RED"}"#, .wrongValue, "colour is not a value of quiver.fixture.Colour"),
    .init(#"{"bytesValue": "a"}"#, .wrongValue, "bytesValue is not base64"),
    .init(#"{"bytesValue": "ab=c"}"#, .wrongValue, "bytesValue is not base64"),
    .init(#"{"bytesValue": "ab="}"#, .wrongValue, "bytesValue is not base64"),
    .init(#"{"bytesValue": "ab~="}"#, .wrongValue, "bytesValue is not base64"),
    .init(
      String(repeating: "[", count: 100), .limitExceeded,
      "line 1, column 41 is nested deeper than 40 levels"),
  ]
}

@Suite("JSON that is refused", .timeLimit(.minutes(5)))
struct RefusedJSONTests {
  @Test(
    "Each kind of error is refused with its code, position and message",
    arguments: RefusedJSON.table)
  func refused(json: RefusedJSON) {
    do {
      _ = try MessageJSON().message(AllTypes.self, from: json.text)
      Issue.record("the text was taken")
    } catch {
      #expect(error.code == json.code)
      #expect(error.description == json.description)
    }
  }

  @Test("Text that is not UTF-8 is refused")
  func notUTF8() {
    let text = Array(#"{"stringValue": ""#.utf8) + [0xFF] + Array("\"}".utf8)
    #expect(throws: JSONError.self) {
      try MessageJSON().message(AllTypes.schema.core, from: text)
    }
  }

  @Test("Text above the limit is refused by its length")
  func long() {
    var json = MessageJSON()
    json.limits.maxByteCount = 10
    #expect(throws: JSONError.self) {
      try json.message(AllTypes.self, from: #"{"int32Value": 1}"#)
    }
    let text = #"{"int32Value": 1}"#
    json.limits.maxByteCount = text.utf8.count
    #expect(throws: Never.self) { try json.message(AllTypes.self, from: text) }
    json.limits.maxByteCount -= 1
    #expect(throws: JSONError.self) { try json.message(AllTypes.self, from: text) }
  }

  @Test("Mutated texts are either read or refused", arguments: 0..<20 as Range<UInt64>)
  func mutated(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let json = MessageJSON()
    let text = Array(json.text(of: AllTypes.filled).utf8)
    for _ in 0..<30 {
      var bytes = text
      for _ in 0..<3 {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = Array("{}[]\",:0-e\\u".utf8).randomElement(using: &generator) ?? 0
      }
      if let message = try? json.message(AllTypes.schema.core, from: bytes) {
        let again = try? json.bytes(AllTypes.schema.core, from: json.text(of: message))
        #expect(again == message.serializedBytes(), "seed \(seed)")
      }
    }
  }
}
