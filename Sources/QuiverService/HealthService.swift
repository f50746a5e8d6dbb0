import QuiverAPI
import QuiverRPC
import QuiverWire

/// Answers `quiver.v1.Health`.
struct HealthService: HealthHandlers {
  let state: ServingState
  /// Services that the catalogue has and this server does not offer.
  let closedServices: Set<String>

  func check(
    _ request: HealthCheckRequest, _ call: CallContext
  ) throws(RPCError) -> HealthCheckResponse {
    guard request.service.isEmpty || Catalogue.serviceNames.contains(request.service) else {
      throw RPCError(.notFound, "service: this server has no service of that name")
    }
    let isServing = state.isServing && !closedServices.contains(request.service)
    var response = HealthCheckResponse()
    response.status = isServing ? .serving : .notServing
    return response
  }
}
