#pragma once
#ifndef TILE
#define TILE 128
#endif
constexpr float Factor = 2.0f;
