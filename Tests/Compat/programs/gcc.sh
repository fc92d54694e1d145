# SPDX-License-Identifier: MIT
# gcc and g++: compile, assemble and link; the result is the same bit for bit, and runs. Short.
. "$(dirname "$0")/common.sh"
need gcc g++
printf '#include <stdio.h>\nint main(void) { for (int i = 0; i < 3; i++) printf("%%d\\n", i * i); return 0; }\n' > a.c
printf '#include <map>\n#include <iostream>\nint main() { std::map<int, std::string> m; m[1] = "one"; for (auto &p : m) std::cout << p.first << p.second << "\\n"; try { throw 7; } catch (int e) { std::cout << e << "\\n"; } }\n' > b.cpp
recorded gcc -O2 -g0 -o a a.c && recorded ./a
recorded g++ -O2 -g0 -o b b.cpp && recorded ./b
sha1sum a b
