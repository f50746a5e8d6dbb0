import QuiverAPI
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// Answers `quiver.v1.Health`.
struct HealthService {
  let state: ServingState
  /// Services that the catalogue has and this server does not offer.
  let closedServices: Set<String>

  /// Services that answer whether or not anything can be stored.
  private static let storelessServices: Set = [Health.name, Reflection.name, Diagnostics.name]

  var routes: [Route] {
    [.synchronous(Health.check, check), .streamResponding(Health.watch, watch)]
  }

  func check(
    _ request: HealthCheckRequest, _ call: CallContext
  ) throws -> HealthCheckResponse {
    guard request.service.isEmpty || ServiceCatalogue.archery.serviceNames.contains(request.service)
    else {
      throw RPCError(.notFound, "service: this server has no service of that name")
    }
    return response(request.service, state.status)
  }

  func watch(
    _ request: HealthCheckRequest, _ call: CallContext,
    _ replies: StreamResponder<HealthCheckResponse>
  ) throws {
    guard request.service.isEmpty || ServiceCatalogue.archery.serviceNames.contains(request.service)
    else {
      var unknown = HealthCheckResponse()
      unknown.status = .serviceUnknown
      _ = replies.send(encoded: unknown.serializedBytes())
      return hold(replies)
    }
    let observer = state.watch { status in
      let bytes = response(request.service, status).serializedBytes()
      replies.reactor.run { _ = replies.send(encoded: bytes) }
    }
    guard let observer else {
      return replies.fail(
        RPCError(
          .resourceExhausted, "too many calls watch the health", isNotProcessed: true))
    }
    replies.onCancel { [state] in
      state.unwatch(observer)
      replies.finish()
    }
  }

  /// Keeps a stream without further messages open until its client cancels it.
  private func hold(_ replies: StreamResponder<HealthCheckResponse>) {
    replies.onCancel { replies.finish() }
  }

  private func response(
    _ service: String, _ status: ServingState.Status
  ) -> HealthCheckResponse {
    var reason = status.endReason
    if closedServices.contains(service) { reason = reason ?? "this server does not offer it" }
    if !Self.storelessServices.contains(service) { reason = reason ?? status.storeReason }
    var response = HealthCheckResponse()
    response.status = reason == nil ? .serving : .notServing
    response.reason = reason ?? ""
    return response
  }
}
