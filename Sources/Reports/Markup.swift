import TextFormats

/// HTML or SVG in which all interpolated text is escaped.
///
/// A literal is markup. An interpolated value is escaped, unless it is markup itself: `"<td>\(name)</td>"` shows the
/// name `<b>` as three characters. So escaping cannot be forgotten.
package struct Markup: Equatable, Sendable {
    package private(set) var source: String

    package init() { source = "" }

    /// Escapes `text` for an element or a quoted attribute.
    package init(text: String) {
        source = ""
        source.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { source += Self.escaped(scalar) }
    }

    package static func + (left: Markup, right: Markup) -> Markup { "\(left)\(right)" }
    package static func += (left: inout Markup, right: Markup) { left.source += right.source }

    /// Scalars that no document may contain, such as NUL, become the replacement character. Marks of direction and
    /// other hidden characters become escapes that the reader sees.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        case "\t", "\n", "\r": String(scalar)
        case "\0"..<" ", "\u{7F}"..<"\u{A0}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
        default: scalar.isHidden ? scalar.visible : String(scalar)
        }
    }
}

extension Sequence<Markup> {
    /// All parts, one after another.
    package func joined() -> Markup { reduce(into: Markup()) { $0 += $1 } }
}

// MARK: - Literals

extension Markup: ExpressibleByStringInterpolation {
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var markup = Markup()

        package init(literalCapacity: Int, interpolationCount: Int) {
            markup.source.reserveCapacity(literalCapacity + 8 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { markup.source += literal }
        package mutating func appendInterpolation(_ text: String) { markup += Markup(text: text) }
        package mutating func appendInterpolation(_ number: Int) { markup.source += "\(number)" }
        /// A coordinate, to a tenth.
        mutating func appendInterpolation(_ number: Double) { markup.source += Plot.number(number) }
        package mutating func appendInterpolation(_ markup: Markup) { self.markup += markup }
        package mutating func appendInterpolation(_ parts: some Sequence<Markup>) { markup += parts.joined() }
    }

    package init(stringLiteral value: String) { source = value }
    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.markup }
}
