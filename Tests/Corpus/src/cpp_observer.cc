// SPDX-License-Identifier: MIT
// Panels subscribe to a model that outlives them and never unsubscribe: the subject's list keeps the
// handlers and, through them, the panels' state. FIXED: the subscription is dropped with the panel.
#include "bench.h"
#include <functional>
#include <list>
#include <memory>
#include <string>

class Model {
public:
    using Handler = std::function<void(int)>;
    using Token = std::list<Handler>::iterator;
    Token subscribe(Handler h) { return handlers_.insert(handlers_.end(), std::move(h)); }
    void unsubscribe(Token t) { handlers_.erase(t); }
    void set(int v) { value_ = v; for (auto &h : handlers_) h(v); }
private:
    std::list<Handler> handlers_;
    int value_ = 0;
};

struct PanelState {
    std::string title;
    int shown = 0;
    char layout[200] = {};
};

class Panel {
public:
    Panel(Model &m, int id) : model_(m), state_(makeState(id))
    {
        auto s = state_;
        std::string prefix = "value of panel ";
        token_ = model_.subscribe([s, prefix](int v) { s->shown = v + (int)prefix.size(); });
    }
    ~Panel()
    {
#ifdef FIXED
        model_.unsubscribe(token_);
#endif
    }
private:
    static std::shared_ptr<PanelState> makeState(int id)
    {
        auto s = std::make_shared<PanelState>();
        s->title = "panel " + std::to_string(id);
        return s;
    }
    Model &model_;
    std::shared_ptr<PanelState> state_;
    Model::Token token_;
};

int main(int argc, char **argv)
{
    int cycles = bench_cycles(argc, argv);
    static Model model;
    for (int i = 0; i < cycles; i++) {
        {
            Panel p(model, i);
            model.set(i);
        }
        bench_mark("cycle");
    }
    return bench_done(cycles);
}
