import HTTPServer
import JuiceStand
import Platform
import StandClient
import StandService
import TextFormats

/// The options for the stand's listeners, and the link to its page.
enum ServiceOptions {
    static let listen = Option(
        "--listen", "ADDRESS:PORT|off", .text, without: "\(NetworkAddress.standard), or a free port if that is taken",
        "TCP address of the HTTP server")

    static let socket = Option(
        "--socket", "PATH", .text, without: StandSocket.standardPath, "the stand's Unix socket")

    /// Binds the listeners that the options describe.
    static func server(_ options: Options, state: String?) throws(CommandFailure) -> StandServer {
        let wanted: StandServer.Listen? =
            switch options[listen] {
            case nil: nil
            case "off": .off
            case let text?: .address(try address(text, orElse: ", or off"))
            }
        do throws(FileError) {
            return try StandServer(socket: options[socket], listen: wanted, stateFolder: state)
        } catch {
            throw CommandFailure(.cannotCreate, error)
        }
    }

    /// - Parameter orElse: Other valid values, for the error message.
    static func address(_ text: String, orElse: String) throws(CommandFailure) -> NetworkAddress {
        guard let address = NetworkAddress(text) else {
            throw CommandFailure(
                .usage, "--listen must be ADDRESS:PORT such as 127.0.0.1:8787 or [::1]:0\(orElse), found \"\(text)\"")
        }
        return address
    }

    /// The link to the page with the token; nil unless standard output is a terminal.
    ///
    /// A terminal shows the token to its user alone. A file or a pipe may keep it, so the link is not printed there.
    static func link(_ server: StandServer) -> String? {
        guard RunningStand.isOnTerminal, let address = server.address else { return nil }
        return "http://\(address)/#token=\(server.token.text)"
    }
}
