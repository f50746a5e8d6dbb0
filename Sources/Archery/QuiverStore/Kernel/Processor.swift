import Glibc

/// The core that a thread runs on.
package enum Processor {
  /// Lets threads run that wait for this core; long work does so every few tenths of a millisecond.
  ///
  /// Where cores are few a thread that computes would else keep a shard, whose call has come, from
  /// its core for a time slice of some milliseconds. About a microsecond where nobody waits.
  package static func letOthersRun() { _ = sched_yield() }
}
