import Foundation
import HTTPServer
import JuiceStand
import Platform
import StandClient
import StandService
import StandState
import TestSupport
import Testing
import TextFormats

/// The routes of a running stand, over its socket.
@Suite(.timeLimit(.minutes(60)), .serialized, .onItsOwnThread)
struct RoutesTests {
    // MARK: - The description

    @Test func `every described route answers as described`() throws {
        let stand = try OpenStand()
        let document = try #require(JSONValue(parsing: stand.client.send(.get, "/api/v1/openapi.json").content))
        let check = SchemaCheck(document)
        let contents: [String: JSONValue] = [
            "placeOrder": ["juice": "banana juice"], "changeStock": ["changes": ["kiwi": 1]], "setRate": ["factor": 2],
            "setSpeed": ["speed": 2],
            "forecastChanges": [
                "in": "1h", "changes": [["restock": ["kiwi": 1]], ["rate": 2]], "set": ["makers": 2],
                "replications": 20,
            ],
        ]
        var visited = 0
        // The last one closes the stand; a stream never ends.
        let paths = document["paths"]?.members ?? []
        for path in paths.filter({ $0.key != "/api/v1/stop" && $0.key != "/api/v1/events" })
            + paths.filter({ $0.key == "/api/v1/stop" })
        {
            for operation in path.value.members {
                let name = try #require(operation.value["operationId"]?.text)
                let method = try #require(HTTPMethod(rawValue: operation.key.uppercased()))
                let target = path.key.replacing("{id}", with: "1")
                if name == "order" {
                    _ = try stand.client.send(.post, "/api/v1/orders", content: contents["placeOrder"])
                }
                let answer = try stand.client.send(method, target, content: contents[name])
                let responses = try #require(operation.value["responses"])
                let response = try #require(
                    responses["\(answer.status)"], "\(name) answered \(answer.status) \(answer.text)")
                #expect(answer.isSuccess, "\(name): \(answer.text)")
                #expect(responses.members.allSatisfy { $0.key != "default" } && responses.members.count > 12, "\(name)")
                if let schema = response["content"]?["application/json"]?["schema"] {
                    #expect(
                        check.mistakes(in: try #require(JSONValue(parsing: answer.content)), schema) == [], "\(name)")
                }
                if let content = contents[name] {
                    let schema = try #require(
                        operation.value["requestBody"]?["content"]?["application/json"]?["schema"])
                    #expect(check.mistakes(in: content, schema) == [], "\(name)")
                }
                visited += 1
            }
        }
        #expect(visited == 25)
    }

    @Test func `the description names the juices and fruits of this stand`() throws {
        let stand = try OpenStand(
            """
            { "fruits": {"fig": {"names": {"ko": "무화과"}}, "plum": {"initial": 5}},
              "menu": {"fig juice": {"names": {"ko": "무화과쥬스"}, "recipe": {"fig": 1}}, "plum juice": {"recipe": {"plum": 1}}},
              "customers": {"arrivals": {"poisson": {"perSecond": 0}}} }
            """)
        let document = try #require(JSONValue(parsing: stand.client.send(.get, "/api/v1/openapi.json").content))
        let check = SchemaCheck(document)
        func content(_ path: String) throws -> JSONValue {
            try #require(document["paths"]?[path]?["post"]?["requestBody"]?["content"]?["application/json"]?["schema"])
        }
        let cases: [(path: String, content: JSONValue, status: Int)] = [
            ("/api/v1/orders", ["juice": "fig juice"], 201), ("/api/v1/orders", ["juice": "무화과쥬스"], 201),
            ("/api/v1/orders", ["juice": "fig"], 422),
            ("/api/v1/stock/changes", ["changes": ["plum": 1, "fig": -1]], 200),
            ("/api/v1/stock/changes", ["changes": ["plum": 0]], 422),
            ("/api/v1/stock/changes", ["changes": ["kiwi": 1]], 422),
            ("/api/v1/forecast", ["changes": [["restock": ["plum": 1]]], "replications": 1], 200),
            ("/api/v1/forecast", ["changes": [["restock": ["kiwi": 1]]]], 422),
            ("/api/v1/forecast", ["changes": [["adjust": ["plum": 0]]]], 422),
            ("/api/v1/forecast", ["changes": [["rate": .number(0.0001)]]], 422),
            ("/api/v1/forecast", ["in": 0], 400),
        ]
        for (path, value, status) in cases {
            #expect(check.mistakes(in: value, try content(path)).isEmpty == (status < 300), "\(path) \(value)")
            let answer = try stand.client.send(.post, path, content: value)
            #expect(answer.status == status, "\(path) \(value): \(answer.text)")
        }
    }

    @Test func `the status, fields and problem of every answer are described`() throws {
        let stand = try OpenStand()
        let document = try #require(JSONValue(parsing: stand.client.send(.get, "/api/v1/openapi.json").content))
        func resolved(_ value: JSONValue?) -> JSONValue? {
            guard let reference = value?["$ref"]?.text else { return value }
            return reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] ?? .null }
        }
        let check = SchemaCheck(document)
        let token = "Authorization: Bearer \(stand.server.token.text)\r\n"
        let common: Set<String> = [
            "date", "content-length", "content-type", "connection", "cache-control", "x-content-type-options",
            "content-security-policy", "cross-origin-resource-policy",
        ]
        func order(_ juice: String) -> String { "{\"juice\": \"\(juice)\"}" }
        let cases: [(method: String, path: String, fields: String, content: String, status: Int)] = [
            ("post", "/api/v1/orders", token, order("kiwi juice"), 201),
            ("post", "/api/v1/orders", token, order("strawberry juice"), 409),
            ("post", "/api/v1/orders", token, order("kiwi"), 422), ("post", "/api/v1/orders", token, "{}", 400),
            ("post", "/api/v1/orders", "", order("kiwi juice"), 401), ("get", "/api/v1/stock", "", "", 200),
            ("post", "/api/v1/stock/changes", token + "If-Match: \"0\"\r\n", "{\"changes\": {\"kiwi\": 1}}", 200),
            ("post", "/api/v1/stock/changes", token + "If-Match: \"0\"\r\n", "{\"changes\": {\"kiwi\": 1}}", 412),
            ("post", "/api/v1/stock/changes", token, "{\"changes\": {\"kiwi\": -99}}", 409),
            ("post", "/api/v1/stock/changes", token, "{\"changes\": {\"cherry\": 1}}", 422),
            ("get", "/api/v1/status", "Origin: http://evil.example\r\n", "", 403), ("get", "/readyz", "", "", 200),
            ("get", "/api/v1/events?after=x", "", "", 400), ("get", "/api/v1/orders?limit=0", "", "", 400),
            ("put", "/api/v1/rate", token + "If-Match: \"0\"\r\n", "{\"factor\": 1}", 412),
            ("put", "/api/v1/speed", token, "{\"speed\": \"2\"}", 400),
            ("put", "/api/v1/speed", "", "{\"speed\": 2}", 401),
            ("put", "/api/v1/speed", token + "If-Match: \"0\"\r\n", "{\"speed\": 2}", 412),
            ("put", "/api/v1/speed", token, "{\"speed\": 0}", 422),
            ("get", "/api/v1/orders?after=%30", "", "", 200),
            ("get", "/api/v1/status", "Sec-Fetch-Site: cross-site\r\n", "", 403),
        ]
        for (method, path, fields, content, status) in cases {
            let parts = try stand.overTCP(
                "\(method.uppercased()) \(path)", fields: fields + OpenStand.json, content: content
            ).split(separator: "\r\n\r\n", maxSplits: 1)
            let lines = try #require(parts.first).split(separator: "\r\n")
            #expect(lines[0].hasPrefix("HTTP/1.1 \(status) "), "\(method) \(path) \(content): \(lines[0])")
            let operation = document["paths"]?[String(path.prefix { $0 != "?" })]?[method]
            let responses = operation?["responses"]
            let response = try #require(resolved(responses?["\(status)"]), "\(method) \(path)")
            let described = Set((response["headers"]?.members ?? []).map { $0.key.lowercased() })
            let found = Set(lines.dropFirst().map { String($0.prefix { $0 != ":" }) })
            #expect(found.subtracting(common) == described.subtracting(["retry-after"]), "\(method) \(path) \(status)")
            guard let schema = response["content"]?["application/problem+json"]?["schema"] else { continue }
            let problem = try #require(
                JSON5Parser.parse(Array(parts[1].utf8), source: "").root.flatMap { JSONValue($0) })
            #expect(check.mistakes(in: problem, schema) == [])
            let known = document["components"]?["schemas"]?["Problem"]?["properties"]?.members.map(\.key) ?? []
            #expect(Set(problem.members.map(\.key)).isSubset(of: known), "\(problem)")
        }
    }

    @Test func `the speed changes while the stand is open, and stand time goes on from where it was`() throws {
        let stand = try OpenStand(speed: 0.001)
        func status() throws -> JSONValue { try #require(try stand.client.send(.get, "/api/v1/status").json) }
        #expect(try status()["time"]?.seconds ?? 9 < 9)
        #expect(try stand.client.send(.put, "/api/v1/speed", content: ["speed": 100_000]).isSuccess)
        #expect(try status()["speed"]?.seconds == 100_000)
        try eventually("an hour of stand time") { try status()["time"]?.seconds ?? 0 > 3600 }
        #expect(try stand.client.send(.put, "/api/v1/speed", content: ["speed": .number(0.001)]).isSuccess)
        let time = try #require(try status()["time"]?.seconds)
        #expect(time >= 3600)
        // With the slow clock not even a second passes between two requests.
        #expect(abs(try #require(try status()["time"]?.seconds) - time) < 1)
        for speed in [0, -1, 1e10] {
            let answer = try stand.client.send(.put, "/api/v1/speed", content: ["speed": .number(speed)])
            #expect(answer.status == 422 && answer.json?["detail"]?.text?.contains("speed must be") == true)
        }
    }

    @Test func `every path lists its methods in response to another method`() throws {
        let stand = try OpenStand()
        let document = try #require(JSONValue(parsing: stand.client.send(.get, "/api/v1/openapi.json").content))
        for path in try #require(document["paths"]).members.map(\.key) {
            let target = path.replacing("{id}", with: "7")
            let answer = try stand.client.send(.delete, target)
            #expect(answer.status == 405, "\(path)")
            #expect(answer.json?["detail"]?.text?.hasPrefix("the methods of this path are ") == true, "\(path)")
            #expect(try stand.overTCP("OPTIONS \(target)").contains("allow: "), "\(path)")
        }
    }

    @Test func `a percent-encoded path names the same thing, and unknown paths are not found`() throws {
        let stand = try OpenStand()
        _ = try stand.client.send(.post, "/api/v1/orders", content: ["juice": "kiwi juice"])
        for path in ["/api/v1/%73tatus", "/%61pi/v1/stat%75s", "/api/v1/orders/%31", "/%70age.js"] {
            #expect(try stand.client.send(.get, path).status == 200, "\(path)")
        }
        for path in [
            "/index.html", "/page", "/api/v1/nothing", "/api/v1/status/", "/api/v1/orders/1/2", "/../etc/passwd",
            "/api/v1%2Fstatus", "/api/v1/%ffstatus", "/api/v1/statu%73%00",
        ] {
            let answer = try stand.client.send(.get, path)
            #expect(answer.status == 404 && answer.json?["title"]?.text == "Not Found", "\(path)")
        }
    }

    @Test func `unknown paths and methods are reported before a missing token`() throws {
        let stand = try OpenStand()
        #expect(try stand.overTCP("POST /api/v1/nothing").hasPrefix("HTTP/1.1 404 "))
        #expect(try stand.overTCP("POST /api/v1/status").hasPrefix("HTTP/1.1 405 "))
        #expect(try stand.overTCP("POST /api/v1/pause").hasPrefix("HTTP/1.1 401 "))
    }

    @Test func `the token is checked before the content is read`() throws {
        let stand = try OpenStand()
        let fields = OpenStand.json + "Content-Length: 65000\r\nExpect: 100-continue\r\n"
        #expect(try stand.overTCP("POST /api/v1/orders", fields: fields).hasPrefix("HTTP/1.1 401 "))
    }

    @Test func `orders are listed by number`() throws {
        let stand = try OpenStand()
        for juice in ["kiwi juice", "mango juice", "strawberry juice"] {
            _ = try stand.client.send(.post, "/api/v1/orders", content: ["juice": .string(juice)])
        }
        let all = try stand.client.send(.get, "/api/v1/orders").json
        #expect(all?["orders"]?.elements.compactMap { $0["order"]?.whole } == [1, 2, 3] && all?["last"] == 3)
        #expect(all?["orders"]?.elements.last?["reason"] == "soldOut")
        let some = try stand.client.send(.get, "/api/v1/orders?after=1&limit=1").json
        #expect(some?["orders"]?.elements.compactMap { $0["juice"]?.text } == ["mango juice"])
        #expect(try stand.client.send(.get, "/api/v1/orders?after=3").json?["orders"] == [])
        #expect(try stand.client.send(.get, "/api/v1/orders?after=x").status == 400)
        #expect(try stand.client.send(.get, "/api/v1/orders?limit=1000").isSuccess)
        #expect(try stand.client.send(.get, "/api/v1/orders?limit=1001").status == 400)
    }

    @Test func `the Unix socket hands out the state, and TCP does not`() throws {
        let stand = try OpenStand()
        _ = try stand.client.send(.post, "/api/v1/pause")
        let answer = try stand.client.send(.get, "/api/v1/state")
        #expect(answer.isSuccess)
        let copy = try StateSnapshot(answer.content, source: "state").makeStand(file: "state")
        #expect(copy.now == stand.control.status.time && copy.factsAnnounced == stand.control.status.sequence)
        let refused = try stand.overTCP(
            "GET /api/v1/state", fields: "Authorization: Bearer \(stand.server.token.text)\r\n")
        #expect(refused.hasPrefix("HTTP/1.1 403 ") && refused.contains("only the Unix socket"), "\(refused)")
    }

    // MARK: - The page

    @Test(arguments: ["/", "/page.js", "/page.css"])
    func `page files have validators`(path: String) throws {
        let stand = try OpenStand()
        func get(_ fields: String) throws -> (head: Substring, content: Substring) {
            let parts = try stand.overSocket("GET \(path)", fields: fields)
                .split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0], parts[1])
        }
        func field(_ name: String, _ head: Substring) -> Substring? {
            head.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }
        }
        let plain = try get("")
        #expect(plain.head.contains("cache-control: no-cache"))
        let current = try #require(field("etag", plain.head)).dropFirst("etag: ".count)
        for known in [current, "W/\(current)", "\"x\", \(current)", "*"] {
            let again = try get("If-None-Match: \(known)\r\n")
            #expect(again.head.hasPrefix("HTTP/1.1 304 ") && again.content.isEmpty)
            #expect(!again.head.contains("content-length"))
            // Browsers take over the fields of this answer: the general policy would forbid the page its scripts.
            for name in ["content-security-policy", "referrer-policy", "cross-origin-opener-policy"] {
                #expect(field(name, again.head) == field(name, plain.head) && field(name, again.head) != nil)
            }
        }
        #expect(try get("If-None-Match: \"other\"\r\n").head.hasPrefix("HTTP/1.1 200 "))
    }

    // MARK: - Changing

    @Test func `an order is answered with its outcome`() throws {
        let stand = try OpenStand()
        let placed = try stand.client.send(.post, "/api/v1/orders", content: ["juice": "kiwi juice", "cups": 2])
        #expect(placed.status == 201 && placed.json?["isStarted"] == true)
        #expect(try stand.client.send(.get, "/api/v1/orders/1").json?["cups"] == 2)
        let short = try stand.client.send(.post, "/api/v1/orders", content: ["juice": "kiwi juice", "cups": 2])
        #expect(short.status == 409 && short.json?["reason"] == "soldOut" && short.json?["fruit"] == "kiwi")
        #expect(short.json?["missing"] == 2 && short.json?["instead"]?.elements.contains("mango juice") == true)
        let lost = try stand.client.send(.get, "/api/v1/orders/2").json
        #expect(lost?["state"] == "lost" && lost?["reason"] == "soldOut" && lost?["fruit"] == "kiwi")
        let unknown = try stand.client.send(.post, "/api/v1/orders", content: ["juice": "kiwi juise"])
        #expect(unknown.status == 422 && unknown.json?["nearest"] == "kiwi juice")
        #expect(
            unknown.json?["type"] == "urn:juicestand:problem:notOnMenu" && unknown.json?["title"] == "Not on the menu")
        let strange = try stand.client.send(.get, "/api/v1/orders/3").json
        #expect(strange?["reason"] == "notOnMenu" && strange?["juice"] == "kiwi juise")
        #expect(try stand.client.send(.get, "/api/v1/orders/4").status == 404)
        #expect(try stand.client.send(.get, "/api/v1/orders/0").status == 404)
        // What could be made instead comes in the order of its likeness.
        let soldOut = try stand.client.send(.post, "/api/v1/orders", content: ["juice": "strawberry juice"]).json
        #expect(soldOut?["fruit"] == "strawberry" && soldOut?["missing"] == 6)
        #expect(
            soldOut?["instead"] == [
                "strawberry banana juice", "banana juice", "kiwi juice", "pineapple juice", "mango juice",
                "mango kiwi juice",
            ])
    }

    @Test func `orders are known from the first request on`() throws {
        let stand = try OpenStand(
            #"{"customers": {"arrivals": {"renewal": 1}, "patience": 15}, "fruits": {"kiwi": {"initial": "unlimited"}},"#
                + #""menu": {"kiwi juice": {"recipe": {"kiwi": 1}, "preparation": 2}}}"#, speed: 1000, ledger: true)
        try eventually("20 customers served") { stand.control.status.served >= 20 }
        // Long gone, and nobody had asked.
        #expect(try stand.client.send(.get, "/api/v1/orders/1").json?["state"] == "left")
        let served = stand.control.status.served
        let reneged = stand.control.status.lost[.ranOutOfPatience]
        try eventually("50 more customers served, and 50 more who left") {
            stand.control.status.served >= served + 50 && stand.control.status.lost[.ranOutOfPatience] >= reneged + 50
        }
        #expect(try stand.client.send(.post, "/api/v1/pause").isSuccess)
        let lines = try readFile(stand.folder + "/ledger").split(separator: UInt8(ascii: "\n")).suffix(200)
        var found: Set<String> = []
        for line in lines {
            let fact = try #require(JSON5Parser.parse(line, source: "").root.flatMap { JSONValue($0) })
            let event = fact["event"]?.text ?? ""
            guard event == "orderServed" || event == "orderLost" else { continue }
            let order = try stand.client.send(.get, "/api/v1/orders/\(try #require(fact["order"]?.whole))").json
            #expect(order?["state"] == (event == "orderServed" ? "served" : "lost"))
            for key in ["wait", "stay"] { #expect(order?[key]?.seconds == fact[key]?.seconds, "\(key)") }
            if event == "orderServed" {
                let placed = try #require(order?["placed"]?.seconds)
                let started = try #require(order?["started"]?.seconds)
                #expect(abs(started - placed - fact["wait"]!.seconds!) < 1e-6)
            }
            #expect(order?["reason"] == fact["reason"])
            found.insert(event)
        }
        #expect(found.count == 2)
    }

    @Test func `refuses invalid content with the reason`() throws {
        let stand = try OpenStand()
        let cases: [(String, String)] = [
            (#"{"juice": "kiwi juice", "cup": 1}"#, #"unknown member \"cup\""#),
            (#"{"juice": 1}"#, "juice: must be a string"),
            (#"{"cups": 1}"#, "juice: must be a string"),
            (#"{"juice": "x", "cups": 1.5}"#, "cups: must be a whole number"),
            (
                #"{"juice": "x", "cups": 4611686018427387904}"#,
                "cups: must be between -2^53 and 2^53, found 4611686018427387904"
            ),
            (#"{"juice": "x", "juice": "y"}"#, #"duplicate member \"juice\""#),
            ("[]", "the content must be a JSON object"),
            ("", "content:1:1: expected a value, found the end of the text"),
            (#"{"juice": "x", /* two */ "cups": 2}"#, "content:1:16: expected no comment, found one"),
        ]
        for (content, reason) in cases {
            let answer = try stand.overSocket("POST /api/v1/orders", fields: OpenStand.json, content: content)
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("\"detail\":\"\(reason)\""), "\(answer)")
        }
        #expect(stand.control.status.orders == 0)
    }

    @Test func `refuses content of another type or encoding`() throws {
        let stand = try OpenStand()
        let cases: [(String, String)] = [
            ("", #"Content-Type must be application/json, found none"#),
            ("Content-Type: text/plain\r\n", #"Content-Type must be application/json, found \"text/plain\""#),
            (
                OpenStand.json + "Content-Encoding: gzip\r\n",
                #"Content-Encoding must be identity or absent, found \"gzip\""#
            ),
        ]
        for (fields, reason) in cases {
            let answer = try stand.overSocket("PUT /api/v1/rate", fields: fields, content: "{}")
            #expect(answer.hasPrefix("HTTP/1.1 415 ") && answer.contains("\"detail\":\"\(reason)\""), "\(answer)")
        }
    }

    @Test func `refuses wrong query parameters with the reason`() throws {
        let stand = try OpenStand()
        let numbers = ["events?after", "events?after=", "events?after=x", "events?after=-1", "events?after=1.5"]
        let cases: [(String, String)] =
            [
                ("status?now", #"unknown query parameter "now"; this path has at and seq"#),
                ("events?after=1&from=2&x", #"unknown query parameter "from", "x"; this path has after"#),
                ("orders?%61fter=1&a=2", #"unknown query parameter "a"; this path has after and limit"#),
                ("events?after=1&after=2", "a query parameter must not be repeated"),
            ]
            + numbers.map { ($0, "Last-Event-ID and after must be sequence numbers") }
        for (target, reason) in cases {
            let answer = try stand.client.send(.get, "/api/v1/\(target)")
            #expect(answer.status == 400 && answer.json?["detail"]?.text == reason, "\(target): \(answer.text)")
        }
        #expect(try stand.client.send(.get, "/?from=somewhere").isSuccess)
    }

    @Test func `an editor with an old edit tag is refused`() throws {
        let stand = try OpenStand()
        func change(_ tag: String, _ pieces: Int64) throws -> StandClient.Answer {
            try stand.client.send(
                .post, "/api/v1/stock/changes", fields: [("If-Match", tag)],
                content: ["changes": ["kiwi": .integer(pieces), "mango": 1]])
        }
        #expect(try change("\"0\"", 3).json?["editTag"] == 1)
        #expect(try change("\"0\"", 3).status == 412)
        let refused = try change("\"1\"", -100)
        #expect(refused.status == 409 && refused.json?["fruit"] == "kiwi" && refused.json?["by"] == 87)
        #expect(try change("1", 3).status == 400)
        #expect(try change("\"1", 3).status == 400)
        #expect(try change("W/\"1\"", 3).status == 412)
        #expect(try change("\"x\"", 3).json?["editTag"] == 1)
        #expect(try change("*", 3).json?["stock"]?["kiwi"] == 16)
        // A sale is no edit.
        _ = try stand.client.send(.post, "/api/v1/orders", content: ["juice": "kiwi juice"])
        #expect(try change("\"0\", \"2\"", 1).json?["editTag"] == 3)
        #expect(try change("\"0\", \"1\"", 1).status == 412)
        let status = try stand.client.send(.get, "/api/v1/status").json
        #expect(status?["editTag"] == 3 && status?["stock"]?["mango"] == 13)
    }

    @Test func `a repeated idempotency key gets the first answer`() throws {
        let stand = try OpenStand()
        func restock(_ key: String, _ pieces: Int64) throws -> StandClient.Answer {
            try stand.client.send(
                .post, "/api/v1/stock/changes", fields: [("Idempotency-Key", key)],
                content: ["changes": ["kiwi": .integer(pieces)]])
        }
        let first = try restock("a", 5)
        #expect(try restock("a", 5).text == first.text)
        let reused = try restock("a", 6)
        #expect(reused.status == 422 && reused.json?["type"] == "urn:juicestand:problem:keyReused")
        #expect(stand.control.status.levels[2] == 15)
    }

    @Test func `a repeated reload gets the first answer, whatever the file contains now`() throws {
        let text = #"{"makers": 3, "customers": {"arrivals": {"poisson": {"perSecond": 0}}}}"#
        let file = Guarded(text)
        let stand = try OpenStand(reread: { () throws(ConfigurationError) in
            try StandConfiguration(Array(file.withLock { $0 }.utf8), source: "file").settings
        })
        func reload(_ key: String) throws -> StandClient.Answer {
            try stand.client.send(.post, "/api/v1/reload", fields: [("Idempotency-Key", key)])
        }
        let first = try reload("a")
        #expect(first.json?["changes"]?.elements.first?["key"] == "makers", "\(first.text)")
        file.withLock { $0 = "{" }
        #expect(try reload("a").text == first.text)
        let refused = try reload("b")
        #expect(refused.status == 422 && refused.json?["type"] == "urn:juicestand:problem:badConfiguration")
        _ = try stand.client.send(.post, "/api/v1/pause", fields: [("Idempotency-Key", "c")])
        #expect(try reload("c").json?["detail"] == "the idempotency key was used for another change")
    }

    // MARK: - Watching

    @Test func `pause, resume and stop show in status, readiness and liveness`() throws {
        let stand = try OpenStand()
        #expect(try stand.client.send(.post, "/api/v1/pause").isSuccess)
        #expect(try stand.client.send(.get, "/api/v1/status").json?["phase"] == "paused")
        #expect(try stand.client.send(.get, "/readyz").text == "ok\n")
        #expect(try stand.client.send(.post, "/api/v1/resume").isSuccess)
        #expect(try stand.client.send(.get, "/healthz").text == "ok\n")
        #expect(try stand.client.send(.post, "/api/v1/stop").isSuccess)
    }

    @Test func `a stand that its machine cannot follow says how far it is behind`() throws {
        let stand = try OpenStand(#"{"customers": {"arrivals": {"renewal": 1}}}"#, speed: 1000)
        let isHeld = DispatchSemaphore(value: 0)
        let isOver = DispatchSemaphore(value: 0)
        stand.control.inspect { _, _, _ in
            isHeld.signal()
            isOver.wait(for: "the stand to be behind")
        } then: { _ in
        }
        isHeld.wait(for: "the stand to be held")
        func status() throws -> (time: Double, behind: Double, share: Double) {
            let json = try #require(try stand.client.send(.get, "/api/v1/status").json)
            return (
                try #require(json["time"]?.seconds), try #require(json["behind"]?["seconds"]?.seconds),
                try #require(json["behind"]?["share"]?.seconds)
            )
        }
        try eventually("the stand to be behind") { try status().behind > 100 }
        let late = try status()
        try eventually("the stand to be further behind") { try status().behind > late.behind }
        #expect(try status().time == late.time, "time passes an event that has not happened")
        isOver.signal()
        try eventually("events to be late") { try status().share > 0 }
        #expect(try status().share <= 1)
        try eventually("the stand to be on time") { try status().behind < 100 }
        #expect(try status().time > late.time)
        let metrics = try stand.client.send(.get, "/metrics").text
        #expect(metrics.contains("\njuicestand_behind_seconds ") && metrics.contains("\njuicestand_late_events_ratio "))
    }

    @Test func `metrics are never older than the request`() throws {
        let stand = try OpenStand()
        for _ in 0..<20 {
            _ = try stand.client.send(.post, "/api/v1/orders", content: ["juice": "banana juice"])
            let text = try stand.client.send(.get, "/metrics").text
            #expect(text.contains("\njuicestand_events_total \(stand.control.status.sequence)\n"))
        }
    }

    @Test(arguments: [nil, "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"])
    func `metrics are in the text format of Prometheus`(accept: String?) throws {
        let stand = try OpenStand()
        let answer = try stand.overSocket("GET /metrics", fields: accept.map { "Accept: \($0)\r\n" } ?? "")
        #expect(answer.contains("\r\ncontent-type: text/plain; version=0.0.4; charset=utf-8\r\n"))
        #expect(answer.contains("# TYPE juicestand_info gauge\n"))
        #expect(answer.contains("\njuicestand_events_total 1\n"))
    }

    @Test func `quotation marks and backslashes of a label are escaped`() throws {
        let stand = try OpenStand(
            #"{"stand": "a\\b\"c", "fruits": {"k\\iwi": {}}, "menu": {"j": {"recipe": {"k\\iwi": 1}}}}"#)
        let text = try stand.client.send(.get, "/metrics").text
        #expect(text.contains(#"juicestand_info{stand="a\\b\"c","#))
        #expect(text.contains(#"fruit="k\\iwi""#) && !text.contains(#"fruit="k\iwi""#))
    }

    @Test func `a stand more than a minute of real time behind is not ready`() throws {
        let stand = try OpenStand(speed: 10)
        var status = stand.control.status
        #expect(status.isReady && status.causes == [])
        status.behind = SimulationTime(seconds: 600)
        #expect(status.isReady && status.document.isReady == true)
        status.behind = SimulationTime(seconds: 600.001)
        #expect(!status.isReady && status.document.isReady == false)
        #expect(status.document.causes == ["the stand is 60 s of real time behind"])
        status.behind = SimulationTime(seconds: 72_000)
        status.faults = ["the disk is full"]
        #expect(status.causes == ["the disk is full", "the stand is 2 h of real time behind"])
    }

    @Test func `metrics agree with the ledger`() throws {
        let stand = try OpenStand(
            #"""
            {"customers": {"arrivals": {"renewal": 1}, "patience": 15}, "queue": {"limit": 10},
             "fruits": {"kiwi": {"initial": 20, "lowStock": 10, "restock": {"orderUpTo": {"reorderPoint": 10, "level": 30, "leadTime": 20}}}},
             "menu": {"kiwi juice": {"recipe": {"kiwi": 1}, "preparation": 2}}}
            """#, speed: 1000, ledger: true)
        _ = try stand.client.send(.post, "/api/v1/orders", content: ["juice": "mango juice"])
        try eventually("200 customers served, and one who left") {
            stand.control.status.served >= 200 && stand.control.status.lost[.ranOutOfPatience] > 0
        }
        #expect(try stand.client.send(.post, "/api/v1/pause").isSuccess)
        let text = try stand.client.send(.get, "/metrics").text
        var figures: [Substring: Int] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            figures[parts[0]] = Int(parts[1])
        }
        // Paused: what is announced is written.
        let lines = try readFile(stand.folder + "/ledger").split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0, as: UTF8.self)
        }
        func count(_ part: String) -> Int { lines.count { $0.contains(part) } }
        #expect(figures["juicestand_events_total"] == lines.count)
        #expect(figures["juicestand_orders_placed_total"] == count(#""event":"orderPlaced""#))
        #expect(figures["juicestand_orders_served_total"] == count(#""event":"orderServed""#))
        #expect(figures["juicestand_wait_seconds_count"] == count(#""event":"orderServed""#))
        for reason in LossReason.allCases.map(\.name) {
            #expect(
                figures["juicestand_orders_lost_total{reason=\"\(reason)\"}"] == count("\"reason\":\"\(reason)\""),
                "\(reason)")
        }
        #expect(figures["juicestand_low_stock_alerts_total"] == count(#""event":"lowStock""#))
        #expect(figures["juicestand_restock_orders_total{fruit=\"kiwi\"}"] == count(#""event":"restockOrdered""#))
        #expect(count(#""reason":"ranOutOfPatience""#) > 0 && count(#""reason":"notOnMenu""#) == 1)
        #expect(figures["juicestand_wait_seconds_bucket{le=\"+Inf\"}"] == figures["juicestand_wait_seconds_count"])
    }
}
