import HTTPServer
import JuiceStand
import StandClient
import StandState
import TextFormats

extension HTTPResponse {
    init(_ status: HTTPStatus = .ok, json: JSONValue) {
        self.init(status, type: "application/json", content: Array((json.compact() + "\n").utf8))
    }

    init(_ document: some Document, _ status: HTTPStatus = .ok) { self.init(status, json: document.json) }

    init(_ type: ProblemType, _ reason: String) { self.init(ProblemDocument(type, reason)) }

    init(_ problem: ProblemDocument) {
        let status = HTTPStatus.allCases.first { $0.code == problem.status } ?? .internalServerError
        self.init(status, type: "application/problem+json", content: Array(problem.json.compact().utf8))
    }
}

extension ControlError {
    var problem: ProblemDocument {
        func problem(_ type: ProblemType) -> ProblemDocument { ProblemDocument(type, "\(self)") }
        return switch self {
        case .notOnMenu(_, let nearest): problem(.notOnMenu).with(\.nearest, nearest)
        case .unknownFruit(_, let nearest): problem(.unknownFruit).with(\.nearest, nearest)
        case .wouldBeNegative(let fruit, let by): problem(.notEnoughFruit).with(\.fruit, fruit).with(\.by, by)
        case .doesNotFit(let fruit, let by): problem(.shelfFull).with(\.fruit, fruit).with(\.by, by)
        case .isUnlimited(let fruit): problem(.unlimitedFruit).with(\.fruit, fruit)
        case .tagMismatch(let current): problem(.stockEdited).with(\.editTag, current)
        case .invalid: problem(.invalidValue)
        case .keyReused: problem(.keyReused)
        case .badConfiguration(let problems): problem(.badConfiguration).with(\.problems, problems)
        case .cannotChange(let keys): problem(.fixedSetting).with(\.problems, keys)
        case .diskFailing: problem(.diskFailing)
        case .inDoubt: problem(.inDoubt)
        case .closed: problem(.closed)
        case .stopping: problem(.stopping)
        }
    }
}

extension OrderAnswer {
    /// Why the order was lost: a conflict with the state of the stand. nil if it was placed.
    func problem(wish: String) -> ProblemDocument? {
        switch outcome {
        case .placed: nil
        case .soldOut(let fruit, let missing, let instead):
            ProblemDocument(.soldOut, "not enough fruit for \(wish): \(missing) more \(fruit) needed")
                .with(\.order, number).with(\.reason, "soldOut").with(\.fruit, fruit).with(\.missing, missing)
                .with(\.instead, instead)
        case .lineFull:
            ProblemDocument(.queueFull, "the queue is full").with(\.order, number).with(\.reason, "queueFull")
        }
    }
}
