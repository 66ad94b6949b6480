func f(_ handlers: [(inout Int) -> Void]) {
    var c = 1
    for h in handlers { h(&c) }
    c += 1
}
