public import QuiverAPI
public import QuiverClient
public import QuiverProtobuf
public import QuiverRPC

/// Calls the methods of one service: `client.rounds.getFormat(.with { $0.id = 7 })`.
///
/// Its members are the properties of the service's `Methods`, each as a ``MethodClient`` that is
/// called like a function.
@dynamicMemberLookup
public struct ServiceClient<Service: RPCService>: Sendable {
  /// The client that makes the calls.
  public let client: RPCClient

  /// Creates a client of one service.
  public init(_ client: RPCClient) { self.client = client }

  /// A method of the service.
  public subscript<Kind: TypedMethodKind, Request: Message, Response: Message>(
    dynamicMember path: KeyPath<Service.Methods, Method<Kind, Request, Response>>
  ) -> MethodClient<Kind, Request, Response> {
    MethodClient(client, Service.methods[keyPath: path])
  }

  /// The methods of a type of equipment.
  public subscript<Item: EquipmentItemMessage>(
    dynamicMember path: KeyPath<Service.Methods, EquipmentMethods<Item>>
  ) -> EquipmentClient<Item> {
    EquipmentClient(client, Service.methods[keyPath: path])
  }
}
