# SPDX-License-Identifier: LGPL-2.1-or-later
# Completion of gmcp for bash: the program itself says what can follow.

_gmcp ()
{
  local line=${COMP_LINE:0:COMP_POINT} word last prefix rest value
  local -a words=() answers=()
  local -i i whole=0

  # Bash splits words at “=” and “:”, too; what had no space between is one word.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    rest=${line#"${line%%[![:blank:]]*}"}
    [[ $i -lt COMP_CWORD ]] || word=${word:0:${#rest}}
    if [[ $rest == "$line" && ${#words[@]} -gt 0 ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    line=${rest#"$word"}
  done

  # Only the last part is replaced by the answer.
  last=$word
  [[ ${COMP_WORDBREAKS//[\"\'[:space:]]/} != *"$last"* ]] || last=
  prefix=${words[-1]%"$last"}
  # Readline leaves the “@” to the word behind it.
  [[ $prefix != *@ ]] || last=@$last prefix=${prefix%@}

  mapfile -t answers < <("${COMP_WORDS[0]/#\~/$HOME}" __complete bash "${words[@]:1}" 2>/dev/null)
  COMPREPLY=()
  for value in "${answers[@]}"; do
    case $value in
      :files | :folders)
        rest=$last
        [[ $rest != *[=@]* ]] || rest=${rest##*[=@]}
        # It would quote the “@”.
        [[ $rest != "$last" ]] || compopt -o filenames
        if [[ $value == :files ]]; then value=-f; else value=-d; fi
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -P "${last%"$rest"}" "$value" -- "$rest")
        whole+=1
        ;;
      ":part "*)
        value=${value#:part }
        COMPREPLY+=("${value#"$prefix"}")
        ;;
      *)
        whole+=1
        COMPREPLY+=("${value#"$prefix"}")
        ;;
    esac
  done
  [[ $whole -gt 0 ]] || compopt -o nospace
}

complete -F _gmcp gmcp
