import QuiverProtobuf

/// The message coder that the ends on one reactor share; made and kept by whoever owns the reactor,
/// who need not know what it is made of.
package struct ReactorCoder {
  let coder = MessageCoder()

  package init() {}
}

@available(*, unavailable)
extension ReactorCoder: Sendable {}
