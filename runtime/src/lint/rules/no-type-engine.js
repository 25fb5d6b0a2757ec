/** Finds imports of TypeBox whose builders lumenize-rpc/typebox also has. */
import { fileRule } from '../rule.js';
import { nameOf, variableOf } from '../tree.js';

const FROM = 'lumenize-rpc/typebox';

/**
 * The names of the builders of lumenize-rpc/typebox. They are listed here, because reading the names from the module
 * would make a bundler keep all builders.
 */
export const BUILDERS = new Set(
  (
    'Any Array BigInt Boolean Cyclic Enum Function Integer Intersect KeyOf Literal Never Null Number Object Omit ' +
    'Optional Partial Pick Readonly Record Ref Refine Required String This Tuple Undefined Union Unknown Unsafe Void'
  ).split(' '),
);

export const noTypeEngine = fileRule(
  'contract',
  ({ sourceCode: source }, report) => {
    for (const node of source.ast.body) {
      const isImport = node.type === 'ImportDeclaration' && node.source.value === 'typebox';
      if (!isImport || node.importKind === 'type') continue;
      const values = node.specifiers.filter(({ importKind }) => importKind !== 'type');
      const names = values.flatMap((specifier) => namesOf(specifier, source));
      if (names.length === 0 || !names.every(isOffered)) continue;
      const fix = fixOf(node, source);
      report(
        node,
        "TypeBox's builders add up to 77 kB to the Worker, which each start evaluates. Import the builders of " +
          `${FROM}, which add less than 5 kB, and use \`import type\` for types.`,
        fix && ((fixer) => fixer.replaceText(node, fix)),
      );
    }
  },
  { fixable: 'code' },
);

/** Returns whether a name is the name of an offered builder, or of a type. */
const isOffered = (name) => BUILDERS.has(name) || /^(Static|T[A-Z]\w*)$/.test(name);

/** Returns whether a specifier imports all builders at once: `* as Type`, `{ Type }`, or the default. */
const isWhole = ({ type, imported }) =>
  type !== 'ImportSpecifier' || /^(Type|default)$/.test(nameOf(imported));

/** Returns the names that the file uses of an import. The name is `undefined` if it cannot be known. */
function namesOf(specifier, source) {
  if (!isWhole(specifier)) return [nameOf(specifier.imported)];
  return variableOf(specifier.local, source).references.map(({ identifier: { parent } }) =>
    parent.type === 'MemberExpression'
      ? nameOf(parent)
      : parent.type === 'TSQualifiedName'
        ? parent.right.name
        : undefined,
  );
}

/** Returns the import that replaces an import of TypeBox; `undefined` if that needs more than one line. */
function fixOf({ specifiers, source: from }, source) {
  const [only] = specifiers;
  if (specifiers.length === 1 && isWhole(only))
    return `import * as ${only.local.name} from '${FROM}';`;
  if (specifiers.some(isWhole)) return undefined;
  const text = source.getText(from.parent);
  return `${text.slice(0, text.lastIndexOf('typebox'))}${FROM}${text.slice(text.lastIndexOf('typebox') + 'typebox'.length)}`;
}
