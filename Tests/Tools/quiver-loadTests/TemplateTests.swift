import QuiverAPI
import QuiverJSON
import QuiverProtobuf
import Testing

@testable import quiver_load

@Suite("Bodies with values in them", .timeLimit(.minutes(5)))
struct TemplateTests {
  private func scope(_ variables: [String: JSONValue] = [:], actor: Int = 3) -> TemplateScope {
    TemplateScope(
      variables: variables, actor: actor, seed: 7, shared: TemplateCounters(runName: "load-1"))
  }

  private func filled(_ text: String, _ scope: inout TemplateScope) throws -> JSONValue {
    try Template(JSONValue(reading: Array(text.utf8)), at: "body").filled(&scope)
  }

  @Test("Names, numbers and counters are filled in, and the rest stays as it is")
  func filling() throws {
    var scope = scope(["id": .string("17"), "yes": .bool(true)])
    let value = try filled(
      #"{"a": "${id}", "b": ["x${id}y${actor}", 5], "c": "${yes}", "d": "$5", "e": "${pick:q|q}"}"#,
      &scope)
    #expect(
      value
        == (try JSONValue(
          reading: Array(
            #"{"a": "17", "b": ["x17y3", 5], "c": true, "d": "$5", "e": "q"}"#.utf8))))
    let first = try filled(#""${counter} ${counter:other} ${counter}""#, &scope)
    #expect(first == .string("0 0 1"))
    #expect(try filled(#""${iteration}""#, &scope) == .string("0"))
  }

  @Test("Random numbers keep to their ends and repeat with the seed")
  func random() throws {
    var (one, other) = (scope(), scope())
    var seen: Set<String> = []
    for _ in 0..<200 {
      let value = try filled(#""${random:-2:2}""#, &one).text
      #expect(value == (try filled(#""${random:-2:2}""#, &other).text))
      seen.insert(value ?? "")
    }
    #expect(seen == ["-2", "-1", "0", "1", "2"])
  }

  @Test("What is unique occurs once, and an id is a UUIDv7 that a message takes")
  func unique() throws {
    var scope = scope()
    let texts = try (0..<100).compactMap { _ in try filled(#""${unique}""#, &scope).text }
    #expect(Set(texts).count == 100 && texts.allSatisfy { $0.hasPrefix("load-1 ") })
    let body = try filled(#"{"accessory": {"client_id": "${uuid}"}}"#, &scope)
    let message = try MessageJSON().message(CreateItemRequest<Accessory>.schema.core, from: body)
    let request = try CreateItemRequest<Accessory>(serializedBytes: message.serializedBytes())
    let id = try #require(request.item?.clientID)
    #expect(id.count == 16 && id[6] >> 4 == 7 && id[8] >> 6 == 2)
  }

  @Test("Only what stands fast is looked at beforehand")
  func fixedPart() throws {
    let template = try Template(
      JSONValue(reading: Array(#"{"a": "${id}", "b": [{"c": "${id}", "d": 1}], "e": 2}"#.utf8)),
      at: "body")
    #expect(template.variables == ["id"] && !template.isFixed)
    let left = try JSONValue(
      reading: Array(#"{"a": null, "b": [{"c": null, "d": 1}], "e": 2}"#.utf8))
    #expect(template.fixedPart == left)
  }

  @Test("Values are found in a reply by their paths")
  func capturing() throws {
    var reply = ListItemsResponse()
    for number in 1...2 {
      var item = EquipmentItem()
      item.id = Int64(number)
      item.type = .riser
      item.archived = number == 2
      item.clientID = [0xFF, 0xFE]
      reply.items.append(item)
    }
    let schema = ListItemsResponse.schema.core
    let message = try DynamicMessage(schema, serializedBytes: reply.serializedBytes())
    let expected: [(String, JSONValue?)] = [
      ("items[1].id", .string("2")), ("items[1].archived", .bool(true)),
      ("items[0].type", .string("EQUIPMENT_TYPE_RISER")), ("items[0].clientId", .string("//4=")),
      ("items[2].id", nil), ("next_page_token", .string("")),
    ]
    for (text, value) in expected {
      let path = try #require(CapturePath(text))
      #expect(path.fault(in: schema) == nil, "\(text)")
      #expect(path.value(in: message) == value, "\(text)")
    }
    for text in ["items", "items.id", "items[0]", "item[0].id", "next_page_token.x", "items[0][0]"]
    {
      #expect(CapturePath(text)?.fault(in: schema) != nil, "\(text)")
    }
    for text in ["", "a..b", "a[", "a[x]", "a[-1]", "[0]"] { #expect(CapturePath(text) == nil) }
  }
}
