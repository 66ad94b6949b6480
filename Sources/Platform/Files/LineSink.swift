/// Receives lines in order.
package protocol LineSink: AnyObject, Sendable {
    /// Writes whole lines.
    ///
    /// A caller may hold locks, so a sink calls nothing of its caller. It counts and reports lines that it can't write.
    func write(_ lines: RawSpan)
}

extension LineSink {
    package func write(_ text: String) {
        let bytes = Array(text.utf8)
        unsafe write(bytes.span.bytes)
    }
}
