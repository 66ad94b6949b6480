final class Stand {
    let display: Display
    // error: cannot find type 'Display' in scope
    init(_ d: Display) { display = d }
    // error: cannot find type 'Display' in scope
    func sell() { display.sold(1) }
}
