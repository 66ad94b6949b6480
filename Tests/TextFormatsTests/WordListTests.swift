import Testing
import TextFormats

@Test(arguments: WordList.allCases)
func `every list has its words once`(list: WordList) {
    #expect(!list.list.isEmpty)
    #expect(Set(list.list).count == list.list.count)
}

@Test func `words are in lower case, as the texts with which they are compared`() {
    let formats: [WordList] = [.date, .dateBeforeYear, .gap, .time, .timeBehindDate]
    for list in WordList.allCases where !formats.contains(list) {
        for word in list.list { #expect(word == word.lowercased()) }
    }
}
