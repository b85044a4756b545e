#pragma once
// Only the host runs these. They do not compile, so an error shows if one is
// parsed.
inline int hostOnly() { return notDeclared(); }
struct HostState {
  int Count = 0;
  void grow() { Count += notDeclared(); }
};
