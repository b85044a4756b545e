//===- Recognizer.cpp -----------------------------------------------------===//
//
// Part of cpasync-tidy, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/source/Recognizer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using namespace cpasync;

// "cooperative_groups::__v1::thread_block::sync" without "__v1".
static std::string normalisedName(const FunctionDecl *F) {
  llvm::SmallVector<StringRef, 4> Parts;
  for (const DeclContext *D = F->getDeclContext(); D; D = D->getParent())
    if (const auto *N = dyn_cast<NamedDecl>(D))
      if (N->getIdentifier() &&
          !(isa<NamespaceDecl>(N) && N->getName().starts_with("__")))
        Parts.push_back(N->getName());
  std::string Name;
  for (StringRef P : llvm::reverse(Parts))
    Name += (P + "::").str();
  return Name + F->getName().str();
}

Recognizer::Recognizer() {
#define ASYNC_API(Kind, Effects, Handler, ...)                                 \
  for (StringRef Name : std::initializer_list<StringRef>{__VA_ARGS__})         \
    ByName[Name] = ApiKind::Kind;
#include "lib/source/AsyncApis.def"
}

// threadIdx.x is a call of __fetch_builtin_x on a variable of an unnamed
// builtin class; __nvvm_read_ptx_sreg_tid_x is the builtin behind it.
static std::string registerName(const FunctionDecl *F) {
  StringRef Name = F->getName();
  if (Name.consume_front("__nvvm_read_ptx_sreg_")) {
    std::string R = Name.str();
    size_t Dot = R.rfind('_');
    if (Dot != std::string::npos && R.size() == Dot + 2)
      R[Dot] = '.';
    return R;
  }
  // Of the CUDA runtime, where Clang's header defines it by a builtin.
  if (Name == "__clusterRelativeBlockRank")
    return "cluster_ctarank";
  if (Name == "__clusterSizeInBlocks")
    return "cluster_nctarank";
  if (!Name.consume_front("__fetch_builtin_"))
    return "";
  const auto *M = dyn_cast<CXXMethodDecl>(F);
  if (!M || !M->getParent()->getIdentifier())
    return "";
  StringRef Class = M->getParent()->getName();
  StringRef Register = llvm::StringSwitch<StringRef>(Class)
                           .Case("__cuda_builtin_threadIdx_t", "tid")
                           .Case("__cuda_builtin_blockIdx_t", "ctaid")
                           .Case("__cuda_builtin_blockDim_t", "ntid")
                           .Case("__cuda_builtin_gridDim_t", "nctaid")
                           .Default("");
  return Register.empty() ? "" : (Register + "." + Name).str();
}

static bool isThreadPipeline(const CXXRecordDecl *D) {
  const auto *R = dyn_cast_if_present<ClassTemplateSpecializationDecl>(D);
  if (!R || R->getName() != "pipeline" || R->getTemplateArgs().size() != 1)
    return false;
  const TemplateArgument &Scope = R->getTemplateArgs()[0];
  if (Scope.getKind() != TemplateArgument::Integral)
    return false;
  const auto *Enum = Scope.getIntegralType()->getAsEnumDecl();
  return Enum &&
         llvm::any_of(Enum->enumerators(), [&](const EnumConstantDecl *D) {
           return D->getName() == "thread_scope_thread" &&
                  llvm::APSInt::isSameValue(D->getInitVal(),
                                            Scope.getAsIntegral());
         });
}

bool cpasync::isThreadPipeline(QualType T) {
  return ::isThreadPipeline(T.getNonReferenceType()->getAsCXXRecordDecl());
}

// Names that are not reserved, as "max", may be those of the program's own
// functions, which do what their bodies say.
static bool isOwnFunction(const FunctionDecl *F, StringRef Name) {
  const FunctionDecl *Body = nullptr;
  return !Name.starts_with("__") && !Name.contains("::") && F->hasBody(Body) &&
         !F->getASTContext().getSourceManager().isInSystemHeader(
             Body->getLocation());
}

