import AllocationCount
import JuiceStand
import Platform

/// The cost of a post besides time: its code at the call site, and the stack frames before its handler.
struct CostMeasurement {
    private let symbols = Machine().isOptimized ? SymbolSizes() : nil

    /// Findings for a wiring's idiom with one observer.
    func findings(_ choice: WiringChoice) -> [Property: Finding] {
        let probe = FrameProbe()
        guard let (own, name) = choice.visit(PostingOnce(), observers: [probe]) else { return [:] }
        return [
            .callsWithoutFramesBetween: frames(own, probe, isLater: choice.delivery != .atOnce),
            .postSiteIsSmall: postSite(name),
        ]
    }

    private func frames(_ own: Int32, _ probe: FrameProbe, isLater: Bool) -> Finding {
        if isLater { return Finding(false, "the handler runs later, and its stack does not show the post") }
        let seen = probe.depth.value
        guard own > 0, seen > 0 else { return Finding(nil, "this system does not tell the depth of a stack") }
        let between = Int(seen - own) - 1
        return Finding(between <= 0, "\(between.of("frame")) between the post and the handler")
    }

    private func postSite(_ name: String) -> Finding {
        guard let symbols else { return Finding(nil, "a debug build does not show it") }
        guard let once = symbols.size(of: "postOnce", name), let twice = symbols.size(of: "postTwice", name) else {
            return Finding(nil, "the program has no table of symbols")
        }
        return Finding(twice - once < 128, "\(twice - once) bytes of code for each post")
    }
}

/// Posts and returns the depth of the poster's stack and the name of the idiom.
private struct PostingOnce: IdiomVisitor {
    typealias Observer = FrameProbe

    func visit<Way: Idiom>(_ way: Way, keys: Any) -> (depth: Int32, name: String) where Way.Observer == FrameProbe {
        withExtendedLifetime(keys) {
            let depth = postOnce(way)
            // Makes the function exist, for its size.
            _ = postTwice(way)
            way.turn()
            return (depth, "\(Way.self)".prefix { $0 != "<" }.description)
        }
    }
}

/// A post by itself, for its size and its depth on the stack.
@inline(never)
private func postOnce<Way: Idiom>(_ way: Way) -> Int32 {
    let depth = framesOnStack()
    way.post(Sale(order: 1))
    return depth
}

/// One post more than ``postOnce(_:)``.
@inline(never)
private func postTwice<Way: Idiom>(_ way: Way) -> Int32 {
    let depth = framesOnStack()
    way.post(Sale(order: 1))
    way.post(Sale(order: 2))
    return depth
}

/// Notes the depth of the stack where it is called.
private final class FrameProbe: SaleObserver {
    let depth = Slot<Int32>(0)

    func note(_ sale: Sale) { depth.value = framesOnStack() }
}

/// The sizes of this program's functions, from its table of symbols.
struct SymbolSizes {
    private var functions: [(name: String, size: Int)] = []

    init() {
        let bytes: [UInt8]
        // Without the file there are no sizes.
        do { bytes = try readFile("/proc/self/exe") } catch { return }
        guard bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]) else { return }
        func word(_ offset: Int, _ count: Int) -> Int {
            guard offset + count <= bytes.count else { return 0 }
            return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        // ELF 64: the sections' headers, each with its kind, place, size and the section of its names.
        let (headers, headerSize, count) = (word(0x28, 8), word(0x3a, 2), word(0x3c, 2))
        let tables = (0..<count).map { headers + $0 * headerSize }.filter { word($0 + 4, 4) == 2 }
        for table in tables {
            let (start, size) = (word(table + 0x18, 8), word(table + 0x20, 8))
            let names = word(headers + word(table + 0x28, 4) * headerSize + 0x18, 8)
            for symbol in stride(from: start, to: start + size, by: 24) where bytes[symbol + 4] & 0xf == 2 {
                let name = names + word(symbol, 4)
                let end = bytes[name...].firstIndex(of: 0) ?? name
                let text = String(decoding: bytes[name..<end], as: UTF8.self)
                if text.contains("8postOnce") || text.contains("9postTwice") {
                    functions.append((text, word(symbol + 16, 8)))
                }
            }
        }
    }

    /// Bytes of the function specialized for a type; nil if there is none of that name.
    func size(of function: String, _ type: String) -> Int? {
        functions.first {
            $0.name.contains("\(function.count)\(function)") && $0.name.contains("\(type.count)\(type)")
        }?.size
    }
}
