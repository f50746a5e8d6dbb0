import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Where the revision of an object is read that a request names, where the command line does not.
struct RevisionSource: Sendable {
  /// The method that reads the object, or a list of objects.
  let method: MethodInfo
  /// The list of the reply that has the object; nil: the reply is the object.
  let list: String?
  /// The path of the id of the object in the request.
  let id: [String]
  /// The path of the revision in the request.
  let revision: [String]
  /// The field of the request that replaces the object: what is not given stays as it is.
  let object: String?

  /// - Parameters:
  ///   - method: without the package, `Events/ListEventCategories`.
  ///   - id: the path of the id, `category.id`; the revision is beside it if `object` is given,
  ///     else at the top.
  init(_ method: String, list: String? = nil, id: String, object: String? = nil) {
    self.method = MethodCommand.method(method)
    self.list = list
    self.id = id.split(separator: ".").map(String.init)
    self.object = object
    revision = object.map { [$0, "revision"] } ?? ["revision"]
  }

  /// Sets the revision, and the fields of the object that are not `given`.
  func set(
    _ request: inout DynamicMessage, given: Set<String>, _ access: Access
  ) async throws(Failure) {
    let isGiven = request.value(at: revision.map { $0[...] })?.value.isZero == false
    guard !isGiven || object != nil, let current = try await read(request, access) else { return }
    if let object, case .message(let changed)? = request[object] {
      var whole = current
      for field in changed.schema.fields where given.contains(field.name) {
        whole[field.number] = changed[field.number] ?? .zero(of: field)
      }
      request.set([object], to: .message(whole))
    }
    if !isGiven { request.set(revision, to: .uint64(current.revision)) }
  }

  /// The object as it is now; nil where there is none with this id, which the server refuses.
  private func read(
    _ request: DynamicMessage, _ access: Access
  ) async throws(Failure) -> DynamicMessage? {
    guard let wanted = request.value(at: id.map { $0[...] })?.value else { return nil }
    var asked = DynamicMessage(method.schema.input)
    for field in method.schema.input.fields {
      let path = (object.map { [$0] } ?? []) + [field.name]
      if let value = request.value(at: path.map { $0[...] })?.value { asked[field.number] = value }
    }
    let question = asked
    let reply = try await access.attemptPlainly { () async throws(RPCError) in
      try await access.call(method, question)
    }
    guard let list else { return reply }
    guard case .list(let values)? = reply[list] else { return nil }
    for case .message(let element) in values where element["id"] == wanted { return element }
    return nil
  }
}
