import QuiverClientCore

public enum Inventory: RPCService {
  public struct Methods: Sendable {
    public let getItem = UnaryMethod<GetItemRequest, Item>(
      "inventory.v1.Inventory/GetItem", id: 8193)
    public let adjust = UnaryMethod<AdjustRequest, Item>(
      "inventory.v1.Inventory/Adjust", id: 8194, mutating: true)
    public let listItems = ServerStreamingMethod<ListItemsRequest, Item>(
      "inventory.v1.Inventory/ListItems", id: 8195)
  }
  public static let methods = Methods()
}

public struct Item: Message {
  public var sku = ""
  public var quantity: Int64 = 0
  public init() {}
  public static let schema = Schema<Self>(
    "inventory.v1.Item", .string(1, "sku", \.sku), .int64(2, "quantity", \.quantity))
}
public struct GetItemRequest: Message {
  public var sku = ""
  public init() {}
  public static let schema = Schema<Self>("inventory.v1.GetItemRequest", .string(1, "sku", \.sku))
}
public struct AdjustRequest: Message {
  public var sku = ""
  public var change: Int64 = 0
  public init() {}
  public static let schema = Schema<Self>(
    "inventory.v1.AdjustRequest", .string(1, "sku", \.sku), .int64(2, "change", \.change))
}
public struct ListItemsRequest: Message {
  public var prefix = ""
  public init() {}
  public static let schema = Schema<Self>(
    "inventory.v1.ListItemsRequest", .string(1, "prefix", \.prefix))
}
