import Platform

/// What power cuts may leave of the changes that a ``RecordingDisk`` recorded.
///
/// Synchronized bytes and names are there. Of the others there are none, all, all but one, or only one, and the last
/// write may be torn: a part of it is there, or its length with zeros from the border of a sector on. Bytes of a file
/// come in the order in which they were written; names and files come in any order.
package struct PowerCuts {
    /// What a cut leaves, and the last operation before which it may come.
    package private(set) var images: [DiskImage: Int] = [:]
    /// Cuts tried: operations, and for each what may be left.
    package private(set) var tried = 0
    /// What is there without a cut.
    package private(set) var whole = DiskImage()

    private static let sector = 512

    /// - Parameters:
    ///   - first: The number of operations before the first cut.
    ///   - random: Chooses subsets of what was not synchronized, beyond the regular ones.
    ///   - subsets: How many of these for each cut.
    package init(
        _ disk: RecordingDisk, from first: Int = 0, subsets: Int = 0, using random: inout some RandomNumberGenerator
    ) {
        var tree = Tree(disk.found)
        let operations = disk.operations
        for number in 0...operations.count {
            if number > 0 { tree.apply(operations[number - 1]) }
            guard number >= first else { continue }
            let last: Int? = if number > 0, case .append(let file, _) = operations[number - 1] { file } else { nil }
            for image in tree.images(lastWritten: last, subsets, &random) {
                images[image] = number
                tried += 1
            }
        }
        whole = tree.image { _ in true }
    }

    /// A file's bytes: those that are on the disk, and what was not synchronized.
    private struct File {
        var synchronized: [UInt8] = []
        /// Contents after each change since.
        var later: [[UInt8]] = []
        /// Of the synchronized bytes those that the system could not write and may have forgotten.
        var forgotten: Range<Int>?
        /// The same of the newest bytes; what was cut and is written again is not among them.
        private var newestForgotten: Range<Int>?

        init(synchronized: [UInt8] = []) { self.synchronized = synchronized }

        var newest: [UInt8] { later.last ?? synchronized }

        mutating func truncate(to size: Int) {
            let zeros = [UInt8](repeating: 0, count: max(0, size - newest.count))
            later.append(newest.prefix(size) + zeros)
            newestForgotten = newestForgotten.map { $0.clamped(to: 0..<size) }.flatMap { $0.isEmpty ? nil : $0 }
        }

        mutating func synchronize() {
            synchronized = newest
            later = []
            forgotten = newestForgotten
        }

        mutating func failToSynchronize() {
            let start = min(newestForgotten?.lowerBound ?? .max, synchronized.count, newest.count)
            newestForgotten = start..<newest.count
        }

        /// The content without the bytes that may have been forgotten.
        func withoutForgotten(_ content: [UInt8]) -> [UInt8] {
            var content = content
            for place in forgotten?.clamped(to: 0..<content.count) ?? 0..<0 { content[place] = 0 }
            return content
        }
    }

    private enum Node {
        case folder
        case file(Int)
    }

    private enum NameChange {
        case set(String, Node)
        case rename(String, String, Node)
        case remove(String)

        var folder: String {
            switch self {
            case .set(let name, _), .rename(let name, _, _), .remove(let name): Tree.folder(of: name)
            }
        }
    }

    /// What was not synchronized, one at a time.
    private enum Part: Hashable {
        case name(Int)
        case bytes(file: Int)
        case lastBytes(file: Int)
    }

    private struct Tree {
        var files: [File]
        var names: [String: Node] = [:]
        /// Of the whole disk, in their order.
        var later: [NameChange] = []

        static func folder(of name: String) -> String { name.contains("/") ? Platform.folder(ofFile: name) : "" }

        init(_ found: DiskImage) {
            files = found.sortedFiles.map { File(synchronized: $0.1) }
            for (number, (name, _)) in found.sortedFiles.enumerated() { names[name] = .file(number) }
            for folder in found.folders { names[folder] = .folder }
        }

        mutating func apply(_ operation: RecordingDisk.Operation) {
            switch operation {
            case .create(let name, let file):
                while files.count <= file { files.append(File()) }
                later.append(.set(name, .file(file)))
            case .append(let file, let bytes): files[file].later.append(files[file].newest + bytes)
            case .truncate(let file, let size): files[file].truncate(to: size)
            case .synchronize(let file): files[file].synchronize()
            case .failToSynchronize(let file): files[file].failToSynchronize()
            case .makeFolder(let name): later.append(.set(name, .folder))
            case .rename(let old, let new):
                guard let node = current(old) else { preconditionFailure("\(old) was not made by this disk") }
                later.append(.rename(old, new, node))
            case .remove(let name): later.append(.remove(name))
            case .synchronizeFolder(let folder):
                for change in later where change.folder == folder { Self.apply(change, to: &names) }
                later.removeAll { $0.folder == folder }
            }
        }

        private func current(_ name: String) -> Node? {
            var names = names
            for change in later { Self.apply(change, to: &names) }
            return names[name]
        }

        private static func apply(_ change: NameChange, to names: inout [String: Node]) {
            switch change {
            case .set(let name, let node): names[name] = node
            case .rename(let old, let new, let node):
                names[old] = nil
                names[new] = node
            case .remove(let name): names[name] = nil
            }
        }

        /// The disk with those of the changes that `isThere` names.
        ///
        /// - Parameter torn: The content of a file that is torn.
        func image(torn: (file: Int, content: [UInt8])? = nil, where isThere: (Part) -> Bool) -> DiskImage {
            var names = names
            for (number, change) in later.enumerated() where isThere(.name(number)) { Self.apply(change, to: &names) }
            var image = DiskImage()
            // A folder's name sorts before those in it.
            for (name, node) in names.sorted(by: { $0.key < $1.key }) {
                let folder = Self.folder(of: name)
                guard folder.isEmpty || image.folders.contains(folder) else { continue }
                switch node {
                case .folder: image.folders.insert(name)
                case .file(let number):
                    image.files[name] = torn?.file == number ? torn!.content : content(of: number, isThere)
                }
            }
            return image
        }

        private func content(of number: Int, _ isThere: (Part) -> Bool) -> [UInt8] {
            let file = files[number]
            guard isThere(.bytes(file: number)) else { return file.withoutForgotten(file.synchronized) }
            return isThere(.lastBytes(file: number)) ? file.newest : file.later.dropLast().last ?? file.synchronized
        }

        func images(
            lastWritten: Int?, _ subsets: Int, _ random: inout some RandomNumberGenerator
        ) -> Set<DiskImage> {
            var parts = later.indices.map { Part.name($0) }
            for (number, file) in files.enumerated() where !file.later.isEmpty || file.forgotten != nil {
                parts.append(.bytes(file: number))
            }
            func isWhole(_ part: Part) -> Bool { if case .lastBytes = part { true } else { false } }
            var images: Set = [image { _ in true }, image { isWhole($0) }]
            for part in parts {
                images.insert(image { $0 != part })
                images.insert(image { $0 == part || isWhole($0) })
                if case .bytes(let file) = part { images.insert(image { $0 != .lastBytes(file: file) }) }
            }
            for _ in 0..<subsets {
                let there = Set(parts.filter { _ in Bool.random(using: &random) })
                images.insert(image { there.contains($0) || isWhole($0) })
            }
            guard let lastWritten, let content = files[lastWritten].later.last else { return images }
            let before = files[lastWritten].later.dropLast().last ?? files[lastWritten].synchronized
            for torn in Self.torn(before, content) {
                images.insert(image(torn: (lastWritten, torn)) { _ in true })
                images.insert(image(torn: (lastWritten, torn)) { isWhole($0) })
            }
            return images
        }

        /// What may be left of an append: some of it, or its length with zeros from the border of a sector on.
        private static func torn(_ before: [UInt8], _ content: [UInt8]) -> [[UInt8]] {
            var torn = [(before.count + content.count) / 2, content.count - 1].map { Array(content.prefix($0)) }
            let borders = stride(from: 0, to: content.count, by: sector).filter { $0 >= before.count }
            for border in Set([borders.first, borders.last].compactMap(\.self)) {
                torn.append(content.prefix(border) + [UInt8](repeating: 0, count: content.count - border))
            }
            return torn
        }
    }
}
