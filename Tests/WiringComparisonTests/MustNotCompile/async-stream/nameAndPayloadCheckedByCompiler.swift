struct Sold { var cups = 1 }
func f(_ c: AsyncStream<Sold>.Continuation) { c.yield(Slod()) }
// error: cannot find 'Slod' in scope
func g(_ c: AsyncStream<Sold>) async { for await x in c { print(x.cusp) } }
// error: value of type 'Sold' has no member 'cusp'
