// tinyobjloader: loads OBJ from memory.
#define TINYOBJLOADER_IMPLEMENTATION
#include <tiny_obj_loader.h>

#include <cmath>
#include <cstdlib>
#include <istream>
#include <memory>
#include <streambuf>

#include "serve.hpp"

struct Memory : std::streambuf {
    explicit Memory(const std::string &text) {
        char *start = const_cast<char *>(text.data());
        setg(start, start, start + text.size());
    }
};

struct Result {
    tinyobj::attrib_t attrib;
    std::vector<tinyobj::shape_t> shapes;
    std::vector<tinyobj::material_t> materials;
};

int main(int count, char **arguments) {
    auto parse = [](const std::string &text) {
        auto result = std::make_unique<Result>();
        Memory memory(text);
        std::istream stream(&memory);
        std::string warning, error;
        if (!tinyobj::LoadObj(&result->attrib, &result->shapes, &result->materials, &warning,
                              &error, &stream, nullptr, false))
            std::exit(1);
        return result;
    };
    auto found = [](const std::unique_ptr<Result> &result) {
        double corners = 0, positions = 0;
        for (const auto &shape : result->shapes)
            for (const auto &index : shape.mesh.indices) {
                corners += 1;
                for (int axis = 0; axis < 3; axis++)
                    positions += std::fabs(result->attrib.vertices[3 * index.vertex_index + axis]);
            }
        char text[100];
        std::snprintf(text, sizeof text, "{\"corners\":%.17g,\"positions\":%.17g}", corners,
                      positions);
        return std::string(text);
    };
    return serve(count, arguments, parse, found);
}
