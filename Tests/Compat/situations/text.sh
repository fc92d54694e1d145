# SPDX-License-Identifier: MIT
# Hostile text: names of functions, files, libraries, programs and labels that attack every kind of output.
. "$(dirname "$0")/common.sh"
need python3 clang
python3 "$here/text.py" "$GENMARK" "$PRELOAD" || failures=1
finish
