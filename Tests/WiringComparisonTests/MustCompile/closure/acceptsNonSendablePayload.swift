final class Cup { var full = true }
func f(_ handlers: [(Cup) -> Void], _ c: Cup) {
    { for handler in handlers { handler(c) } }()
    _ = c
}
