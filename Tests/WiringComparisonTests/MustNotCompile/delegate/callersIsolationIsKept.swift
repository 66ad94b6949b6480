protocol Observer: AnyObject { func sold(_ c: Int) }
actor D: Observer {
    // error: conformance of 'D' to protocol 'Observer' crosses into actor-isolated code and can cause data races
    var cups = 0
    func sold(_ c: Int) { cups += c }
}
