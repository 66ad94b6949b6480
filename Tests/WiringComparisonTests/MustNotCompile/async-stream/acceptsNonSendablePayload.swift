final class Cup { var full = true }
func f(_ streams: [AsyncStream<Cup>.Continuation], _ c: Cup) { for stream in streams { stream.yield(c) } }
// error: sending 'c' risks causing data races
