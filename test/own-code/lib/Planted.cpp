#include "Planted.h"
#include <memory>
#include <vector>
#include <memory> // readability-duplicate-include

namespace {
struct InHere {
  InHere() : Name() {} // readability-redundant-member-init
  std::string Name;
};

unsigned unusedFunction() { return 1; } // clang-diagnostic-unused-function
} // namespace

#define TWICE(X) X * 2 // bugprone-macro-parentheses

void declared();
void declared(); // readability-redundant-declaration

std::string moved(std::string From) {
  std::string To = std::move(From);
  return To + From; // bugprone-use-after-move
}

bool found(std::vector<int> &List) {
  int Unused = 0; // clang-diagnostic-unused-variable
  if (List.size() == 0) // readability-container-size-empty
    return false;
  const std::string Known = InHere().Name + planted("a");
  const std::string Name = Known; // performance-unnecessary-copy-initialization
  if (Name == "b" && Name == "b") // misc-redundant-expression
    return (true); // readability-redundant-parentheses
  List.front() > 0; // clang-diagnostic-unused-comparison
  return TWICE(List.front()) > 0;
}

void last(std::unique_ptr<int> P) {
  if (P.get() == nullptr) // readability-redundant-smartptr-get
    return;
  return; // readability-redundant-control-flow
}
