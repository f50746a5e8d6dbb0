import QuiverRPC
import QuiverStore
import Synchronization

/// For each reactor the target by which the store's completions come back to it.
///
/// Reactors are few and live as long as the server; each is kept from its first command on.
final class ReactorTargets: Sendable {
  private let targets = Mutex<[ObjectIdentifier: ReactorTarget]>([:])

  func target(of reactor: any Reactor) -> any CompletionTarget {
    targets.withLock { targets in
      let identity = ObjectIdentifier(reactor)
      if let known = targets[identity] { return known }
      let target = ReactorTarget(reactor)
      targets[identity] = target
      return target
    }
  }
}

/// Takes the completions of a group to a reactor in one job.
private final class ReactorTarget: CompletionTarget {
  private let reactor: any Reactor

  init(_ reactor: any Reactor) { self.reactor = reactor }

  func deliver(_ completions: [@Sendable () -> Void]) {
    reactor.run {
      for completion in completions { completion() }
    }
  }
}
