# The code blocks of a page, each in a file $place/.block001 and so on. Its first line is the kind (sh, cpp, text) and the comment in the line
# before the block, if there is one; the block follows.
#
#   awk -v place=FOLDER -f scripts/check/blocks.awk PAGE
/^```/ && !inside { inside = 1; file = sprintf("%s/.block%03d", place, ++n); print substr($0, 4) " " (before ~ /^<!-- .* -->$/ ? substr(before, 6, length(before) - 9) : "") >file; next }
/^```$/ { inside = 0; close(file) }
inside { print >file }
{ before = $0 }
