//===- Elements.h - Bytes of shared memory, as the source names them -*- C++
//-*-//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable that is declared with its shape has the element "Slot[0][255]". Of
// memory that the kernel divides itself the shape is in its pointers: there it
// is "Scales[32]", by the pointer that the access goes through.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_REPORT_ELEMENTS_H
#define CPASYNC_LIB_REPORT_ELEMENTS_H

#include "lib/state/KernelRun.h"

namespace cpasync {

/// Fills in Finding::Element where the place is known.
class Elements : RunPart {
public:
  explicit Elements(KernelRun &Run) : RunPart(Run) {}

  /// Of an access by \p Bytes that \p Thread makes now, in \p S.
  void nameNow(Finding &F, const State &S, const Footprint *Bytes,
               unsigned Thread);
  /// Of an access by \p Bytes, whenever it was.
  void name(Finding &F, const Footprint *Bytes);
  /// The smallest part of \p O, a variable that is an array, which holds those
  /// bytes: "[1]" of an array of arrays, "[64..127]" of its elements; empty:
  /// all of it, or it is not known.
  std::string partAround(const Object *O, int64_t Begin, int64_t End);

private:
  /// A variable through which memory is accessed, as elements of a type.
  struct Way {
    llvm::StringRef Name;
    clang::QualType Type; ///< its own, or of what it points to
    int64_t Begin;        ///< where in the object it begins
    bool IsPointer;
  };

  std::optional<Way> declared(const Object *O);
  /// Of the ways that \p Access names, the one that begins next to \p Byte.
  std::optional<Way> accessed(const State &S, const Object *O, unsigned Thread,
                              int64_t Byte);
  std::optional<Way> pointedTo(const State &S, const clang::VarDecl *Pointer,
                               const Object *O, unsigned Thread);
  /// False if the type says nothing of what is at \p Byte.
  bool tell(Finding &F, const Way &W, int64_t Byte, int64_t Size);
};

} // namespace cpasync

#endif // CPASYNC_LIB_REPORT_ELEMENTS_H
