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
