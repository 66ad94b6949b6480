final class Cup { var full = true }
@Observable final class S { var cup: Cup? = nil }
