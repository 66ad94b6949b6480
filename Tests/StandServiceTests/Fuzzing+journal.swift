import JuiceStand
import StandState

// What must be true of any bytes that are found where a journal was written. Asked by the tests of the package, and by
// `scripts/soak fuzz`.

/// Stops the program if reading `bytes` breaks a promise.
///
/// The bytes are read as they are, and their lines once more as records with the right checksum, which a random change
/// never keeps.
func checkJournal(_ bytes: [UInt8]) {
    checkRead(bytes)
    var journal = Journal.header(generation: 7)
    for text in bytes.split(separator: UInt8(ascii: "\n")) {
        let line = ChecksummedLine.bytes(Array(text))
        journal += line
        guard let record = JournalRecord(text) else { continue }
        let again = ChecksummedLine.text(record.line.dropLast()[...]).flatMap(JournalRecord.init)
        precondition(again == record, "what was read is not read again")
    }
    checkRead(journal)
    // A crash within the last line.
    checkRead(Array(journal.dropLast(3)))
}

private func checkRead(_ bytes: [UInt8]) {
    let journal = Journal(bytes, generation: 7, source: "journal")
    precondition(journal.length >= 0 && journal.length + journal.tail == bytes.count, "bytes are missing")
    precondition(journal.length == 0 || bytes[journal.length - 1] == UInt8(ascii: "\n"), "a line is cut")
    if let damage = journal.damage { precondition(!"\(damage)".isEmpty, "a refusal says nothing") }
    let whole = Journal(Array(bytes[..<journal.length]), generation: 7, source: "journal")
    precondition(whole.records == journal.records && whole.tail == 0, "without its tail something else is read")
    precondition(whole.damage == nil, "the lines before the damage are damaged")
}
