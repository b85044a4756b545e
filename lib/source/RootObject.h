//===- RootObject.h - The object of a method nobody calls -------*- C++ -*-===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A member function that nothing in the file calls is run for an object that
// its constructor has just made, with arguments that are not known.
//
//===----------------------------------------------------------------------===//

#ifndef CPASYNC_LIB_SOURCE_ROOTOBJECT_H
#define CPASYNC_LIB_SOURCE_ROOTOBJECT_H

namespace clang {
class CXXConstructorDecl;
class CXXRecordDecl;
class FunctionDecl;
} // namespace clang

namespace cpasync {

/// The class that \p Root, which is no lambda, is called for; null: none.
const clang::CXXRecordDecl *classOfRoot(const clang::FunctionDecl *Root);

/// The first constructor with a body that does more than copy; null: there is
/// none.
const clang::CXXConstructorDecl *
constructorOfRoot(const clang::CXXRecordDecl *Class);

/// Objects of \p Class are places to copy to, rather than hands that hold them.
bool holdsArrays(const clang::CXXRecordDecl *Class);

/// \p Origin is a parameter of \p Root or of the constructor that makes its
/// object, a member of the object where there is no constructor, or its class:
/// where memory that the caller gives comes from.
bool isGivenToRoot(const clang::FunctionDecl *Root, const void *Origin);

} // namespace cpasync

#endif // CPASYNC_LIB_SOURCE_ROOTOBJECT_H
