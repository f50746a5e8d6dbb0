extension ServerEnd {
  /// Ends what rests on permissions that have ended: the connection if they were those of its
  /// caller, else its streams for users for whom the caller may no longer act. On the reactor.
  ///
  /// Permissions are read and streams opened in one turn of the reactor, and this comes in a later
  /// turn than the commit. So no stream is missed: one that opens later reads the permissions as
  /// they are now. Unary calls continue, because a command reads them again when it runs.
  package func revalidate(_ ended: EndedPermissions) {
    reactor.preconditionOnReactor()
    guard let caller = info.caller, phase < .closing else { return }
    let now = reactor.nowNanoseconds
    if let fault = ended.fault(of: caller) { return fail(fault, now: now) }
    guard caller.kind == .service else { return }
    let streams = connection.pointee.actingStreams.filter { ended.concerns(actingFor: $0.user) }
    guard !streams.isEmpty else { return }
    for stream in streams {
      do throws(RPCError) {
        _ = try actingCaller(caller, forUser: stream.user, route: stream.route)
      } catch {
        connection.pointee.endStream(stream.id, error)
      }
    }
    notifyCancelled()
    flushSoon()
  }

  /// The user as whom the caller calls the method of a route. Throws PERMISSION_DENIED where it may
  /// not.
  func actingCaller(_ caller: Caller, forUser user: Int64, route: Int) throws(RPCError) -> Caller {
    try authenticator.acting(caller, forUser: user, calling: router.routes[route].method)
  }
}

extension ServerConnection {
  /// An open stream that a service has for a user.
  struct ActingStream {
    let id: UInt32
    let user: Int64
    let route: Int
  }

  /// The open streams that the caller has for users.
  var actingStreams: [ActingStream] {
    (0..<core.streams.slotEnd).compactMap { slot in
      guard core.streams.isOccupied(slot), core.streams[slot].actingUser != 0,
        core.streams[slot].phase.isActive
      else { return nil }
      return ActingStream(
        id: core.streams[slot].id, user: core.streams[slot].actingUser,
        route: Int(truncatingIfNeeded: core.streams[slot].tag))
    }
  }

  /// Notes for which user the call on a stream is made, if it is open and not unary.
  mutating func setActingUser(_ user: Int64, on stream: UInt32) {
    guard let slot = core.streams.slot(of: stream),
      !router.isUnary(Int(truncatingIfNeeded: core.streams[slot].tag))
    else { return }
    core.streams[slot].actingUser = user
  }

  /// Ends an open stream with a status, once its handler has returned.
  mutating func endStream(_ stream: UInt32, _ error: RPCError) {
    guard let slot = core.streams.slot(of: stream) else { return }
    abortCall(slot, error)
  }
}
