import InventoryAPI
import QuiverServer
import QuiverServerSQLite

/// Answers `inventory.v1.Inventory` from a database.
public struct Stock: Sendable {
  private let store: SQLiteStore

  public init(path: String) throws {
    store = try SQLiteStore(
      path: path,
      schema: "CREATE TABLE IF NOT EXISTS items (sku TEXT PRIMARY KEY, quantity INTEGER NOT NULL)")
  }

  public var service: Service {
    Service(
      Inventory.self,
      [
        .handle(Inventory.getItem) { request, _ in
          let items = try await find("sku = ?", request.sku)
          guard let item = items.first else { throw RPCError(.notFound, "sku: no such item") }
          return item
        },
        .handle(Inventory.adjust, once: store) { request, _, connection in
          guard !request.sku.isEmpty else { throw RPCError(.invalidArgument, "sku: is empty") }
          let rows = try connection.rows(
            """
            INSERT INTO items VALUES (?1, ?2)
            ON CONFLICT DO UPDATE SET quantity = quantity + ?2 RETURNING quantity
            """, .text(request.sku), .integer(request.change))
          let quantity = rows[0][0].integer ?? 0
          guard quantity >= 0 else { throw RPCError(.failedPrecondition, "too few in stock") }
          return .with {
            $0.sku = request.sku
            $0.quantity = quantity
          }
        },
        .handle(Inventory.listItems) { request, _, replies in
          for item in try await find("substr(sku, 1, length(?1)) = ?1", request.prefix) {
            try await replies.send(item)
          }
        },
      ])
  }

  private func find(_ condition: String, _ value: String) async throws -> [Item] {
    try await store.read { connection in
      try connection.rows(
        "SELECT sku, quantity FROM items WHERE \(condition) ORDER BY sku", .text(value)
      ).map { row in
        .with {
          $0.sku = row[0].text ?? ""
          $0.quantity = row[1].integer ?? 0
        }
      }
    }
  }
}
