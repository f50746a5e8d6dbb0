import ProtobufFixtures
import QuiverAPI
import QuiverJSON
import QuiverProtobuf
import QuiverRPC
import TestSupport
import Testing

@Suite("JSON by schema", .timeLimit(.minutes(5)))
struct MessageJSONTests {
  private let json = MessageJSON()

  @Test("A message with a value in every field survives conversion to JSON and back")
  func roundTrip() throws {
    let text = json.text(of: AllTypes.filled)
    #expect(try json.message(AllTypes.self, from: text) == .filled)
  }

  @Test("The text is proto3 JSON")
  func text() {
    var all = AllTypes()
    all.int64 = -9
    all.uint64 = .max
    all.int32 = 7
    all.float = .nan
    all.double = -.infinity
    all.string = "a\"\\\n\u{1}é"
    all.bytes = [0xFB, 0xFF]
    all.colour = .ultraviolet
    all.leaf = Leaf()
    all.optionalBool = false
    all.optionalDouble = -0.0
    all.doubles = [25, 0.1, 1e300]
    all.colours = [.red, Colour(rawValue: 77)]
    let expected =
      #"{"int32Value":7,"int64Value":"-9","uint64Value":"18446744073709551615","#
      + #""floatValue":"NaN","doubleValue":"-Infinity","stringValue":"a\"\\\n\u0001é","#
      + #""bytesValue":"+/8=","colour":"COLOUR_ULTRAVIOLET","leaf":{},"optionalDouble":-0.0,"#
      + #""optionalBool":false,"doubles":[25,0.1,1e+300],"colours":["COLOUR_RED",77]}"#
    #expect(json.text(of: all) == expected)
  }

  @Test("Zeros are printed on request, absent fields are not")
  func zeros() {
    let zeros = MessageJSON(printsZeros: true)
    #expect(zeros.text(of: Leaf()) == #"{"name":"","weight":0}"#)
    #expect(zeros.text(of: Branch()) == #"{"leaves":[],"lengths":[]}"#)
    #expect(
      zeros.text(of: HealthCheckResponse())
        == #"{"status":"SERVING_STATUS_UNSPECIFIED","reason":""}"#)
    #expect(json.text(of: Leaf()) == "{}")
  }

  @Test("Pretty text has a line for each field, in the order of the schema")
  func pretty() {
    let branch = Branch(main: Leaf(name: "m"), leaves: [Leaf()], lengths: [1])
    #expect(
      MessageJSON(isPretty: true).text(of: branch) == """
        {
          "main": {
            "name": "m"
          },
          "leaves": [
            {}
          ],
          "lengths": [
            1
          ]
        }
        """)
  }

  @Test(
    "Alternative spellings of values are read",
    arguments: [
      (#"{"int32Value": 5}"#, #"{"int32_value": "5"}"#),
      (#"{"int64Value": "5"}"#, #"{"int64_value": 5.0}"#),
      (#"{"uint64Value": "18446744073709551615"}"#, #"{"uint64Value": 18446744073709551615}"#),
      (#"{"uint64Value": 100}"#, #"{"uint64Value": 1e2}"#),
      (#"{"doubleValue": 1.5}"#, #"{"doubleValue": "15e-1"}"#),
      (#"{"bytesValue": "+/8="}"#, #"{"bytesValue": "-_8"}"#),
      (#"{"colour": "COLOUR_RED"}"#, #"{"colour": 1}"#),
      (#"{"stringValue": "é🏹/"}"#, #"{"stringValue": "\u00e9\ud83c\udff9\/"}"#),
      (#"{}"#, #" { "int32Value" : null , "leaf":null,"int32s":null } "#),
      (#"{"colours": [1]}"#, #"{"colours": ["COLOUR_RED"]}"#),
    ])
  func spellings(one: String, other: String) throws {
    let message = try json.message(AllTypes.self, from: one)
    #expect(try json.message(AllTypes.self, from: other) == message)
    #expect(one == "{}" || message != AllTypes())
  }

  @Test("A negative zero is preserved")
  func negativeZero() throws {
    let all = try json.message(AllTypes.self, from: #"{"doubleValue": -0.0}"#)
    #expect(all.double.sign == .minus)
  }

  @Test("Random messages of every type survive conversion to JSON and back")
  func random() throws {
    var generator = SeededGenerator(seed: 7)
    for schema in ([Fixture.file] + ServiceCatalogue.archery.files).flatMap(\.messages) {
      for round in 0..<40 {
        let message = DynamicMessage.random(schema, using: &generator)
        let text = MessageJSON(isPretty: round.isMultiple(of: 2)).text(of: message)
        let bytes = try json.bytes(schema, from: text)
        #expect(bytes == message.serializedBytes(), "\(schema.name), seed 7, round \(round)")
      }
    }
  }
}
