/// Size limits of a request. A larger request is refused before it is buffered.
package struct HTTPLimits: Sendable {
    /// Bytes of the request line, without its line end.
    package var requestLine = 8192
    /// Bytes of one field line.
    package var field = 8192
    /// Bytes of request line and fields together. Trailers have the same limit of their own.
    package var head = 32_768
    /// Number of fields. Trailers have the same limit of their own.
    package var fields = 100
    /// Bytes of content.
    package var content = 65_536
    /// Bytes of all chunk extensions of a request.
    package var chunkExtensions = 1024

    package init() {}
}
