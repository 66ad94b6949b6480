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
