// The reader of a configuration under libFuzzer. `scripts/fuzz` compiles this together with what the test suite asks of the reader.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    checkConfiguration(Array(unsafe UnsafeBufferPointer(start: start, count: count)))
    return 0
}
