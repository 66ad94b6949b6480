@Observable final class Till { var cups = 0 }

func f(_ till: Till) -> [Bool] {
    till.cups = 1
}
// error: missing return in instance method expected to return '[Bool]'
