@Observable final class Stand {
    var cups = 0
    func sell() { cups += 1 }
}
