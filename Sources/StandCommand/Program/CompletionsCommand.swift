/// `juicestand completions SHELL`: prints completions for a shell, which ask ``CompleteCommand``.
enum CompletionsCommand: Command {
    static let name = "completions"
    static let summary = "prints completions for bash, zsh or fish"
    static let operands = "bash|zsh|fish"
    static let discussion = """
        A shell that reads the output completes commands, options, names and files. A package installs it as juicestand
        for bash, as _juicestand for zsh, and as juicestand.fish for fish.
        """
    static let options: [any CommandOption] = []
    static let examples = [
        Example("source <(juicestand completions bash)", "in ~/.bashrc; for zsh likewise, after compinit"),
        Example("juicestand completions fish | source", "in the configuration of fish"),
    ]

    private enum Shell: String, CaseIterable {
        case bash
        case zsh
        case fish

        var script: String {
            switch self {
            case .bash:
                #"""
                _juicestand() {
                    local word=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]/#\~\//$HOME/}
                    mapfile -t COMPREPLY < <(command "$program" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
                    [[ $word == = ]] && word=
                    case ${COMPREPLY[0]-} in
                        :files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
                        :folders) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
                        *) COMPREPLY=("${COMPREPLY[@]%%$'\t'*}") ;;
                    esac
                }
                complete -F _juicestand juicestand

                """#
            case .zsh:
                #"""
                #compdef juicestand
                _juicestand() {
                    local -a found
                    found=("${(@f)$(command "${(Q)words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
                    case $found[1] in
                        '') ;;
                        :files) _files ;;
                        :folders) _files -/ ;;
                        *) found=("${(@)${(@)found//:/\\:}/$'\t'/:}"); _describe value found ;;
                    esac
                }
                compdef _juicestand juicestand

                """#
            case .fish:
                #"""
                function __juicestand_complete
                    set -l word (commandline -ct)
                    set -l words (commandline -opc) "$word"
                    set -l found (command $words[1] __complete $words[2..-1] 2>/dev/null)
                    switch "$found[1]"
                        case :files
                            __fish_complete_path (string replace -r -- '^--[a-z-]+=' '' "$word")
                        case :folders
                            __fish_complete_directories (string replace -r -- '^--[a-z-]+=' '' "$word")
                        case '*'
                            string join \n -- $found
                    end
                end
                complete -c juicestand -f -a '(__juicestand_complete)'

                """#
            }
        }
    }

    static func run(_ options: Options, _ output: Output) throws(CommandFailure) -> ExitStatus {
        guard options.operands.count == 1, let shell = Shell(rawValue: options.operands[0]) else {
            throw CommandFailure(.usage, "completions needs one of bash, zsh and fish, found \(options.found)")
        }
        output.print(shell.script)
        return .done
    }
}
