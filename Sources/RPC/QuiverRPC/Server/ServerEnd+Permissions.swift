extension ServerEnd {
  /// Ends what rests on permissions that have ended: the connection if they were those of its
  /// caller, else its streams for users for whom the caller may no longer act. On the reactor.
  ///
  /// This comes in a later turn than the commit. A call whose caller was looked for before the
  /// commit and starts after this is looked for again, so that no stream is missed. Unary calls
  /// continue, because a command reads permissions again when it runs.
  package func revalidate(_ ended: EndedPermissions) {
    reactor.preconditionOnReactor()
    guard phase < .closing else { return }
    let now = reactor.nowNanoseconds
    if let known = gateway, let fault = ended.fault(of: known) {
      gateway = nil
      // For a caller with a token the connection goes on as that of the caller alone.
      if info.caller == nil { return fail(fault, now: now) }
    }
    guard let caller = info.caller else { return }
    if let fault = ended.fault(of: caller) { return fail(fault, now: now) }
    guard hasActed else { return }
    for stream in connection.pointee.actingStreams where ended.concerns(actingFor: stream.user) {
      let method = router.routes[stream.route].method
      authenticator.acting(caller, forUser: stream.user, calling: method).start { [self] found, _ in
        guard case .failure(let error) = found else { return }
        reactor.run { [self] in endStream(stream.id, error) }
      }
    }
  }

  private func endStream(_ stream: UInt32, _ error: RPCError) {
    guard phase < .closing else { return }
    connection.pointee.endStream(stream, error)
    notifyCancelled()
    flushSoon()
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
