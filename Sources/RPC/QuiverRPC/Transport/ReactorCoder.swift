import QuiverProtobuf

/// The message coder that the ends on one reactor share, made and kept by the owner of the reactor.
package struct ReactorCoder {
  let coder = MessageCoder()

  package init() {}
}

@available(*, unavailable)
extension ReactorCoder: Sendable {}
