final class MulticastTill {
    private final class Box {
        weak var delegate: (any TillDelegate)?
        init(_ delegate: any TillDelegate) { self.delegate = delegate }
    }

    private var boxes: [Box] = []

    func post(_ sale: Sale) { for box in boxes { box.delegate?.sold(sale) } }
    func add(_ delegate: any TillDelegate) { boxes.append(Box(delegate)) }
    func remove(_ delegate: any TillDelegate) {
        boxes.removeAll { $0.delegate == nil || $0.delegate === delegate }
    }
}

// MARK: - In the comparison

extension MulticastTill: Idiom {
    func observe(_ display: Display) -> ObjectIdentifier {
        add(display)
        return ObjectIdentifier(display)
    }

    func cancel(_ key: ObjectIdentifier) {
        let delegate = boxes.lazy.compactMap(\.delegate).first { ObjectIdentifier($0) == key }
        if let delegate { remove(delegate) }
    }

    func observeAndCancel(_ display: Display, _ count: Int) {
        for _ in 0..<count {
            add(display)
            remove(display)
        }
    }

    var holdsWeakly: Bool { true }
    var isHeard: Bool? { boxes.contains { $0.delegate != nil } }
    var observersListed: [String]? { boxes.compactMap(\.delegate).map { "\(type(of: $0))" } }
}

extension Profile {
    static let multicastDelegate = Profile(
        choice: .multicastDelegate, file: "MulticastTill.swift",
        configuration: "an array of boxes with a weak delegate each",
        advice: Advice(
            "several, held weakly", (.observerCanBeHeldWeakly, true), (.reachesManyObservers, true)),
        plain: Form { _ in MulticastTill() }, exceptions: [.oneThread],
        grounds: [
            .loop, .throwing, .weak, .copy,
            Reason("the poster has the list", .unheardPostIsNoticed, .observersCanBeListed),
        ],
        refuted: [.noLock], compilesLike: .delegate)
}
