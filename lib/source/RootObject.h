//===- RootObject.h - The object of a method nobody calls -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What nothing in the file calls is run for objects that their constructors
// have just made, with arguments that are not known.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_ROOTOBJECT_H
#define CPASYNC_LIB_SOURCE_ROOTOBJECT_H

#include "llvm/ADT/SmallVector.h"

namespace clang {
class CXXConstructorDecl;
class CXXRecordDecl;
class FunctionDecl;
class ParmVarDecl;
} // namespace clang

namespace cpasync {

/// The class that \p Root, which is no lambda, is called for; null: none.
const clang::CXXRecordDecl *classOfRoot(const clang::FunctionDecl *Root);

/// The constructor that is given most; null: there is none on the device that
/// does more than copy, or the object is a place to copy to (holdsArrays()).
const clang::CXXConstructorDecl *
constructorOfRoot(const clang::CXXRecordDecl *Class);

/// Objects of \p Class are places to copy to, rather than hands that hold them.
bool holdsArrays(const clang::CXXRecordDecl *Class);

/// Parameters of \p Root, no kernel, that refer to an object of a class of the
/// user's with a constructor: the first of each class.
llvm::SmallVector<const clang::ParmVarDecl *, 2>
madeForRoot(const clang::FunctionDecl *Root);

/// The class that a parameter refers to, or is of; null: none.
const clang::CXXRecordDecl *classOf(const clang::ParmVarDecl *Parm);

/// \p Origin is a parameter of \p Root or of a constructor that makes an object
/// for it, a member of its object where there is no constructor, or its class:
/// where memory that the caller gives comes from.
bool isGivenToRoot(const clang::FunctionDecl *Root, const void *Origin);

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_ROOTOBJECT_H
