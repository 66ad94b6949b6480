import TextFormats

/// The values that a place in a configuration may have. The schema, the guide and the comparison of two configurations
/// walk it.
package struct Shape: Sendable {
    /// The members that an object may have.
    package enum Members: Sendable {
        /// Nothing is known of them, or the value is no object.
        case unknown
        case keys([ConfigurationKey])
        /// The user chooses the keys, at most `most` of them.
        indirect case named(Shape, most: Int?)
    }

    /// The JSON Schema of the value. It can't say how values depend on each other, such as `from` and `to`.
    package var schema: JSONValue
    package var members = Members.unknown
    /// Whether each member is a setting of its own, as those of a fruit. A law or a restocking rule is one as a whole.
    package var isSection = false

    /// One value or the other.
    static func either(_ one: Shape, _ other: Shape) -> Shape {
        let members = if case .unknown = one.members { other.members } else { one.members }
        return Shape(schema: ["anyOf": [one.schema, other.schema]], members: members)
    }
}

/// The properties of a key of a configuration, besides the place of its value.
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
        /// The stand can't follow, for this reason.
        case refuses(String)
        /// The stand follows a new value, but can't begin or cease to have one, for this reason.
        case needsValue(String)
        /// The stand can't follow, for this reason. A change of any member counts as a change of the whole.
        case refusesAsOne(String)
        /// The old value holds until the program ends. It has no effect on the stand.
        case ignored
    }

    /// The spelling in a resolved configuration, then the others.
    package var spellings: [Spelling]
    /// What the value must be, in the words of an error message; nil if the key is optional.
    package var required: String?
    /// The value of an absent key; nil if it has none, or members with defaults of their own.
    package var standard: JSONValue?
    /// Nil for the rule of the object around the key. Without any rule, a stand follows a change.
    var change: Change?
    /// The last purpose for which the value is written.
    var scope = Purpose.fingerprint

    package var name: String { spellings[0].name }
    package var shape: Shape { spellings[0].shape }
}
