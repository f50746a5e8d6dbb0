import QuiverAPI
import QuiverClient
import QuiverProtobuf
import QuiverRPC
import QuiverWire
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Calls with texts that contain U+0000", .timeLimit(.minutes(5)))
struct ZeroCharacterCallTests {
  private static let text = "A\0B"

  /// Requests with the text in one of the fields of a message each, and one with it in all.
  private static func requests(_ schema: MessageSchema, depth: Int = 0) -> [DynamicMessage] {
    var found: [DynamicMessage] = []
    var all = DynamicMessage(schema)
    for field in schema.fields {
      for value in values(of: field, depth) {
        var request = DynamicMessage(schema)
        let wrapped: FieldValue = field.isRepeated ? .list([value]) : value
        request[field.number] = wrapped
        all[field.number] = wrapped
        found.append(request)
      }
    }
    if found.count > 1 { found.append(all) }
    return found
  }

  private static func values(of field: FieldSchema, _ depth: Int) -> [FieldValue] {
    switch field.type {
    case .string: [.string(text)]
    case .message:
      if depth < 4, let type = field.messageType {
        requests(type, depth: depth + 1).map(FieldValue.message)
      } else {
        []
      }
    default: []
    }
  }

  /// The columns with texts in which a store has the character.
  private static func columns(_ store: Store) throws -> [String] {
    try store.read { (snapshot) throws(StoreError) in
      let columns = try snapshot.all(
        Query(
          onlySQLite: """
            SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c
            WHERE m.type = 'table' AND c.type = 'TEXT'
            """)
      ) { row in (table: row.text(0), column: row.text(1)) }
      #expect(columns.count > 30)
      var found: [String] = []
      for (table, column) in columns {
        let count = try snapshot.first(
          Query(
            onlySQLite: """
              SELECT count(*) FROM \(table) WHERE instr(CAST(\(column) AS BLOB), x'00') > 0
              """)
        ) { row in row.int64(0) }
        if count != 0 { found.append("\(table).\(column)") }
      }
      return found
    }
  }

  @Test("No string field of a method that changes something brings one into the store")
  func everyField() async throws {
    try await TestServer.run { server in
      var count = 0
      for method in ServiceCatalogue.archery.methods
      where method.isMutating && method.kind == .unary {
        // Some calls end the tokens of the caller.
        let principal = try server.principal(.administrator, named: "Sheriff")
        let client = try server.client(of: principal.id, [.read, .write, .admin])
        for request in Self.requests(method.schema.input) {
          count += 1
          do throws(RPCError) {
            // What it ignores does not matter.
            _ = try await client.client.callEncoded(method, request.serializedBytes())
          } catch {
            let isFault = error.code == .internal || error.code == .unknown
            #expect(!isFault, "\(method.name): \(error)")
          }
        }
      }
      #expect(count > 300)
      #expect(try Self.columns(server.store) == [])
    }
  }

  @Test("A profile, an item and a preference with one are refused by the name of the field")
  func named() async throws {
    try await TestServer.run { server in
      let robin = try server.client(named: "Robin")
      let before = try server.lastSequence()
      var riser = Riser()
      (riser.brand, riser.model) = ("Hoyt", Self.text)
      var create = CreateItemRequest<Riser>()
      create.item = riser
      let item = await robin.refusal(Equipment.risers.create, create)
      #expect(item?.code == .invalidArgument && item?.message.hasPrefix("riser.model: ") == true)
      let preference = await robin.refusal(Account.setPreference, .of("k", Self.text))
      #expect(preference?.code == .invalidArgument)
      #expect(preference?.message.hasPrefix("preference.value: ") == true)
      #expect(try server.lastSequence() == before)
    }
  }
}
