@Observable final class Till { var cups = 0 }

func f(_ till: Till) -> Int {
    till.cups = 1
}
// error: missing return in instance method expected to return 'Int'
