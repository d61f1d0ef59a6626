// Best play to the end of the game, in C++.
//
//     best_line lg9 tables '3/3/2W/B1W3/1W1/2B/B2 w 0,0'
#include <millprobe.hpp>

#include <iostream>

int main(int argc, char** argv) {
    if (argc != 4) {
        std::cerr << "usage: best_line RULESET DIRECTORY POSITION\n";
        return 2;
    }
    try {
        millprobe::Tables tables(argv[1]);
        for (const auto& file : tables.add_directory(argv[2]))
            if (file.status != MP_OK) std::cerr << "refused " << file.path << ": " << file.reason << "\n";
        const auto position = tables.parse(argv[3]);
        const auto value = tables.probe(position);
        std::cout << (value.outcome == MP_WIN ? "win" : value.outcome == MP_LOSS ? "loss" : "draw");
        if (value.dte) std::cout << " in " << *value.dte;
        std::cout << "\n";
        for (const auto& turn : tables.best_line(position)) std::cout << millprobe::text(turn) << " ";
        std::cout << "\n";
    } catch (const millprobe::Error& e) {
        std::cerr << "best_line: " << e.what() << "\n";
        return 1;
    }
}
