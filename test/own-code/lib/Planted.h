#include <string>

inline std::string planted(std::string Whole) { // performance-unnecessary-value-param
  return Whole + ".";
}

struct PlantedInHeader {
  std::string Name = ""; // readability-redundant-string-init
};