ApiKind Recognizer::api(const FunctionDecl *F) {
  F = F->getCanonicalDecl();
  auto [I, New] = Apis.try_emplace(F, ApiKind::None);
  if (!New || !F->getIdentifier())
    return I->second;
  ApiKind K = ApiKind::None;
  std::string Register = registerName(F);
  if (!Register.empty()) {
    Registers[F] = std::move(Register);
    K = ApiKind::SpecialRegister;
  } else {
    std::string Name = normalisedName(F);
    if (StringRef(Name).starts_with("__builtin_mem"))
      Name = Name.substr(strlen("__builtin_"));
    // Atomics have scopes.
    if (StringRef(Name).starts_with("__nvvm_atom_") ||
        (StringRef(Name).starts_with("__nv_atomic_") && !F->hasBody() &&
         F->getNumParams() > 2))
      Name = "atomicAdd";
    else if (StringRef(Name).starts_with("atomic"))
      Name.resize(Name.find('_') == Name.npos ? Name.size() : Name.find('_'));
    // The builtins with a source size end in "_s".
    if (StringRef(Name).starts_with("__nvvm_cp_async_") &&
        StringRef(Name).ends_with("_s"))
      Name.resize(Name.size() - 2);
    // Those for an mbarrier in the shared address space.
    if (StringRef(Name).starts_with("__nvvm_mbarrier_") &&
        StringRef(Name).ends_with("_shared"))
      Name.resize(Name.size() - strlen("_shared"));
    // What libcu++ calls in place of an instruction that the architecture which
    // is compiled for lacks.
    if (F->getName().starts_with("__cuda_ptx_") &&
        F->getName().contains("_supported_"))
      Name = "__cuda_ptx_cp_async_bulk_is_not_supported_before_SM_90__";
    K = isOwnFunction(F, Name) ? ApiKind::None : ByName.lookup(Name);
    const auto *M = dyn_cast<CXXMethodDecl>(F);
    const bool OfThread = M ? ::isThreadPipeline(M->getParent())
                            : cpasync::isThreadPipeline(F->getReturnType());
    if (OfThread && effectsOf(K) & EffectBarrier)
      K = ApiKind::None; // counts its batches itself
  }
  return Apis[F] = K;
}

// The toolkit's headers do not say that these do not return.
static bool stopsKernel(const FunctionDecl *F) {
  if (F->isNoReturn())
    return true;
  const IdentifierInfo *Name = F->getIdentifier();
  return Name && llvm::is_contained({"__assert_fail", "__assertfail",
                                     "__assert_rtn", "_wassert"},
                                    Name->getName());
}

bool Recognizer::stopsKernel(const Stmt *S) {
  if (const auto *C = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *F = C->getDirectCallee();
    return F && ::stopsKernel(F);
  }
  const auto *A = dyn_cast<GCCAsmStmt>(S);
  if (!A)
    return false;
  const auto &Instructions = inlineAsm(A).Template.Instructions;
  return Instructions.size() == 1 && Instructions[0].Guard.empty() &&
         Instructions[0].startsWith("trap");
}

StringRef Recognizer::specialRegister(const FunctionDecl *F) {
  F = F->getCanonicalDecl();
  return api(F) == ApiKind::SpecialRegister ? StringRef(Registers[F])
                                            : StringRef();
}

unsigned cpasync::effectsOf(ApiKind K) {
  switch (K) {
  case ApiKind::None:
    return EffectNone;
#define ASYNC_API(Kind, Effects, Handler, ...)                                 \
  case ApiKind::Kind:                                                          \
    return Effects;
#include "lib/source/AsyncApis.def"
  }
  llvm_unreachable("a kind without a row does not compile");
}

