import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// A page as a strict reader sees it: elements, attributes and texts.
final class PageReading: NSObject, XMLParserDelegate {
    struct Element {
        var name: String
        var attributes: [String: String]
        /// Of the element and all within it.
        var text = ""
        /// Places of those that are directly within it.
        var children: [Int] = []
    }

    /// In the order in which they begin.
    private(set) var elements: [Element] = []
    private var open: [Int] = []

    /// - Returns: nil unless the page is well-formed.
    init?(_ source: String) {
        super.init()
        let parser = XMLParser(data: Data(source.utf8))
        parser.delegate = self
        guard parser.parse() else { return nil }
    }

    func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

    func children(of element: Element) -> [Element] { element.children.map { elements[$0] } }

    /// The rows of the table of that caption, each with the texts of its cells; nil where there is none.
    func table(_ caption: String) -> [[String]]? {
        guard let place = elements.firstIndex(where: { $0.name == "caption" && $0.text == caption }) else { return nil }
        guard let table = elements[..<place].last(where: { $0.name == "table" }) else { return nil }
        return children(of: table).flatMap(children).filter { $0.name == "tr" }.map { children(of: $0).map(\.text) }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        if let parent = open.last { elements[parent].children.append(elements.count) }
        open.append(elements.count)
        elements.append(Element(name: name, attributes: attributes))
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        for place in open { elements[place].text += text }
    }
}
