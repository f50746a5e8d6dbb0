import QuiverProtobuf
import QuiverRPC
import QuiverWire
import Synchronization

/// Whether a server and its services accept calls; answers `quiver.v1.Health`.
///
/// May be used from any thread.
public final class HealthState: Sendable {
  private let state = Mutex(State())

  private struct State {
    var names: Set<String> = []
    var isDraining = false
    /// Why services do not serve, by name; the empty name is the whole server.
    var reasons: [String: String] = [:]
    var observers: [Int: @Sendable () -> Void] = [:]
    var latest = 0
  }

  /// Watches of health that may be open at once.
  static let maxObservers = 10_000

  init() {}

  /// Sets whether a service serves. Calls are answered all the same: clients that read the health
  /// stop calling.
  ///
  /// - Parameters:
  ///   - service: the full name; empty: the whole server.
  ///   - reason: why it does not serve; nil: it does.
  public func set(_ service: String = "", notServingBecause reason: String?) {
    update { $0.reasons[service] = reason }
  }

  func startDrain() { update { $0.isDraining = true } }

  func declare(_ names: Set<String>) { state.withLock { $0.names = names } }

  private func update(_ change: (inout State) -> Void) {
    let observers = state.withLock { state in
      change(&state)
      return Array(state.observers.values)
    }
    for observer in observers { observer() }
  }

  var routes: [Route] {
    [.synchronous(Health.check, check), .streamResponding(Health.watch, watch)]
  }

  private func response(_ service: String) -> HealthCheckResponse? {
    state.withLock { state in
      guard service.isEmpty || state.names.contains(service) else { return nil }
      let reason =
        state.isDraining
        ? "the server is draining" : state.reasons[service] ?? state.reasons[""]
      var response = HealthCheckResponse()
      response.status = reason == nil ? .serving : .notServing
      response.reason = reason ?? ""
      return response
    }
  }

  private func check(
    _ request: HealthCheckRequest, _ call: CallContext
  ) throws -> HealthCheckResponse {
    guard let response = response(request.service) else {
      throw RPCError(.notFound, "service: this server has no service of that name")
    }
    return response
  }

  private func watch(
    _ request: HealthCheckRequest, _ call: CallContext,
    _ replies: StreamResponder<HealthCheckResponse>
  ) throws {
    let send: @Sendable () -> Void = { [weak self] in
      var response = HealthCheckResponse()
      response.status = .serviceUnknown
      if let known = self?.response(request.service) { response = known }
      let bytes = response.serializedBytes()
      let isLast = self?.isDraining ?? true
      replies.reactor.run {
        _ = replies.send(encoded: bytes)
        // An open watch would hold the drain up.
        if isLast { replies.finish() }
      }
    }
    guard let number = observe(send) else {
      throw RPCError(
        .resourceExhausted, "too many calls watch the health", isNotProcessed: true)
    }
    send()
    replies.onCancel { [weak self] in
      self?.remove(number)
      replies.finish()
    }
  }

  /// Whether the whole server serves.
  var isServing: Bool { response("")?.status == .serving }

  private var isDraining: Bool { state.withLock { $0.isDraining } }

  private func observe(_ action: @escaping @Sendable () -> Void) -> Int? {
    state.withLock { state in
      guard state.observers.count < Self.maxObservers else { return nil }
      state.latest += 1
      state.observers[state.latest] = action
      return state.latest
    }
  }

  private func remove(_ number: Int) { state.withLock { $0.observers[number] = nil } }
}
