// The parser under libFuzzer: any bytes, given whole and in pieces, must mean the same, and what was read must be read again
// from the bytes it would be written as. `scripts/fuzz` compiles this together with the parser's own files.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    checkHTTP(Array(unsafe UnsafeBufferPointer(start: start, count: count)))
    return 0
}
