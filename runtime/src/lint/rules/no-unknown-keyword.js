/** Finds keywords in the schemas of a contract that would check nothing. */
import { keywordProblem } from '../../server/diagnostics/keywords.ts';
import { rule } from '../rule.js';
import { definition, descendants, nameOf, valueOf } from '../tree.js';

/** For each TypeBox function: the types of its schema, and the index of the argument that has the keywords. */
const KINDS = new Map([
  ...['String', 'Number', 'Integer', 'BigInt', 'Boolean', 'Null'].map((kind) => [
    kind,
    { types: [kind.toLowerCase()], at: 0 },
  ]),
  ...['Any', 'Unknown', 'Unsafe'].map((kind) => [kind, { types: [], at: 0 }]),
  ...['Enum', 'Intersect', 'Literal', 'Union'].map((kind) => [kind, { types: [], at: 1 }]),
  ['TemplateLiteral', { types: ['string'], at: 1 }],
  ['Array', { types: ['array'], at: 1 }],
  ['Tuple', { types: ['array'], at: 1 }],
  ['Object', { types: ['object'], at: 1 }],
  ['Record', { types: ['object'], at: 2 }],
]);

export const noUnknownKeyword = rule('contract', ({ contracts, source }, report) => {
  for (const call of schemasIn(contracts, source)) {
    const { types, at } = KINDS.get(nameOf(call.callee)) ?? {};
    const options = types && call.arguments[at] && valueOf(call.arguments[at], source);
    for (const property of options?.properties ?? []) {
      const keyword = property.key && nameOf(property);
      const problem = keyword && keywordProblem(keyword, types);
      if (problem)
        report(
          property.key,
          `The schema has ${problem.replace(/\w$|\)$/, '$&.')} Every call to the class fails in ` +
            'development, and so does a deployment. Write a keyword that checks the type.',
        );
    }
  }
});

/** Returns the calls of TypeBox in contracts, and in the file's variables that contracts use. Each call occurs once. */
function schemasIn(contracts, source) {
  const seen = new Set();
  const visit = (node) => {
    if (!node || seen.has(node)) return;
    seen.add(node);
    if (node.type === 'Identifier') visit(valueOf(node, source));
    for (const child of descendants(node, source, () => false)) {
      if (child.type === 'Identifier') visit(valueOf(child, source));
      else seen.add(child);
    }
  };
  for (const contract of contracts) visit(contract);
  return [...seen].filter(
    ({ type, callee }) => type === 'CallExpression' && isTypeBox(callee.object, source),
  );
}

/** Returns whether a node is TypeBox's `Type`, under any imported name. */
function isTypeBox(node, source) {
  const declared = node?.type === 'Identifier' && definition(node, source);
  return (
    declared?.type === 'ImportBinding' &&
    /^(lumenize-rpc\/)?typebox$/.test(declared.parent.source.value)
  );
}
