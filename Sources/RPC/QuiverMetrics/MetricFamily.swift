/// A metric with all its series, as Prometheus names and types them.
package struct MetricFamily: Sendable {
  package enum Kind: String, Sendable { case counter, gauge, histogram }

  /// The name, with its unit, and `_total` if it is a counter.
  package let name: String
  package let kind: Kind
  /// What it counts, in one line.
  package let help: String
  /// Reads the series. Called by the thread that answers a scrape.
  package let read: @Sendable () -> [MetricSeries]

  package init(
    _ name: String, _ kind: Kind, _ help: String, read: @escaping @Sendable () -> [MetricSeries]
  ) {
    self.name = name
    self.kind = kind
    self.help = help
    self.read = read
  }

  /// A metric with one series without labels.
  package init(
    _ name: String, _ kind: Kind, _ help: String, value: @escaping @Sendable () -> Double
  ) {
    self.init(name, kind, help) { [MetricSeries(value: value())] }
  }

  /// A histogram with one series without labels.
  package init(_ name: String, _ help: String, histogram: Histogram) {
    self.init(name, .histogram, help) {
      [MetricSeries(histogram: histogram.snapshot, histogram.bounds)]
    }
  }
}

/// One series of a metric: its labels and its present value.
package struct MetricSeries: Sendable {
  package typealias Labels = [(name: String, value: String)]

  package enum Value: Sendable {
    case number(Double)
    case histogram(HistogramSnapshot, BucketBounds)
  }

  package let labels: Labels
  package let value: Value

  package init(_ labels: Labels = [], value: Double) {
    self.labels = labels
    self.value = .number(value)
  }

  package init(_ labels: Labels = [], histogram: HistogramSnapshot, _ bounds: BucketBounds) {
    self.labels = labels
    self.value = .histogram(histogram, bounds)
  }
}
