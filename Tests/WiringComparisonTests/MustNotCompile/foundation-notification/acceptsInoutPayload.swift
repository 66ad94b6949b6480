func f(_ c: NotificationCenter) -> Any {
    c.addObserver(forName: .init("sold"), object: nil, queue: nil) { note in
        note.userInfo?["cups"] = 2
        // error: cannot assign through subscript: 'note' is a 'let' constant
    }
}
