final class Till { var cups = 0 { didSet { print("nobody observes") } } }

func f(_ till: Till) { till.cups = 1 }
