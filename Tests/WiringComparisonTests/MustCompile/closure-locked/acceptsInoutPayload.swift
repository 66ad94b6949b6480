func f(_ handlers: [@Sendable (inout Int) -> Void]) {
    var c = 1
    for h in handlers { h(&c) }
    c += 1
}
