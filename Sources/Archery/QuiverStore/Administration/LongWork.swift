import Synchronization

/// Work that takes long, as administrators see it.
package struct LongWork: Sendable, Equatable {
  package enum Kind: Int32, Sendable {
    case backup = 1
    case verification, dataImport, export, erasure
  }

  /// The number of the work, counted from the start of the store.
  package let id: UInt64
  package let kind: Kind
  /// For whom; 0: for the server.
  package let principal: Int64
  package let beganAtMilliseconds: Int64
  /// The completed part of ``total``, in pages, rows or bytes, depending on the kind.
  package var done: Int64 = 0
  /// 0: not known.
  package var total: Int64 = 0
}

/// The long work that runs now. Any thread may use it.
package final class LongWorkList: Sendable {
  private struct State: Sendable {
    var running: [UInt64: LongWork] = [:]
    var lastID: UInt64 = 0
  }

  private let state = Mutex(State())
  private let clock: StoreClock

  init(clock: StoreClock) { self.clock = clock }

  /// The work that runs now, oldest first. Its size is limited by the calls that may be open.
  package var running: [LongWork] {
    state.withLock { $0.running.values.sorted { $0.id < $1.id } }
  }

  /// Lists work until the result is released.
  package func begin(_ kind: LongWork.Kind, of principal: Int64 = 0) -> RunningWork {
    let now = clock.wallMilliseconds()
    let id = state.withLock { state in
      state.lastID += 1
      state.running[state.lastID] = LongWork(
        id: state.lastID, kind: kind, principal: principal, beganAtMilliseconds: now)
      return state.lastID
    }
    return RunningWork(list: self, id: id)
  }

  fileprivate func update(_ id: UInt64, _ body: (inout LongWork) -> Void) {
    state.withLock { state in
      guard var work = state.running[id] else { return }
      body(&work)
      state.running[id] = work
    }
  }

  fileprivate func end(_ id: UInt64) { state.withLock { _ = $0.running.removeValue(forKey: id) } }
}

/// Work that is listed as long as this object exists. Any thread may use it.
package final class RunningWork: Sendable {
  private let list: LongWorkList
  private let id: UInt64

  fileprivate init(list: LongWorkList, id: UInt64) {
    self.list = list
    self.id = id
  }

  deinit { list.end(id) }

  /// Adds to what is done.
  package func advance(by count: Int64) { list.update(id) { $0.done += count } }

  /// Sets what is done of all.
  package func advance(to done: Int64, of total: Int64) {
    list.update(id) { work in
      work.done = done
      work.total = total
    }
  }
}
