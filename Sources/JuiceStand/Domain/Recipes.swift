/// All recipes in one array of ingredients, so that the hot path reads no array of a single juice.
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

    /// The positions of the ingredients of `juice`. For the hot path: a slice would retain the array.
    @inline(__always)
    func places(of juice: Juice) -> Range<Int> { places[juice.index] }

    @inline(__always)
    subscript(place: Int) -> Ingredient { ingredients[place] }
}
