import QuiverRPC
import QuiverStore
import Synchronization

/// The completion target of each reactor.
///
/// Reactors are few and live as long as the server; each target is kept after its first command.
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

/// Posts the completions of a batch to a reactor in one job.
private final class ReactorTarget: CompletionTarget {
  private let reactor: any Reactor

  init(_ reactor: any Reactor) { self.reactor = reactor }

  func deliver(_ completions: [@Sendable () -> Void]) {
    reactor.run {
      for completion in completions { completion() }
    }
  }
}
