import QuiverClient
import QuiverRPC

/// The user of `--user`: every call of the command says that it is made for this user.
///
/// The server answers what the user shares with the caller, or what an administrator lets a service
/// do for the user.
struct UserOfCalls: ClientInterceptor {
  let id: Int64

  func start(
    _ call: inout OutgoingCall
  ) throws(RPCError) -> (@Sendable (CallOutcome) -> Void)? {
    call.options.metadata.append("quiver-user", "\(id)")
    return nil
  }

  /// The arguments of a command with the id of the user that they name.
  static func found(_ arguments: Arguments) async throws(Failure) -> Arguments {
    guard let name = arguments.value(of: .user) else { return arguments }
    // The names are of what is shared with the caller, and so read by the caller itself.
    let names = Names(try Access(arguments), arguments)
    var arguments = arguments
    arguments.user = try await names.id(of: name, .sharer, Flag.user.name)
    return arguments
  }
}
