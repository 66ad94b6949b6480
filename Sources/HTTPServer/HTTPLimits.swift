/// How much of what a client may send; what is beyond is refused before it is kept.
package struct HTTPLimits: Sendable {
    /// Bytes of a request line, without its end.
    package var requestLine = 8192
    /// Bytes of one field's line.
    package var field = 8192
    /// Bytes of request line and fields together; trailers have as much again.
    package var head = 32_768
    /// Number of fields; trailers have as many again.
    package var fields = 100
    /// Bytes of content.
    package var content = 65_536
    /// Bytes of all chunk extensions of a message.
    package var chunkExtensions = 1024

    package init() {}
}
