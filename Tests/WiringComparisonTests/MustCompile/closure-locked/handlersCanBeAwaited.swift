func f(_ handlers: [@Sendable () async -> Void]) async { for handler in handlers { await handler() } }
