import QuiverProtobuf

/// Finds the route of a call: by method id in one look, by name in a dictionary.
///
/// Made once when a server starts, and shared by all its connections.
package final class Router: Sendable {
  package let routes: [Route]
  /// Method id to one more than the place in `routes`; 0: no such method.
  private let placeByID: [UInt16]
  private let placeByName: [String: Int]
  private let kinds: [Kind]
  /// Apart from `kinds`, which is read for each call; empty: no reply states a position.
  private let stating: [Bool]
  /// Whether there are interceptors.
  let hasInterceptors: Bool
  /// Where the store is; nil: calls and replies state no positions.
  let positions: (any PositionSource)?

  private struct Kind {
    var takesOneMessage: Bool
    var isUnary: Bool
    var needsCaller: Bool
    var isMutating: Bool
    var isHealth: Bool
  }

  /// Traps where two routes claim one id or name: a mistake in the program.
  ///
  /// - Parameters:
  ///   - interceptors: notified of every call that reaches a handler, in order.
  ///   - positions: where the store is, for calls and replies that state positions.
  package init(
    _ routes: [Route], interceptors: [any ServerInterceptor] = [],
    positions: (any PositionSource)? = nil
  ) {
    self.positions = positions
    self.routes =
      interceptors.isEmpty ? routes : routes.map { $0.intercepted(by: interceptors) }
    hasInterceptors = !interceptors.isEmpty
    let highest = routes.map(\.method.id).max() ?? 0
    precondition(highest < 65_536 && routes.count < 65_535, "method ids are 256 to 65535")
    var byID = [UInt16](repeating: 0, count: Int(truncatingIfNeeded: highest) + 1)
    var byName: [String: Int] = [:]
    for (place, route) in routes.enumerated() {
      let id = Int(truncatingIfNeeded: route.method.id)
      precondition(byID[id] == 0, "two methods have the id \(id)")
      precondition(byName[route.method.name] == nil, "two methods are \(route.method.name)")
      byID[id] = UInt16(truncatingIfNeeded: place + 1)
      byName[route.method.name] = place
    }
    placeByID = byID
    placeByName = byName
    let health = Health.name
    kinds = routes.map {
      Kind(
        takesOneMessage: !$0.method.kind.clientStreams, isUnary: $0.method.kind == .unary,
        needsCaller: !$0.method.isAnonymous, isMutating: $0.method.isMutating,
        isHealth: $0.method.serviceName == health)
    }
    stating =
      positions.map { positions in
        routes.map {
          $0.method.isMutating || positions.isStatedByReads && !$0.method.isAnonymous
        }
      } ?? []
  }

  /// The place of the method that a head names; nil if there is none, or it names none or two.
  @inline(__always)
  func route(of head: RequestHead) -> Int? {
    let id = Int(truncatingIfNeeded: head.methodID)
    if id != 0, head.extras == nil || head.extras?.methodName.isEmpty == true {
      guard id < placeByID.count, placeByID[id] != 0 else { return nil }
      return Int(truncatingIfNeeded: placeByID[id]) &- 1
    }
    guard id == 0, let name = head.extras?.methodName else { return nil }
    return placeByName[name]
  }

  func takesOneMessage(_ place: Int) -> Bool { kinds[place].takesOneMessage }
  func isUnary(_ place: Int) -> Bool { kinds[place].isUnary }
  func needsCaller(_ place: Int) -> Bool { kinds[place].needsCaller }
  func isMutating(_ place: Int) -> Bool { kinds[place].isMutating }
  /// Whether replies of the method state the position of the store.
  func statesPosition(_ place: Int) -> Bool { !stating.isEmpty && stating[place] }
  /// Whether the method is one of Health, which is answered whatever limit is reached.
  func isHealth(_ place: Int) -> Bool { kinds[place].isHealth }
}
