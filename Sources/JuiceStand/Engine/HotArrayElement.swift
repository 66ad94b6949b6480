/// An element of a ``HotArray``.
///
/// An element with a ``blank`` is saved as a row of whole numbers, in a fraction of the time of members with names.
package protocol HotArrayElement: BitwiseCopyable, Codable, Sendable {
    /// An element to read into; nil if elements are saved by the names of their members.
    static var blank: Self? { get }

    /// Passes every number of the element to `row`, in an order that never changes.
    mutating func pass(_ row: inout HotArrayRow)
}

extension HotArrayElement {
    package static var blank: Self? { nil }
    package mutating func pass(_ row: inout HotArrayRow) {}
}

extension HotArrayElement where Self: FixedWidthInteger {
    package static var blank: Self? { 0 }
    package mutating func pass(_ row: inout HotArrayRow) { row.pass(&self) }
}

extension Int: HotArrayElement {}
extension Int32: HotArrayElement {}

/// Takes the numbers of elements one after the other, or fills elements with them.
///
/// Numbers are decimal, each with a space after it. One text of all numbers is written and read many times faster than
/// an array of values.
package struct HotArrayRow {
    private var digits: [UInt8]
    private var place = 0
    private let isReading: Bool
    /// Whether a number was missing or did not fit its member.
    package private(set) var isWrong = false

    /// A row that takes the numbers of elements.
    package init() {
        digits = []
        isReading = false
    }

    /// A row that fills elements with the numbers of `text`.
    package init(reading text: String) {
        digits = Array(text.utf8)
        isReading = true
    }

    package var text: String { String(decoding: digits, as: UTF8.self) }
    package var isAtEnd: Bool { place >= digits.count }

    /// Passes one number; a `UInt64` as the `Int64` with the same bits.
    @inline(__always)
    package mutating func pass<Number: FixedWidthInteger>(_ number: inout Number) {
        guard isReading else { return write(Int64(truncatingIfNeeded: number)) }
        let read = read()
        number = Number(truncatingIfNeeded: read)
        if Int64(truncatingIfNeeded: number) != read { refuse() }
    }

    package mutating func pass(_ time: inout SimulationTime) { pass(&time.nanoseconds) }

    /// Marks the row as wrong, because its numbers do not fit the element. The rest of the row is not read.
    package mutating func refuse() {
        isWrong = true
        place = digits.count
    }

    private mutating func write(_ number: Int64) {
        if number < 0 { digits.append(UInt8(ascii: "-")) }
        var low = digits.count
        var left = number.magnitude
        repeat {
            digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: left % 10))
            left /= 10
        } while left > 0
        var high = digits.count - 1
        while low < high {
            digits.swapAt(low, high)
            low += 1
            high -= 1
        }
        digits.append(UInt8(ascii: " "))
    }

    private mutating func read() -> Int64 {
        let isNegative = !isAtEnd && digits[place] == UInt8(ascii: "-")
        if isNegative { place += 1 }
        let start = place
        var magnitude: UInt64 = 0
        while !isAtEnd, case let digit = digits[place] &- UInt8(ascii: "0"), digit < 10 {
            magnitude = magnitude &* 10 &+ UInt64(digit)
            place += 1
        }
        let number = Int64(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude)
        // A number of nineteen digits fits a `UInt64`. It fits an `Int64` if the conversion kept its sign.
        guard !isAtEnd, digits[place] == UInt8(ascii: " "), (1...19).contains(place - start),
            number == 0 || (number < 0) == isNegative
        else {
            refuse()
            return 0
        }
        place += 1
        return number
    }
}
