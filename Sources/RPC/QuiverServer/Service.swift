import QuiverProtobuf
public import QuiverRPC

/// The methods of one service with their handlers.
///
///     Service(Inventory.self, [
///       .handle(Inventory.getItem) { request, call in try await items.find(request.sku) },
///       .handle(Inventory.watchItems) { request, call, replies in … },
///     ])
public struct Service: Sendable {
  /// The full name, as in `inventory.v1.Inventory`.
  public let name: String
  let methods: [MethodInfo]
  let details: [any Message.Type]
  let routes: [Route]

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - declaration: the methods.
  ///   - routes: a route for each of them. A server refuses to be created where one is missing.
  public init<Declaration: RPCService>(_ declaration: Declaration.Type, _ routes: [Route]) {
    name = Declaration.name
    methods = Declaration.declarations
    details = Declaration.details
    self.routes = routes
  }
}
