import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire

/// `quiver health`: whether the server, or one of its services, accepts calls.
enum HealthCommand {
  private static let wait = Flag(
    "--wait", .optionalNumber("SECONDS"), "wait until it serves, at most 30 seconds by default")

  static let command = Command(
    "health", operands: "[SERVICE]", summary: "check whether the server accepts calls",
    details: """
      Prints SERVING and exits with 0, or NOT_SERVING and exits with 78. SERVICE is a full name,
      quiver.v1.Equipment, or without its package. No token is needed, and none is sent.
      """,
    flags: [wait, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let words = try arguments.operands(0...1, "one SERVICE")
    var service = words.first ?? ""
    if !service.isEmpty, !service.contains(".") { service = "quiver.v1." + service }
    let access = try Access(arguments, sendsToken: false)
    if let text = arguments.value(of: wait) {
      guard let seconds = text.isEmpty ? 30 : Double(text), seconds >= 0, seconds <= 1e6 else {
        throw arguments.usage("--wait expects seconds, 0 to 1000000, not \(text)")
      }
      let name = service
      try await access.attempt { () async throws(RPCError) in
        try await access.client.waitForReady(service: name, timeout: .seconds(seconds))
      }
      try Terminal.print("SERVING")
      return
    }
    var request = HealthCheckRequest()
    request.service = service
    let (question, client) = (request, access.client)
    let answer = try await access.attempt { () async throws(RPCError) in
      try await client.call(Health.check, question)
    }
    guard answer.status == .serving else {
      try Terminal.print("NOT_SERVING")
      throw .call(
        RPCError(.unavailable, "the server does not accept calls", isNotProcessed: true))
    }
    try Terminal.print("SERVING")
  }
}
