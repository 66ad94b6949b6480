/// One value of a JSON text and the place where it begins.
package struct JSONNode: Equatable, Sendable {
    package var value: Value
    package var place: Place

    package init(value: Value, place: Place) {
        self.value = value
        self.place = place
    }

    package enum Value: Equatable, Sendable {
        case null
        case bool(Bool)
        /// A finite number and its text, sign included: `+.5`, `0xFF`.
        case number(Double, text: String)
        case string(String)
        case array([JSONNode])
        /// The members in the order of the text. Duplicate keys are kept.
        case object([Member])
        /// A value that could not be read. The reason is among the parser's problems.
        case invalid
    }

    package struct Member: Equatable, Sendable {
        package var key: String
        package var keyPlace: Place
        package var node: JSONNode

        package init(key: String, keyPlace: Place, node: JSONNode) {
            self.key = key
            self.keyPlace = keyPlace
            self.node = node
        }
    }
}
