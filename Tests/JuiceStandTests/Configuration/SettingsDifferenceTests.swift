import JuiceStand
import Testing

@Test(arguments: [
    ("arrivals", #"{"renewal": 5}"#), ("party", "2"), ("cups", "3"), ("patience", "60"), ("whenSoldOut", #""wait""#),
])
func `every setting of customers can change while the stand is open`(key: String, value: String) throws {
    let new = try settings(#"{"customers": {"\#(key)": \#(value)}}"#)
    let difference = SettingsDifference(from: try settings("{}"), to: new)
    #expect(difference.changes.map(\.key) == ["customers.\(key)"])
    #expect(difference.obstacles == [])
}

@Test(arguments: [
    ("fruits.kiwi.initial", "3", "only counts at the opening; change the stock by hand"),
    ("fruits.kiwi.costs.order", "2", "costs are reckoned over the whole time that the stand is open"),
    ("fruits.kiwi.shelfLife", "60", "fruit can't begin or cease to spoil while the stand is open"),
    ("menu.kiwi juice.recipe.kiwi", "2", "a recipe can't change while the stand is open"),
    ("seed", "2", "is fixed when the stand opens"), ("currency", #""JPY""#, "is fixed when the stand opens"),
])
func `a setting that can't change is named with the reason`(key: String, value: String, reason: String) throws {
    let text = #"{"fruits": {"kiwi": {}}, "menu": {"kiwi juice": {"recipe": {"kiwi": 1}}}}"#
    let new = try StandConfiguration(
        Array(text.utf8), source: "test", overrides: [.init(source: "--set", keyPath: key, value: value)]
    ).settings
    let difference = SettingsDifference(from: try settings(text), to: new)
    #expect(difference.changes == [])
    #expect(difference.obstacles == ["\(key): \(reason)"])
}
