struct CupsLeft: TypedQuestion { typealias Answer = Int }

func f(_ center: TypedNotificationCenter) throws -> Int { try center.ask(CupsLeft()) }
