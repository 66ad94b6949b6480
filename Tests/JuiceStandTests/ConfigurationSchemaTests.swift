import JuiceStand
import Platform
import Testing

/// `scripts/end-to-end` holds configurations against the schema.
struct ConfigurationSchemaTests {
    @Test func `the schema in config is the one that the program prints`() throws {
        let root = "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")
        let file = String(decoding: try readFile("/\(root)/config/stand.schema.json"), as: UTF8.self)
        #expect(
            file == ConfigurationSchema.document.pretty() + "\n",
            "juicestand check-config --format schema > config/stand.schema.json writes it anew")
    }

    @Test func `a configuration may name its schema, which changes nothing`() throws {
        let plain = try settings(#"{"makers": 3}"#)
        let named = try settings(##"{"$schema": "https://example.org/stand.schema.json", "makers": 3}"##)
        #expect(named == plain && named.fingerprint == plain.fingerprint)
        #expect(named.resolved() == plain.resolved())
        expectProblems(##"{"$schema": ▸1}"##, ["$schema: must be a string without control characters, found 1"])
        expectProblems(##"{▸"schema": "x"}"##, [##"schema: unknown key; did you mean "$schema"?"##])
    }
}
