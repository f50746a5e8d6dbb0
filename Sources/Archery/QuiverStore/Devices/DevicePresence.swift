import Synchronization

/// When devices have called last, as far as this process knows. Any thread may use it.
package final class DevicePresence: Sendable {
  private struct Seen {
    var at: Int64
    /// When the store was told.
    var storedAt: Int64
  }

  private struct State {
    var devices: [Int64: Seen] = [:]
    /// Nobody can have called this process before.
    var startMilliseconds: Int64?
  }

  private let state = Mutex(State())

  /// Notes a call of a device; returns whether the store should be told, which happens once in
  /// `interval` milliseconds.
  func note(_ principal: Int64, at now: Int64, interval: Int64) -> Bool {
    state.withLock { state in
      if state.startMilliseconds == nil { state.startMilliseconds = now }
      var seen = state.devices[principal] ?? Seen(at: now, storedAt: .min)
      seen.at = max(seen.at, now)
      let isDue = seen.storedAt == .min || now - seen.storedAt >= interval
      if isDue { seen.storedAt = now }
      if state.devices[principal] == nil { Self.makeRoom(&state.devices, now) }
      state.devices[principal] = seen
      return isDue
    }
  }

  /// When a device has called last; the first call of any device where it has not called since.
  func lastCall(of principal: Int64, now: Int64) -> Int64 {
    state.withLock { state in
      if state.startMilliseconds == nil { state.startMilliseconds = now }
      return state.devices[principal]?.at ?? state.startMilliseconds ?? now
    }
  }

  private static func makeRoom(_ devices: inout [Int64: Seen], _ now: Int64) {
    guard devices.count >= StoreLimits.rememberedDevices else { return }
    let oldest = now - StoreLimits.takeoverSilenceMilliseconds
    devices = devices.filter { $0.value.at > oldest }
    if devices.count >= StoreLimits.rememberedDevices { devices = [:] }
  }
}

extension Store {
  /// When devices have called last.
  package var devicePresence: DevicePresence { features.devices }

  /// Notes a call of a device; returns whether ``TouchDevice`` should store it.
  package func noteCall(ofDevice principal: Int64) -> Bool {
    // Other servers know a call from the database alone.
    let interval =
      isShared
      ? StoreLimits.takeoverSilenceMilliseconds / 3 : StoreLimits.deviceTouchMilliseconds
    return features.devices.note(principal, at: time.nowMilliseconds, interval: interval)
  }
}
