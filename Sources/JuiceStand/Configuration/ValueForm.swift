/// The form of a value in a configuration.
///
/// The reader takes its keys and ranges from here, and ``ConfigurationSchema`` describes the same forms to editors. So
/// the two cannot disagree.
indirect enum ValueForm: Sendable {
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
    /// A span of time of at least ``leastPeriod``, after which something happens again.
    case period
    /// An amount in some unit, of at least `least`.
    case amount(DistributionUnit, least: Double)
    /// A constant amount, or an object with the one key that names a law.
    case distribution(DistributionUnit)
    /// At least one element.
    case list(ValueForm)
    case object(ObjectForm)
    /// An object whose keys the user chooses, with at least `least` members.
    case named(ValueForm, least: Int)
    case either([ValueForm])

    /// A millisecond. Shifts, reviews and shelf lives that are much shorter would bring a billion events a second.
    static let leastPeriod = SimulationTime(nanoseconds: 1_000_000)

    static func choice<Choice: RawRepresentable & CaseIterable>(of type: Choice.Type) -> ValueForm
    where Choice.RawValue == String {
        .choice(Choice.allCases.map(\.rawValue))
    }

    /// A whole number or `"unlimited"`.
    static func limit(_ range: ClosedRange<Int>) -> ValueForm { .either([.integer(range), .word("unlimited")]) }

    static func object(_ keys: [ObjectForm.Key]) -> ValueForm { .object(ObjectForm(keys: keys)) }

    /// An object with exactly one of these keys.
    static func oneOf(_ keys: [ObjectForm.Key]) -> ValueForm { .object(ObjectForm(keys: keys, hasOneKey: true)) }

    /// The forms among which a value chooses.
    var alternatives: [ValueForm] {
        if case .either(let forms) = self { forms.flatMap(\.alternatives) } else { [self] }
    }
}

/// The form of an object with known keys.
struct ObjectForm: Sendable {
    struct Key: Sendable {
        var name: String
        var form: ValueForm
        /// What the value must be, in the words of an error message; nil if the key is optional.
        var required: String?
        /// One line for editors.
        var about: String

        init(_ name: String, _ form: ValueForm, required: String? = nil, _ about: String) {
            self.name = name
            self.form = form
            self.required = required
            self.about = about
        }
    }

    var keys: [Key]
    /// Whether exactly one key is given: the name of a rule or law.
    var hasOneKey = false
}
