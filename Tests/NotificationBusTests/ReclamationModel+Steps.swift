extension ReclamationModel {
    /// Lets a thread take its next step; `false` where it has none or must wait.
    mutating func step(_ number: Int) throws -> Bool {
        guard let activity = threads[number].stack.last else { return false }
        switch activity {
        case .posting(let step, let left): return try post(number, step, left)
        case .cancelling(let step, let observer): return cancel(number, step, observer)
        case .replacing(let locked): return replace(number, locked)
        case .collecting(let collection):
            try collect(number, collection)
            return true
        }
    }

    private mutating func go(_ number: Int, to activity: Activity) {
        threads[number].stack[threads[number].stack.count - 1] = activity
    }

    private mutating func lock(_ number: Int) -> Bool {
        guard lockOwner == nil else { return false }
        lockOwner = number
        return true
    }

    // MARK: - Posting

    private mutating func post(_ number: Int, _ step: PostStep, _ left: Int) throws -> Bool {
        switch step {
        case .loadRack:
            go(number, to: .posting(.announceRack(memory.rack), left: left))
        case .announceRack(let rack):
            threads[number].buffer.append(.frame(.rack(rack)))
            go(number, to: .posting(.checkRack(rack), left: left))
        case .checkRack(let rack):
            let isCurrent = memory.rack == rack || fault == .rackIsNotChecked
            go(number, to: .posting(isCurrent ? .announceSlot(rack, 0) : .announceRack(memory.rack), left: left))
        case .announceSlot(let rack, let index):
            if freedRacks.contains(rack) { throw Violation(what: "a post walks a rack that was freed") }
            guard index < Self.observers else {
                go(number, to: .posting(.leave, left: left))
                return true
            }
            if fault != .slotsAreNotAnnounced { threads[number].buffer.append(.frame(.slot(rack, index))) }
            go(number, to: .posting(.loadSlot(rack, index), left: left))
        case .loadSlot(let rack, let index):
            if freedRacks.contains(rack) { throw Violation(what: "a post walks a rack that was freed") }
            let observer = memory.slots[rack][index]
            guard observer >= 0 else {
                go(number, to: .posting(.announceSlot(rack, index + 1), left: left))
                return true
            }
            if cancelReturned.contains(observer) {
                throw Violation(what: "a post decides on a call after cancel returned")
            }
            try checkAlive(observer)
            go(number, to: .posting(.called(rack, index, observer: observer), left: left))
            if case .post(_, let cancelling) = roles[number], let other = cancelling[observer], !buried.contains(other)
            {
                threads[number].stack.append(.cancelling(.lock, observer: other))
            }
        case .called(let rack, let index, let observer):
            try checkAlive(observer)
            go(number, to: .posting(.announceSlot(rack, index + 1), left: left))
        case .leave:
            threads[number].buffer.append(.frame(.nowhere))
            go(number, to: .posting(.loadDebt, left: left))
        case .loadDebt:
            go(number, to: .posting(memory.debts[number] ? .clearDebt : .settle, left: left))
            if !memory.debts[number] { endPost(number, left) }
        case .clearDebt:
            threads[number].buffer.append(.debt(of: number, false))
            go(number, to: .posting(.settle, left: left))
        case .settle:
            guard lock(number) else { return false }
            endPost(number, left)
            threads[number].stack.append(.collecting(Collection(items: waiting)))
        }
        return true
    }

    private mutating func endPost(_ number: Int, _ left: Int) {
        if left > 1 { go(number, to: .posting(.loadRack, left: left - 1)) } else { threads[number].stack.removeLast() }
    }

    private func checkAlive(_ observer: Int) throws {
        if freedObservers.contains(observer) { throw Violation(what: "an observer is called that was freed") }
    }

    // MARK: - Cancelling and replacing

    private mutating func cancel(_ number: Int, _ step: CancelStep, _ observer: Int) -> Bool {
        switch step {
        case .lock:
            guard lock(number) else { return false }
            go(number, to: .cancelling(.bury, observer: observer))
        case .bury:
            if buried.insert(observer).inserted {
                // Exchanging is a barrier for the thread itself.
                while !threads[number].buffer.isEmpty { writeOwn(number) }
                let racks = fault == .retiredRacksAreForgotten ? [memory.rack] : [memory.rack] + retired
                for rack in racks { memory.slots[rack][observer] = -1 }
                leaving.append(observer)
            }
            go(number, to: .cancelling(.collected, observer: observer))
            threads[number].stack.append(.collecting(Collection(items: waiting)))
        case .collected:
            cancelReturned.insert(observer)
            threads[number].stack.removeLast()
        }
        return true
    }

    private mutating func replace(_ number: Int, _ locked: Bool) -> Bool {
        guard locked else {
            guard lock(number) else { return false }
            go(number, to: .replacing(locked: true))
            return true
        }
        threads[number].stack.removeLast()
        let rack = nextRack
        nextRack += 1
        memory.slots[rack] = memory.slots[memory.rack]
        retired.append(memory.rack)
        memory.rack = rack
        threads[number].stack.append(.collecting(Collection(items: waiting)))
        return true
    }

    private mutating func writeOwn(_ number: Int) {
        switch threads[number].buffer.removeFirst() {
        case .frame(let place): memory.frames[number] = place
        case .debt(let thread, let value): memory.debts[thread] = value
        }
    }

    // MARK: - Collecting

    private var waiting: [Item] { retired.map { .rack($0) } + leaving.map { .observer($0) } }

    private mutating func collect(_ number: Int, _ collection: Collection) throws {
        var next = collection
        switch collection.step {
        case .barrier:
            if fault != .noBarrierAfterBurying { writeAll() }
            next.step = .look(0)
        case .look(let other):
            guard let item = collection.items.first else {
                lockOwner = nil
                threads[number].stack.removeLast()
                return
            }
            guard other < threads.count else {
                next.step = collection.found ? .secondBarrier : .decide
                break
            }
            if isIn(frame(other, seenBy: number), item) {
                next.found = true
                if fault != .noDebt { threads[number].buffer.append(.debt(of: other, true)) }
            }
            next.step = .look(other + 1)
        case .secondBarrier:
            if fault != .noBarrierAfterDebt { writeAll() }
            if fault == .noSecondLook { next.held = true }
            next.step = fault == .noSecondLook ? .decide : .lookAgain(0)
        case .lookAgain(let other):
            guard other < threads.count else {
                next.step = .decide
                break
            }
            let isTold = memory.debts[other] || fault == .noDebt || fault == .noBarrierAfterDebt
            if isIn(frame(other, seenBy: number), collection.items[0]) && isTold { next.held = true }
            next.step = .lookAgain(other + 1)
        case .decide:
            if !collection.held { try free(collection.items[0]) }
            next = Collection(step: .look(0), items: Array(collection.items.dropFirst()))
        }
        go(number, to: .collecting(next))
    }

    /// A thread sees its own stores before they are written.
    private func frame(_ other: Int, seenBy number: Int) -> Place {
        if other == number {
            for store in threads[number].buffer.reversed() {
                if case .frame(let place) = store { return place }
            }
        }
        return memory.frames[other]
    }

    private func isIn(_ place: Place, _ item: Item) -> Bool {
        switch (place, item) {
        case (.rack(let rack), .rack(let other)): rack == other
        case (.slot(let rack, _), .rack(let other)): rack == other
        case (.slot(_, let index), .observer(let observer)): index == observer
        default: false
        }
    }

    private mutating func free(_ item: Item) throws {
        switch item {
        case .rack(let rack):
            retired.removeAll { $0 == rack }
            freedRacks.insert(rack)
        case .observer(let observer):
            leaving.removeAll { $0 == observer }
            freedObservers.insert(observer)
            for thread in threads {
                for case .posting(.called(_, _, observer), _) in thread.stack {
                    throw Violation(what: "an observer is freed while it is called")
                }
            }
        }
    }
}
