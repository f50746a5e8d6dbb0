/// A chart as data: two axes and what is shown between them. It draws nothing.
public struct Chart: Sendable, Equatable {
  /// The horizontal axis.
  public var x: Axis
  /// The vertical axis.
  public var y: Axis
  /// What is shown, in the order in which it is drawn.
  public var series: [Series]

  /// Whether there is no point to show.
  public var isEmpty: Bool { series.allSatisfy { $0.points.isEmpty } }

  /// An axis.
  public struct Axis: Sendable, Equatable {
    /// The English name of the values.
    public var label: String
    /// The unit of the values.
    public var unit: Unit
    /// From the least value to the largest that the axis shows; it contains all points and ticks.
    public var domain: ClosedRange<Double>
    /// Where the axis is labelled, in ascending order.
    public var ticks: [Tick]
  }

  /// The unit of an axis.
  public enum Unit: Sendable, Equatable {
    /// Civil days since 1970-01-01.
    case day
    /// Pounds.
    case pound
    /// Kilograms.
    case kilogram
    /// Handicaps of Archery GB, where less is better.
    case handicap
    /// Radii of the nominal face.
    case faceRadius
  }

  /// A labelled value of an axis.
  public struct Tick: Sendable, Equatable {
    /// The value.
    public var value: Double
    /// The text, for example "2024-03-01" or "72.5".
    public var label: String
  }

  /// Points that belong together.
  public struct Series: Sendable, Equatable, Identifiable {
    /// The English name, unique in its chart.
    public var label: String
    /// How the points are connected.
    public var style: Style
    /// The points by their x, ascending; those of a scatter in no particular order.
    public var points: [Point]

    public var id: String { label }
  }

  /// How the points of a series are connected.
  public enum Style: Sendable, Equatable {
    /// Each point by itself.
    case scatter
    /// A line through the points.
    case line
    /// A line that is expected and not measured.
    case forecast
    /// A straight line at one value, for example a goal.
    case threshold
  }

  /// A point.
  public struct Point: Sendable, Equatable {
    /// On the horizontal axis.
    public var x: Double
    /// On the vertical axis.
    public var y: Double
    /// The text for a reader, for example "2024-03-01: 72.5 kg".
    public var label: String
  }
}
