import Foundation
import NotificationBus

/// An observer known by its class, whose method is not inlined: the floor.
final class DirectObserver: Sendable {
    private let sum: Sum

    init(_ sum: Sum) {
        self.sum = sum
    }

    @inline(never)
    func receive(_ sale: Sale) { sum.add(sale.amount) }
}

private func sums(_ count: Int) -> [Sum] { (0..<count).map { _ in Sum() } }

/// Closures in an array, called in a loop.
@inline(never)
func closureLoop(_ observers: Int) -> Contender {
    let sums = sums(observers)
    let closures: [@Sendable (Sale) -> Void] = sums.map { sum in { sum.add($0.amount) } }
    return Contender(name: "closure loop") { count in
        for amount in 0..<count {
            let sale = Sale(amount: amount)
            for closure in closures { closure(sale) }
        }
        return sums.map(\.value)
    }
}

/// Methods of a known class, called in a loop, not inlined.
@inline(never)
func directLoop(_ observers: Int) -> Contender {
    let sums = sums(observers)
    let kept = sums.map { DirectObserver($0) }
    let direct = unsafe ContiguousArray(kept.map { unsafe Unmanaged.passUnretained($0) })
    return Contender(name: "direct calls") { count in
        for amount in 0..<count {
            let sale = Sale(amount: amount)
            // By index and without ownership: a loop over the elements would retain each.
            for index in 0..<observers { unsafe direct[index]._withUnsafeGuaranteedRef { $0.receive(sale) } }
        }
        return withExtendedLifetime(kept) { sums.map(\.value) }
    }
}

/// C function pointers with a context, called in a loop.
@inline(never)
func functionPointerLoop(_ observers: Int) -> Contender {
    typealias Function = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> Void
    let sums = sums(observers)
    let function: Function = { context, sale in
        unsafe Unmanaged<Sum>.fromOpaque(context)._withUnsafeGuaranteedRef {
            $0.add(unsafe sale.assumingMemoryBound(to: Sale.self).pointee.amount)
        }
    }
    let table = unsafe sums.map { unsafe (opaque(function), UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque())) }
    return Contender(name: "function pointers") { count in
        for amount in 0..<count {
            let sale = Sale(amount: amount)
            unsafe withUnsafePointer(to: sale) { sale in
                for index in unsafe table.indices { unsafe table[index].0(table[index].1, UnsafeRawPointer(sale)) }
            }
        }
        return sums.map(\.value)
    }
}

/// This library. `prepare` may use features of the center before.
@inline(never)
func typedCenter(
    _ observers: Int, name: String = "typed center", prepare: (TypedNotificationCenter) -> Void = { _ in }
) -> Contender {
    let center = TypedNotificationCenter()
    prepare(center)
    let sums = sums(observers)
    let tokens = sums.map { sum in center.observe(Sale.self) { sum.add($0.amount) } }
    return Contender(name: name) { count in
        for amount in 0..<count { center.post(Sale(amount: amount)) }
        return withExtendedLifetime(tokens) { sums.map(\.value) }
    }
}