unsigned cpasync::effectsOf(PtxOpKind K) {
  switch (K) {
  case PtxOpKind::Copy:
    return EffectCopy;
  case PtxOpKind::Commit:
  case PtxOpKind::WaitGroup:
  case PtxOpKind::WaitAll:
  case PtxOpKind::BulkCommit:
  case PtxOpKind::BulkWaitGroup:
  case PtxOpKind::WgmmaCommit:
  case PtxOpKind::WgmmaWait:
    return EffectGroup;
  case PtxOpKind::BulkLoad:
  case PtxOpKind::ClusterCopy:
  case PtxOpKind::ClusterStore:
    return EffectCopy | EffectGroup | EffectBarrier;
  case PtxOpKind::BulkCopy:
    return EffectCopy | EffectUnknown;
  case PtxOpKind::BulkStore:
    return EffectCopy;
  case PtxOpKind::SharedLoad:
  case PtxOpKind::SharedStore:
  case PtxOpKind::SharedAtomic:
  case PtxOpKind::GenericLoad:
  case PtxOpKind::GenericStore:
  case PtxOpKind::GenericAtomic:
  case PtxOpKind::Ldmatrix:
  case PtxOpKind::Stmatrix:
  case PtxOpKind::Wgmma:
  case PtxOpKind::DescriptorRead:
    return EffectMemory | EffectShared;
  case PtxOpKind::BarrierSync:
  case PtxOpKind::BarrierArrive:
  case PtxOpKind::WarpBarrier:
  case PtxOpKind::InitFence:
  case PtxOpKind::ProxyFence:
    return EffectBarrier;
  case PtxOpKind::ClusterArrive:
  case PtxOpKind::ClusterWait:
    return EffectBarrier | EffectMeetsBlocks;
  case PtxOpKind::CopyMbarrierArrive:
  case PtxOpKind::MbarrierInit:
  case PtxOpKind::MbarrierInval:
  case PtxOpKind::MbarrierExpectTx:
  case PtxOpKind::MbarrierCompleteTx:
  case PtxOpKind::MbarrierArrive:
  case PtxOpKind::MbarrierWait:
  case PtxOpKind::MbarrierOther:
    return EffectGroup | EffectBarrier;
  case PtxOpKind::BulkPrefetch:
  case PtxOpKind::Fence:
  case PtxOpKind::Compute:
  case PtxOpKind::Branch:
  case PtxOpKind::Exit:
  case PtxOpKind::Memory:
  case PtxOpKind::Other:
    return EffectNone;
  }
  return EffectNone;
}

const AsmInfo &Recognizer::inlineAsm(const GCCAsmStmt *S) {
  std::unique_ptr<AsmInfo> &Known = Asms[S];
  if (Known)
    return *Known;
  Known = std::make_unique<AsmInfo>();
  std::vector<std::string> Names;
  llvm::SmallVector<char, 8> Constraints;
  auto Letter = [](StringRef C) -> char {
    for (char Ch : C)
      if (isalpha(static_cast<unsigned char>(Ch)))
        return Ch;
    return 0;
  };
  for (unsigned I = 0; I < S->getNumOutputs(); ++I) {
    Names.push_back(S->getOutputName(I).str());
    Constraints.push_back(Letter(S->getOutputConstraint(I)));
  }
  for (unsigned I = 0; I < S->getNumInputs(); ++I) {
    Names.push_back(S->getInputName(I).str());
    Constraints.push_back(Letter(S->getInputConstraint(I)));
  }
  Known->Template = readPtx(S->getAsmString(), Names);
  const auto &Instructions = Known->Template.Instructions;
  for (size_t I = 0; I < Instructions.size(); ++I) {
    // Only cp.async has operands whose role depends on a register's type.
    std::vector<PtxRegisterType> Registers;
    if (Instructions[I].startsWith("cp.async"))
      Registers = registersAt(Known->Template, I);
    Known->Ops.push_back(classifyPtx(Instructions[I], Registers, Constraints));
    if (Instructions[I].K == PtxInstruction::Kind::Instruction) {
      unsigned E = effectsOf(Known->Ops.back().Kind);
      if (Known->Ops.back().OtherBlocks)
        E |= EffectOtherBlocks;
      Known->Effects |= E;
      Known->Operations += (E & (EffectCopy | EffectGroup)) != 0 ||
                           Known->Ops.back().Kind == PtxOpKind::Wgmma;
    }
  }
  for (const PtxProblem &P : Known->Template.Problems)
    if (P.TouchesAsync)
      Known->Effects |= EffectUnknown;
  return *Known;
}
