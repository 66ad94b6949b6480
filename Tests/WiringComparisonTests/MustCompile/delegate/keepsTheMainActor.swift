protocol Observer: AnyObject { func sold(_ c: Int) }
@MainActor final class D: @MainActor Observer {
    var cups = 0
    func sold(_ c: Int) { cups += c }
}
