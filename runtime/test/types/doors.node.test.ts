/**
 * Tests the types of the doors. A door exports the names of all types that its functions take and
 * return, because the declarations of a project can name no other types. Each option may be
 * `undefined`, which is its default.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type TypeScript from '../../../e2e/compilers/typescript-6/node_modules/typescript/lib/typescript.js';

const RUNTIME = join(import.meta.dirname, '../..');
const ts = createRequire(join(RUNTIME, '../e2e/compilers/typescript-6/package.json'))(
  'typescript',
) as typeof TypeScript;

const DOORS = [
  'client',
  'server',
  'http',
  'mcp',
  'react',
  'tanstack',
  'relay',
  'testing',
  'typebox',
  'debug',
  'perf',
];

/** Types that users pass on without using their members. */
const OPAQUE = new Set(['Session', 'CompiledContract', 'Featured']);

/** Types that the package returns, and users only read. */
const RETURNED =
  /^(RpcError|LiveState|ConnectionStatus|ConnectionDetails|(Client)?Call(Report|Start)|(Started|Ended)Call|(Object|Connection)Report|CounterConnection|SocketEvent|MethodEntry|OpenApiDocument)$/;

const { config } = ts.readConfigFile(join(RUNTIME, 'tsconfig.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, RUNTIME);
const program = ts.createProgram(
  DOORS.map((door) => join(RUNTIME, `src/${door}.ts`)),
  { ...options, exactOptionalPropertyTypes: true, noEmit: true },
);
const checker = program.getTypeChecker();

/** Returns true if the package declares the symbol, and not the platform. */
function isOwn(symbol: TypeScript.Symbol | undefined): symbol is TypeScript.Symbol {
  return (symbol?.declarations ?? []).some(
    (declaration) =>
      declaration.getSourceFile().fileName.startsWith(join(RUNTIME, 'src')) &&
      // The symbol is not in `declare global`.
      !ts.isModuleBlock(declaration.parent),
  );
}

/** Returns the types that a door exports, and all types that it mentions. */
function lookThrough(door: string) {
  const source = program.getSourceFile(join(RUNTIME, `src/${door}.ts`));
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`No module ${door}`);
  const exported = new Set<TypeScript.Symbol>();
  const unnamed = new Map<string, string>();
  const strict = new Set<string>();
  const seen = new Set<TypeScript.Type>();
  const waiting: [type: TypeScript.Type, from: string][] = [];
  const visit = (type: TypeScript.Type | undefined, from: string): void => {
    if (!type || seen.has(type)) return;
    seen.add(type);
    waiting.push([type, from]);
  };

  for (const symbol of checker.getExportsOfModule(module)) {
    const { ExportSpecifier } = ts.SyntaxKind;
    const specifier = symbol.declarations?.find(({ kind }) => kind === ExportSpecifier);
    const isTypeOnly =
      specifier && ts.isExportSpecifier(specifier) && ts.isTypeOnlyExportDeclaration(specifier);
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    exported.add(target);
    const { name } = symbol;
    if (target.flags & ts.SymbolFlags.Value && !isTypeOnly)
      visit(checker.getTypeOfSymbol(target), name);
    if (target.flags & ts.SymbolFlags.Type) visit(checker.getDeclaredTypeOfSymbol(target), name);
  }

  const visitProperty = (owner: TypeScript.Symbol, property: TypeScript.Symbol, from: string) => {
    const [declaration] = property.declarations ?? [];
    if (/^[~#]/.test(property.name) || !declaration || !isOwn(property)) return;
    if (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) return;
    const type = checker.getTypeOfSymbol(property);
    const isOption = exported.has(owner) && !RETURNED.test(owner.name);
    if (isOption && ts.isPropertySignature(declaration) && declaration.questionToken) {
      const written = declaration.type && checker.getTypeFromTypeNode(declaration.type);
      const undefinedType = checker.getUndefinedType();
      if (written && !checker.isTypeAssignableTo(undefinedType, written))
        strict.add(`${owner.name}.${property.name}`);
    }
    visit(type, `${from}.${property.name}`);
  };

  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [type, from] = next;
    const { symbol } = type;
    const { Interface, Class, Enum, Function: Typeof } = ts.SymbolFlags;
    const isNamed = Interface | Class | Enum | Typeof;
    // An export may have the type of another function. Users see its signature.
    const isFunction = symbol?.flags === Typeof && !/[.()<]/.test(from);
    if (isOwn(symbol) && symbol.flags & isNamed && !exported.has(symbol) && !isFunction)
      unnamed.set(symbol.name, from);
    for (const argument of type.aliasTypeArguments ?? []) visit(argument, from);
    if (type.isUnionOrIntersection()) for (const part of type.types) visit(part, from);
    if (!(type.flags & ts.TypeFlags.Object)) continue;
    if ((type as TypeScript.ObjectType).objectFlags & ts.ObjectFlags.Reference) {
      const parts = checker.getTypeArguments(type as TypeScript.TypeReference);
      for (const argument of parts) visit(argument, from);
    }
    if (symbol && (!isOwn(symbol) || OPAQUE.has(symbol.name))) continue;
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      visit(signature.getReturnType(), `${from}()`);
      for (const parameter of signature.parameters)
        visit(checker.getTypeOfSymbol(parameter), `${from}(${parameter.name})`);
      for (const { symbol: parameter } of signature.typeParameters ?? [])
        visit(checker.getDeclaredTypeOfSymbol(parameter).getConstraint(), `${from}<>`);
    }
    if (type.isClassOrInterface()) for (const base of checker.getBaseTypes(type)) visit(base, from);
    for (const property of type.getProperties()) if (symbol) visitProperty(symbol, property, from);
  }
  return { unnamed: Object.fromEntries(unnamed), strict: [...strict] };
}

test.each(DOORS)('%s exports the types that its functions take and return', (door) => {
  expect(lookThrough(door).unnamed).toEqual({});
});

test.each(DOORS)('each option of %s may be undefined', (door) => {
  expect(lookThrough(door).strict).toEqual([]);
});
