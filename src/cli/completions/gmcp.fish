# SPDX-License-Identifier: LGPL-2.1-or-later
# Completion of gmcp for fish: the program itself says what can follow.

function __gmcp_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l prefix (string match -r '^.*=@?|^' -- $typed)[1]

    for line in ($words[1] __complete fish $words[2..-1] $typed 2>/dev/null)
        switch $line
            case ':files'
                for path in (__fish_complete_path (string replace -- "$prefix" '' $typed))
                    echo $prefix$path
                end
            case ':folders'
                for path in (__fish_complete_directories (string replace -- "$prefix" '' $typed))
                    echo $prefix$path
                end
            case ':part *'
                string replace ':part ' '' -- $line
            case '*'
                echo $line
        end
    end
end

complete -c gmcp -f -a '(__gmcp_complete)'
