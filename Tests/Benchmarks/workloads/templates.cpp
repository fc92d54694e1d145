// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>
template <int N> struct Rec {
    std::map<std::string, std::vector<std::tuple<int, std::string, std::shared_ptr<Rec<N - 1>>>>> m;
    std::unordered_map<int, std::function<int(int)>> f;
    std::variant<int, std::string, std::vector<double>> v;
    int go(int x) {
        f[N] = [x](int y) { return x + y + N; };
        m["k" + std::to_string(N)].emplace_back(x, "s", std::make_shared<Rec<N - 1>>());
        std::ostringstream os;
        for (auto &[k, vv] : m) {
            os << k;
            for (auto &[a, b, c] : vv) {
                os << a << b;
                x += c ? c->go(x) : 0;
            }
        }
        std::vector<std::string> q;
        for (auto &p : m)
            q.push_back(p.first);
        std::sort(q.begin(), q.end(), [](auto &a, auto &b) { return a.size() * N < b.size(); });
        return x + f[N](1) + (int)os.str().size() +
               std::visit(
                   [](auto &t) -> int {
                       if constexpr (std::is_same_v<std::decay_t<decltype(t)>, int>)
                           return t;
                       else
                           return t.size();
                   },
                   v);
    }
};
template <> struct Rec<0> {
    int go(int x) { return x; }
};
int main() {
    std::regex r("([a-z]+)(\\d*)");
    std::smatch m;
    std::string s = "abc123";
    std::regex_match(s, m, r);
    Rec<12> q;
    std::cout << q.go(m.size());
}
