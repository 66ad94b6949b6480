/// Recipes by juice, all ingredients in one array, so that the hot path never touches a juice's own.
package struct Recipes: Sendable {
    private let ingredients: [Ingredient]
    private let places: [Range<Int>]

    init(_ recipes: [[Ingredient]]) {
        ingredients = recipes.flatMap { $0 }
        var end = 0
        places = recipes.map { recipe in
            end += recipe.count
            return end - recipe.count..<end
        }
    }

    @inline(__always)
    subscript(juice: Juice) -> ArraySlice<Ingredient> { ingredients[places[juice.index]] }

    /// Where the ingredients of `juice` are: for the hot path, to which a slice is too much.
    @inline(__always)
    func places(of juice: Juice) -> Range<Int> { places[juice.index] }

    @inline(__always)
    subscript(place: Int) -> Ingredient { ingredients[place] }
}
