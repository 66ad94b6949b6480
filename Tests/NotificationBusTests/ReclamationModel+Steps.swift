extension ReclamationModel {
    /// Lets a thread take its next step; `false` if it has none or must wait.
    mutating func step(_ number: Int) throws -> Bool {
        if threads[number].stack.isEmpty && !begin(number) { return false }
        switch threads[number].stack[threads[number].stack.count - 1] {
        case .enrolling: return enroll(number)
        case .posting(let step): try post(number, step)
        case .cancelling(let step, let observer): return cancel(number, step, observer)
        case .replacing(let channel): replace(number, channel)
        case .settling(let channels): settle(number, channels)
        case .collecting(let collection): return try collect(number, collection)
        case .ending: return end(number)
        }
        return true
    }

    private mutating func begin(_ number: Int) -> Bool {
        guard !isDone(number) else { return false }
        let activity: Activity =
            switch programs[number][threads[number].begun] {
            case .enroll: .enrolling
            case .post: .posting(.loadRack)
            case .cancel(let observer, _): .cancelling(.lock, observer: observer)
            case .replace(let channel): .replacing(channel: channel)
            case .end: .ending
            }
        threads[number].begun += 1
        threads[number].stack = [activity]
        return true
    }

    private mutating func go(_ number: Int, to activity: Activity) {
        threads[number].stack[threads[number].stack.count - 1] = activity
    }

    private mutating func store(_ store: Store, by number: Int) {
        threads[number].buffer.append(store)
    }

    /// The place of a frame as a thread sees it: its own stores before they are written.
    private func place(of record: Int, seenBy number: Int) -> Place {
        for store in threads[number].buffer.reversed() {
            if case .place(record, let place) = store { return place }
        }
        return memory.places[record]
    }

    private func isLive(_ slot: Slot) throws {
        guard generations[slot.address] == slot.generation else {
            throw Violation(what: "a post walks a rack that was freed")
        }
    }

    private func isAlive(_ observer: Int) throws {
        guard !freedObservers.contains(observer) else { throw Violation(what: "an observer is called that was freed") }
    }

    // MARK: - Posting

    /// A thread puts its record into the list, and makes sure that others find it.
    private mutating func enroll(_ number: Int) -> Bool {
        if threads[number].record >= 0 {
            writeAll(of: number)
            threads[number].stack.removeLast()
            return true
        }
        guard listOwner == nil else { return false }
        listOwner = number
        let record = spareRecords.popLast() ?? number
        threads[number].record = record
        store(.next(of: record, memory.first), by: number)
        store(.first(record), by: number)
        store(.unlockList, by: number)
        if fault == .noFenceAfterEnrolling { threads[number].stack.removeLast() }
        return true
    }

    private mutating func post(_ number: Int, _ step: PostStep) throws {
        guard case .post(let channel, let cancelling, let endsInside) = programs[number][threads[number].begun - 1]
        else { return }
        let record =
            fault == .frameOfAnotherThread ? threads.map(\.record).first { $0 >= 0 } ?? -1 : threads[number].record
        func go(_ step: PostStep) { threads[number].stack[0] = .posting(step) }
        switch step {
        case .loadRack:
            go(.announceRack(memory.rack[channel]))
        case .announceRack(let rack):
            store(.place(of: record, Place(address: rack, index: 0)), by: number)
            go(.checkRack(rack))
        case .checkRack(let rack):
            let current = fault == .rackIsNotChecked ? rack : memory.rack[channel]
            let slot = Slot(address: rack, generation: generations[rack])
            go(current == rack ? .announceSlot(slot) : .announceAgain(current))
        case .announceAgain(let rack):
            // An exchange, which is a barrier of its own.
            writeAll(of: number)
            memory.places[record] = Place(address: rack, index: 0)
            go(.payForBeingLate(rack))
        case .payForBeingLate(let rack):
            go(.checkAgain(rack))
            if memory.debts[record] && fault != .onlyOwnChannelIsPaid {
                threads[number].stack.append(.settling(backlog))
            }
        case .checkAgain(let rack):
            let current = memory.rack[channel]
            let slot = Slot(address: rack, generation: generations[rack])
            go(current == rack ? .announceSlot(slot) : .announceAgain(current))
        case .announceSlot(let slot):
            try isLive(slot)
            guard slot.index < observers else { return go(.leave) }
            if fault != .slotsAreNotAnnounced && fault != .slotIsReadBeforeItIsAnnounced {
                store(.place(of: record, slot.place), by: number)
            }
            go(.loadSlot(slot))
        case .loadSlot(let slot):
            try isLive(slot)
            let observer = memory.slots[slot.address][slot.index]
            guard observer >= 0 else { return go(.announceSlot(slot.following)) }
            if cancelled.contains(observer) { throw Violation(what: "a post decides on a call after cancel returned") }
            let isLate = fault == .slotIsReadBeforeItIsAnnounced
            go(isLate ? .announceLate(slot, observer: observer) : .enter(slot, observer: observer))
        case .announceLate(let slot, let observer):
            store(.place(of: record, slot.place), by: number)
            go(.enter(slot, observer: observer))
        case .enter(let slot, let observer):
            try isAlive(observer)
            if awaited.contains(observer) { throw Violation(what: "a call begins after its end was waited for") }
            if cancelled.contains(observer) { hasSeenWindow = true }
            go(.called(slot, observer: observer))
            if let other = cancelling[observer], !cancelled.contains(other) {
                threads[number].stack.append(.cancelling(.lock, observer: other))
            }
        case .called(let slot, let observer):
            try isAlive(observer)
            if endsInside { threads[number].stack[0] = .ending } else { go(.announceSlot(slot.following)) }
        case .leave:
            store(.place(of: record, .nowhere), by: number)
            go(.loadDebt)
        case .loadDebt:
            if memory.debts[record] { go(.clearDebt) } else { threads[number].stack.removeLast() }
        case .clearDebt:
            writeAll(of: number)
            memory.debts[record] = false
            threads[number].stack[0] = .collecting(Collection(channel: channel, step: .lock))
        }
    }

    private mutating func settle(_ number: Int, _ channels: Set<Int>) {
        threads[number].stack.removeLast()
        guard let channel = channels.min() else { return }
        threads[number].stack.append(.settling(channels.subtracting([channel])))
        threads[number].stack.append(.collecting(Collection(channel: channel, step: .lock)))
    }

    /// The end of a thread: its frame is cleared, its debt paid, and its record taken out of the list.
    private mutating func end(_ number: Int) -> Bool {
        guard listOwner == nil else { return false }
        writeAll(of: number)
        let record = threads[number].record
        if fault != .endedThreadStaysInPlace {
            let place = memory.places[record]
            memory.places[record] = .nowhere
            if memory.debts[record] {
                memory.debts[record] = false
                let owed = backlog.filter {
                    fault != .endedThreadPaysForItsLastCall || isWaitedFor(place, in: channels[$0])
                }
                threads[number].stack.append(.settling(owed))
                return true
            }
        }
        if memory.first == record { memory.first = memory.next[record] }
        for other in memory.next.indices where memory.next[other] == record {
            if memory.first == other || isInList(other) { memory.next[other] = memory.next[record] }
        }
        if fault == .leftRecordLeadsNowhere { memory.next[record] = -1 }
        spareRecords.append(record)
        threads[number].record = -1
        threads[number].stack.removeLast()
        return true
    }

    private func isInList(_ record: Int) -> Bool {
        var listed = memory.first
        while listed >= 0 {
            if listed == record { return true }
            listed = memory.next[listed]
        }
        return false
    }

    // MARK: - Cancelling and replacing

    private mutating func cancel(_ number: Int, _ step: CancelStep, _ observer: Int) -> Bool {
        let channel = observer / observers
        switch step {
        case .lock:
            guard channels[channel].owner == nil else { return false }
            channels[channel].owner = number
            go(number, to: .cancelling(.bury, observer: observer))
        case .bury:
            // An exchange, which is a barrier for the thread itself.
            writeAll(of: number)
            let racks = [memory.rack[channel]] + (fault == .retiredRacksAreForgotten ? [] : channels[channel].retired)
            var slots: [Slot] = []
            for rack in racks {
                for index in memory.slots[rack].indices where memory.slots[rack][index] == observer {
                    memory.slots[rack][index] = -1
                    slots.append(Slot(address: rack, generation: generations[rack], index: index))
                }
            }
            if !slots.isEmpty { channels[channel].departures[observer] = slots }
            go(number, to: .cancelling(.collected, observer: observer))
            threads[number].stack.append(
                .collecting(Collection(channel: channel, step: .barrier, retired: channels[channel].retired)))
        case .collected:
            cancelled.insert(observer)
            if case .cancel(_, waits: true) = programs[number][threads[number].begun - 1] {
                go(number, to: .cancelling(.waiting, observer: observer))
            } else {
                threads[number].stack.removeLast()
            }
        case .waiting:
            let places = (channels[channel].departures[observer] ?? []).map(\.place)
            guard !memory.places.contains(where: places.contains) else { return false }
            awaited.insert(observer)
            threads[number].stack.removeLast()
        }
        return true
    }

    private mutating func replace(_ number: Int, _ channel: Int) {
        threads[number].stack.removeLast()
        guard let rack = freeAddresses.popLast() else { return }
        memory.slots[rack] = memory.slots[memory.rack[channel]]
        channels[channel].retired.append(memory.rack[channel])
        memory.rack[channel] = rack
        threads[number].stack.append(.collecting(Collection(channel: channel, step: .lock)))
    }

    // MARK: - Collecting

    /// A barrier on all threads, or only the thread's own if the list names no other thread.
    private mutating func barrier(by number: Int) {
        writeAll(of: number)
        let own = threads[number].record
        guard memory.first >= 0, memory.first != own || memory.next[own] >= 0 else { return }
        for other in threads.indices { writeAll(of: other) }
    }

    private func isWaitedFor(_ place: Place, in channel: Channel, _ retired: [Int]? = nil) -> Bool {
        (retired ?? channel.retired).contains(place.address)
            || channel.departures.values.joined().contains { $0.place == place }
    }

    private mutating func collect(_ number: Int, _ collection: Collection) throws -> Bool {
        let channel = collection.channel
        var next = collection
        switch collection.step {
        case .lock:
            guard channels[channel].owner == nil else { return false }
            channels[channel].owner = number
            next.retired = channels[channel].retired
            next.step = .barrier
        case .barrier:
            if fault != .noBarrierAfterBurying { barrier(by: number) }
            next.step = .start
        case .start:
            next.step = memory.first >= 0 ? .look(memory.first) : .decide
        case .look(let record):
            let place = place(of: record, seenBy: number)
            if isWaitedFor(place, in: channels[channel], collection.retired) { next.found.append(record) }
            if memory.next[record] >= 0 {
                next.step = .look(memory.next[record])
            } else if next.found.isEmpty {
                next.step = .decide
            } else {
                backlog.insert(channel)
                if fault != .noDebt { for record in next.found { store(.debt(of: record, true), by: number) } }
                next.step = .secondBarrier
            }
        case .secondBarrier:
            if fault != .noBarrierAfterDebt { barrier(by: number) }
            next.step = .decide
        case .decide:
            try decide(number, collection)
            return true
        }
        go(number, to: .collecting(next))
        return true
    }

    private mutating func decide(_ number: Int, _ collection: Collection) throws {
        let channel = collection.channel
        let told = collection.found.filter {
            memory.debts[$0] || fault == .noDebt || fault == .noBarrierAfterDebt || fault == .noSecondLook
        }
        // Where a frame was seen at first does not matter any more, unless nobody looks again.
        let isBlind = fault == .noSecondLook && !told.isEmpty
        let places = told.map { place(of: $0, seenBy: number) }
        for (observer, slots) in channels[channel].departures {
            let holding = slots.filter { places.contains($0.place) }
            guard holding.allSatisfy({ generations[$0.address] == $0.generation }) else {
                throw Violation(what: "a cancellation waits for a post in a rack that has the address of another")
            }
            guard !isBlind && holding.isEmpty else { continue }
            channels[channel].departures[observer] = nil
            freedObservers.insert(observer)
            for thread in threads {
                for case .posting(.called(_, observer)) in thread.stack {
                    throw Violation(what: "an observer is freed while it is called")
                }
            }
        }
        for rack in fault == .laterRacksAreFreedToo ? channels[channel].retired : collection.retired {
            guard !isBlind, !places.contains(where: { $0.address == rack }) else { continue }
            channels[channel].retired.removeAll { $0 == rack }
            generations[rack] += 1
            freeAddresses.append(rack)
            guard fault != .slotsOfFreedRacksAreKept else { continue }
            for observer in channels[channel].departures.keys {
                channels[channel].departures[observer]?.removeAll { $0.address == rack }
            }
        }
        if channels[channel].departures.isEmpty && channels[channel].retired.isEmpty { backlog.remove(channel) }
        channels[channel].owner = nil
        threads[number].stack.removeLast()
    }
}
