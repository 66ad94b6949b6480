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
