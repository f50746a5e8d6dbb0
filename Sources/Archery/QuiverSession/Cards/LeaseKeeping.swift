import QuiverWire

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A model that renews the lease of its target in the background.
@MainActor
protocol LeaseKeepingModel: AnyObject, Sendable {
  var session: OfflineSession { get }
  /// The task that renews the lease; nil: none. The model cancels it when it is released.
  var keeping: Task<Void, Never>? { get set }

  /// When the lease ends, in milliseconds; 0: not held, nil: it is not renewed any more.
  func leaseEnd() async -> Int64?

  /// Takes or renews the lease.
  func renewLease() async throws(SessionError)
}

extension LeaseKeepingModel {
  /// Renews the lease whenever half of its time has passed, and at once if `joinsNow`, until it is
  /// refused.
  func startKeeping(joinsNow: Bool) {
    guard keeping == nil else { return }
    let limits = session.configuration.limits
    keeping = Task { [weak self] in
      var delay: Duration? = joinsNow ? .zero : nil
      while !Task.isCancelled {
        if delay == nil {
          guard let end = await self?.leaseEnd() else { break }
          delay = limits.leaseInterval(until: end, now: WallClock.nowMilliseconds())
        }
        guard (try? await Task.sleep(for: delay ?? .zero)) != nil, let self else { return }
        delay = nil
        do throws(SessionError) {
          try await self.renewLease()
        } catch {
          guard !Task.isCancelled else { return }
          guard error.isTransient else { break }
        }
      }
      if !Task.isCancelled { self?.keeping = nil }
    }
  }

  /// Ends what ``startKeeping(joinsNow:)`` began; the lease lasts until it expires.
  func endKeeping() {
    keeping?.cancel()
    keeping = nil
  }
}

extension SessionLimits {
  /// Half of the time that is left of a lease, within the limits.
  func leaseInterval(until end: Int64, now: Int64) -> Duration {
    let half = end > now ? Duration.milliseconds((end - now) / 2) : .zero
    return min(max(half, shortestLeaseInterval), longestLeaseInterval)
  }
}

/// A model of first cards or of a match, whose target this device may have joined.
@MainActor
protocol TargetScoringModel: LeaseKeepingModel {
  /// The code of the target whose lease is kept; nil: none.
  var targetCode: String? { get set }
  var target: JoinedTarget? { get set }
  var leaseError: SessionError? { get set }
}

extension TargetScoringModel {
  /// Joins a target at once, and keeps its lease, instead of the one of another target.
  func startKeepingLease(of code: String) {
    if targetCode != code { endKeepingLease() }
    targetCode = code
    startKeeping(joinsNow: true)
  }

  /// Ends what ``startKeepingLease(of:)`` began.
  func endKeepingLease() {
    endKeeping()
    (targetCode, target, leaseError) = (nil, nil, nil)
  }

  func leaseEnd() async -> Int64? {
    target.map { WallClock.milliseconds($0.expiresAt) } ?? 0
  }

  func renewLease() async throws(SessionError) {
    guard let code = targetCode else { return }
    do throws(SessionError) {
      let joined = try await session.joinTarget(code)
      guard code == targetCode else { return }
      (target, leaseError) = (joined, nil)
    } catch {
      guard code == targetCode else { throw error }
      if !error.isTransient { target = nil }
      leaseError = error.whileTrying(to: "join a target")
      throw error
    }
  }
}
