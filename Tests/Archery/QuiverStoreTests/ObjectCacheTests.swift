import Testing

@testable import QuiverStore

@Suite(.timeLimit(.minutes(5))) struct ObjectCacheTests {
  @Test("An object is found after it was added, until it changes")
  func insertAndRemove() {
    let cache = ObjectCache<String>(capacity: 64)
    #expect(put(cache, "a", 7))
    #expect(found(cache, 7) == "a")
    cache.remove(7)
    #expect(found(cache, 7) == nil)
  }

  @Test("A read that began before a change cannot add its object")
  func staleInsert() {
    let cache = ObjectCache<String>(capacity: 64)
    guard case .missing(let version) = cache.find(7) else {
      Issue.record("An empty cache found something.")
      return
    }
    cache.remove(7)
    cache.insert("old", id: 7, version: version)
    #expect(found(cache, 7) == nil)
  }

  @Test("The cache never exceeds its capacity")
  func bound() {
    let cache = ObjectCache<String>(capacity: 64)
    for id in 0..<10_000 as Range<Int64> { #expect(put(cache, "x", id)) }
    let count = (0..<10_000 as Range<Int64>).count { found(cache, $0) != nil }
    #expect(count > 0 && count <= 64)
    #expect(found(cache, -1) == nil)
  }

  private func put(_ cache: ObjectCache<String>, _ value: String, _ id: Int64) -> Bool {
    guard case .missing(let version) = cache.find(id) else { return false }
    cache.insert(value, id: id, version: version)
    return true
  }

  private func found(_ cache: ObjectCache<String>, _ id: Int64) -> String? {
    if case .found(let value) = cache.find(id) { value } else { nil }
  }
}
