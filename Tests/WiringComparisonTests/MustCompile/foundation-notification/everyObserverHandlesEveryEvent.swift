func f(_ c: NotificationCenter) -> [Any] {
    [
        c.addObserver(forName: .init("sold"), object: nil, queue: nil) { print($0) }
    ]
}
