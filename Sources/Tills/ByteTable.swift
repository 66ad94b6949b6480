/// Remembers a value for each text, by its bytes: much faster than a dictionary of strings that must be made first.
struct ByteTable<Value> {
    private var texts: [[UInt8]] = []
    private var values: [Value] = []
    /// The indices of texts by their hash; -1 for a free slot.
    private var slots = [Int32](repeating: -1, count: 64)

    /// The value of a text; `make` gives it the first time.
    mutating func value(of text: ArraySlice<UInt8>, _ make: (_ count: Int) -> Value) -> Value {
        let slot = slot(of: text)
        if slots[slot] >= 0 { return values[Int(slots[slot])] }
        let value = make(texts.count)
        slots[slot] = Int32(texts.count)
        texts.append(Array(text))
        values.append(value)
        if texts.count * 2 > slots.count {
            slots = [Int32](repeating: -1, count: slots.count * 4)
            for (index, text) in texts.enumerated() { slots[self.slot(of: text[...])] = Int32(index) }
        }
        return value
    }

    /// The slot that has the text, or the free one for it.
    private func slot(of text: ArraySlice<UInt8>) -> Int {
        // FNV-1a
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0, !texts[Int(slots[slot])].elementsEqual(text) { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }
}
