import Foundation
import Testing

/// The article on queues and locks has every one in the sources, and no other.
struct QueuesAndLocksTests {
    private struct Place: Hashable, CustomStringConvertible {
        var file: String
        var name: String
        var description: String { "\(file): \(name)" }
    }

    /// What a source file makes: the labels of queues, the calls that start threads, and the names of locks.
    private static func names(in source: String) -> Set<String> {
        let marks = ["Guarded", "Locked", "Mutex", "Lock", "NSCondition", "DispatchQueue", "Thread", "pthread_create"]
        guard marks.contains(where: { source.contains($0) }) else { return [] }
        let lines = source.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        let text = lines.joined(separator: "\n")
        var found: Set<String> = []
        let lock =
            #/(\w+)\??\s*[:=]\s*(?:Guarded|Locked|Mutex|NSLock|NSRecursiveLock|NSCondition|OSAllocatedUnfairLock)[<(]/#
        for match in text.matches(of: lock) { found.insert(String(match.1)) }
        for match in text.matches(of: #/DispatchQueue\(\s*label: "(.+?)"/#) { found.insert(String(match.1)) }
        for match in text.matches(of: #/DispatchQueue\.(global|main|concurrentPerform)\b/#) {
            found.insert(String(match.1))
        }
        let thread = #/(func )?\b(startThread|makeThread|pthread_create|detachNewThread)(?: \{|\()/#
        for match in text.matches(of: thread) where match.1 == nil { found.insert(String(match.2)) }
        return found
    }

    /// Locks and queues of a source file that ``names(in:)`` cannot name.
    private static func isUnnamed(_ line: Substring) -> Bool {
        let code = line.drop { $0 == " " }
        let isDeclaration = code.contains(#/(?:struct|class|extension) (?:Guarded|Locked|Mutex)\b/#)
        if code.hasPrefix("//") || isDeclaration { return false }
        return code.contains(#/\b(?:Guarded|Locked|Mutex)[<(]/#) && names(in: String(line)).isEmpty
    }

    private static let sources: [(file: String, text: String)] = {
        let root = Program.root.appending(path: "Sources")
        let files = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".swift") }.sorted().compactMap { file in
            (try? String(contentsOf: root.appending(path: file), encoding: .utf8)).map { (file, $0) }
        }
    }()

    private static func named() throws -> [Place] {
        let article = try Program.text("Sources/JuiceStand/JuiceStand.docc/QueuesAndLocks.md")
        return article.matches(of: #/(?m)^\| `(\S+\.swift)` \| `([^`]+)` \|/#).map {
            Place(file: String($0.1), name: String($0.2))
        }
    }

    @Test func `the article names every queue, thread and lock, and no other`() throws {
        let made = Set(Self.sources.flatMap { file, text in Self.names(in: text).map { Place(file: file, name: $0) } })
        let named = try Self.named()
        #expect(made.count >= 50, "the sources are no longer understood")
        #expect(made.subtracting(named).map(\.description).sorted() == [], "add these to QueuesAndLocks.md")
        #expect(Set(named).subtracting(made).map(\.description).sorted() == [], "remove these from QueuesAndLocks.md")
    }

    @Test func `every lock has a name that can be found`() {
        for (file, text) in Self.sources {
            guard text.contains(#/Guarded|Locked|Mutex/#) else { continue }
            for line in text.split(separator: "\n") where line.contains(#/Guarded|Locked|Mutex/#) {
                guard Self.isUnnamed(line) else { continue }
                Issue.record("\(file): give this lock a name of its own: \(line)")
            }
        }
    }
}
