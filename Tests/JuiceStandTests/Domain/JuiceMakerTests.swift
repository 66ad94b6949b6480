import JuiceStand
import Testing

private func levels(_ maker: JuiceMaker) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: StandardFruit.allCases.map { ($0.rawValue, maker.stock(of: Fruit($0)) ?? -1) })
}

private func tenOfEach() -> JuiceMaker { JuiceMaker(store: FruitStore(stockQuantity: 10)) }

// MARK: - The original exercise

@Test func `with ten of each fruit, banana juice leaves eight bananas`() throws {
    var maker = tenOfEach()
    let juice = try maker.make("banana juice")
    #expect(maker.menu.name(of: juice) == "banana juice")
    #expect(levels(maker) == ["strawberry": 10, "banana": 8, "kiwi": 10, "pineapple": 10, "mango": 10])
}

@Test func `with ten of each fruit, strawberry juice is refused and nothing is taken`() {
    var maker = tenOfEach()
    #expect(throws: OrderError.soldOut(juice: "strawberry juice", fruit: "strawberry", missing: 6)) {
        try maker.make("strawberry juice")
    }
    #expect(levels(maker) == levels(tenOfEach()))
}

@Test func `strawberry banana juice takes ten and one, and the next is refused with the banana untouched`() throws {
    var maker = tenOfEach()
    try maker.make("strawberry banana juice")
    #expect(levels(maker) == ["strawberry": 0, "banana": 9, "kiwi": 10, "pineapple": 10, "mango": 10])
    #expect(throws: OrderError.soldOut(juice: "strawberry banana juice", fruit: "strawberry", missing: 10)) {
        try maker.make("strawberry banana juice")
    }
    #expect(maker.stock(of: Fruit(.banana)) == 9)
}

@Test func `an order takes all of its fruit or none`() throws {
    var maker = tenOfEach()
    try maker.make("mango kiwi juice", cups: 5)
    #expect(levels(maker) == ["strawberry": 10, "banana": 10, "kiwi": 5, "pineapple": 10, "mango": 0])
    #expect(throws: OrderError.soldOut(juice: "mango kiwi juice", fruit: "mango", missing: 2)) {
        try maker.make("mango kiwi juice")
    }
    #expect(throws: OrderError.soldOut(juice: "kiwi juice", fruit: "kiwi", missing: 1)) {
        try maker.make("kiwi juice", cups: 2)
    }
    #expect(levels(maker) == ["strawberry": 10, "banana": 10, "kiwi": 5, "pineapple": 10, "mango": 0])
}

@Test func `a juice that is not on the menu has its own error`() {
    var maker = tenOfEach()
    #expect(throws: OrderError.notOnMenu(name: "grape juice")) { try maker.make("grape juice") }
    #expect(throws: OrderError.notOnMenu(name: "Banana Juice")) { try maker.make("Banana Juice") }
    #expect(levels(maker) == levels(tenOfEach()))
}

@Test(arguments: [
    (OrderError.notOnMenu(name: "grape juice"), #""grape juice" is not on the menu"#),
    (
        .soldOut(juice: "strawberry juice", fruit: "strawberry", missing: 6),
        "strawberry juice is sold out: 6 more strawberry needed"
    ),
])
func `an order error reads as one sentence`(error: OrderError, sentence: String) {
    #expect("\(error)" == sentence)
}

// MARK: - Looking before taking

@Test func `canMake and cups(of:) change nothing`() throws {
    let maker = tenOfEach()
    let menu = maker.menu
    let cups = Dictionary(uniqueKeysWithValues: menu.allJuices.map { (menu.name(of: $0), maker.cups(of: $0)) })
    #expect(
        cups == [
            "strawberry juice": 0, "banana juice": 5, "kiwi juice": 3, "pineapple juice": 5,
            "strawberry banana juice": 1,
            "mango juice": 3, "mango kiwi juice": 5,
        ])
    for juice in menu.allJuices {
        let most = maker.cups(of: juice)
        #expect(most == 0 || maker.canMake(juice, cups: most))
        #expect(!maker.canMake(juice, cups: most + 1))
        #expect(maker.shortage(for: juice, cups: most + 1) != nil)
        #expect((maker.shortage(for: juice) == nil) == maker.canMake(juice))
    }
    #expect(levels(maker) == levels(tenOfEach()))
}
