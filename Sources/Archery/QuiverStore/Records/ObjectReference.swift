/// What a request names an object by: the server's id or the client's.
package enum ObjectReference: Sendable, Equatable {
  case id(Int64)
  case clientID([UInt8])

  /// The reference of a request's two fields, where the id weighs more; `field` is the id's path.
  package init(id: Int64, clientID: [UInt8], field: String) throws(StoreError) {
    if id != 0 {
      self = .id(id)
    } else if !clientID.isEmpty {
      self = .clientID(clientID)
    } else {
      throw .invalid(field, "must be given, or client_id")
    }
  }
}
