import TextFormats

/// What a value of a configuration may be. The schema, the guide and the comparison of two configurations walk it.
package indirect enum Shape: Sendable {
    /// A string without control characters.
    case text
    /// `#rrggbb`.
    case colour
    /// One emoji or a short text.
    case picture
    case flag
    case null
    /// Exactly this string.
    case word(String)
    case choice([String])
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// A span of time above 0.
    case duration
    /// A span of time of at least `leastPeriod`, after which something happens again.
    case period
    /// An amount in some unit, of at least `least`.
    case amount(DistributionUnit, least: Double)
    /// A constant amount, or an object with the one key that names a law. Draws are whole numbers up to `most`, if
    /// that is given.
    case distribution(DistributionUnit, most: Int?)
    /// At least one element.
    case list(Shape)
    case object([ConfigurationKey])
    /// An object with exactly one of these keys.
    case oneOf([ConfigurationKey])
    /// An object whose keys the user chooses, with `least` to `most` members.
    case named(Shape, least: Int, most: Int?)
    case either([Shape])

    /// A millisecond. Shifts, reviews and shelf lives that are much shorter would bring a billion events a second.
    static let leastPeriod = SimulationTime(nanoseconds: 1_000_000)
}

/// What the values of a distribution are measured in.
package enum DistributionUnit: Sendable {
    /// Numbers of seconds, or durations with a unit.
    case seconds
    /// Plain numbers.
    case count

    /// The range of plain numbers.
    static let counts = 0...1e9
}

/// What is known of a key of a configuration besides the place of its value.
package struct ConfigurationKey: Sendable {
    /// A way to write the key: `perSecond`, or `perMinute` in its place.
    package struct Spelling: Sendable {
        package var name: String
        package var shape: Shape
        /// One sentence for editors and the guide.
        package var about: String
    }

    /// Why a stand that is open can't follow a change of the value.
    enum Change: Sendable {
        /// It can't follow, for this reason.
        case refuses(String)
        /// It follows a new value, but can't begin or cease to have one, for this reason.
        case needsValue(String)
        /// Nor can it follow a change of any member, which is a change of the whole.
        case refusesAsOne(String)
    }

    /// Whether and where the value is written.
    enum Audience: Sendable {
        case all
        /// It changes no event, so the fingerprint of a configuration is without it.
        case withoutFingerprint
        /// It changes displays alone, so results and ledgers are without it, too.
        case displays
    }

    /// The spelling in a resolved configuration, then the others.
    package var spellings: [Spelling]
    /// What the value must be, in the words of an error message; nil if the key is optional.
    package var required: String?
    /// The value of an absent key; nil if it has none, or members with defaults of their own.
    package var standard: JSONValue?
    /// Nil for what holds of the object around it. A stand follows all other changes.
    var change: Change?
    var audience = Audience.all

    package var name: String { spellings[0].name }
    package var shape: Shape { spellings[0].shape }
}
