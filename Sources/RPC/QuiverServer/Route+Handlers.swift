public import QuiverProtobuf
public import QuiverRPC

extension Route {
  /// A handler of a mutating method that has its effect once, however often a call with one
  /// idempotency key arrives.
  ///
  /// The store runs `work` and keeps its encoded reply under the key in one transaction. A later
  /// call with the same key and the same request gets that reply, and one with another request
  /// fails ALREADY_EXISTS. What `work` throws undoes the transaction and is not kept. A call
  /// without a key runs each time that it arrives.
  public static func handle<Request: Message, Response: Message, Store: IdempotencyStore>(
    _ method: UnaryMethod<Request, Response>, once store: Store,
    _ work:
      @escaping @Sendable (Request, CallContext, inout Store.Transaction) throws -> Response
  ) -> Route {
    let name = method.name
    let run: @Sendable (Request, CallContext) async throws -> [UInt8] = { request, call in
      let keyed = KeyedCall(name, call, request: call.keyedRequest)
      return try await store.perform(keyed) { transaction in
        try work(request, call, &transaction).serializedBytes()
      }
    }
    return .keeping(method, { _, _ in nil }, otherwise: run)
  }
}

extension Responder {
  /// Ends the call with a reply; ignored where the call was ended before.
  public func reply(_ response: Response) { succeed(response) }

  /// Ends the call with a status; ignored where the call was ended before.
  public func end(with error: RPCError) { fail(error) }
}
