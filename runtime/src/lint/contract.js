/** Rules about what a contract lists, and with which schemas. */
import { keywordProblem } from '../server/schemas/keywords.ts';
import { HANDLER } from './durable-objects.js';
import { rule } from './rule.js';
import { bare, below, definition, isFunction, nameOf, valueOf } from './tree.js';

/** A function in a field belongs to one instance. Callers reach only the methods of the class. */
const isField = ({ type }) => /Property/.test(type);

export const noUnlistedMethod = rule('contract', ({ node, contracts, source }, report) => {
  const entries = contracts.flatMap((contract) => contract?.properties ?? [undefined]);
  // A contract that is not in the file, or that spreads another, may list any method.
  if (!entries.length || entries.some((entry) => entry?.type !== 'Property')) return;
  const listed = new Set([...entries.map(nameOf), ...usedByCapabilities(source)]);
  for (const member of node.body.body) {
    const name = nameOf(member);
    const isPublic = !member.static && !/private|protected/.test(member.accessibility);
    const isMethod =
      !isField(member) && isFunction(bare(member.value)) && !/[gs]et/.test(member.kind);
    if (!isMethod || !isPublic || !name || /^[#_]/.test(name) || HANDLER.test(name)) continue;
    if (!listed.has(name))
      report(
        member.key,
        `'${name}' is public but in no contract, so clients cannot call it. List it in the contract, or ` +
          'mark it private.',
      );
  }
});

/**
 * The names that the file's capabilities may use of its object. Methods with these names cannot be private.
 */
function usedByCapabilities(source) {
  if (!/\bcapability\(/.test(source.text)) return [];
  return [...below(source.ast, source, () => false)]
    .filter(
      ({ type, object }) => type === 'MemberExpression' && bare(object).type !== 'ThisExpression',
    )
    .map(nameOf);
}

export const noMissingMethod = rule('contract', ({ contracts, methods, isWhole }, report) => {
  for (const contract of isWhole ? contracts : []) {
    for (const entry of contract?.properties ?? []) {
      const name = entry.key && nameOf(entry);
      const method = methods.get(name);
      if (!name || (method && !isField(method))) continue;
      report(
        entry.key,
        `The contract lists '${name}', which is ${method ? 'a function in a field, and ' : ''}no method of ` +
          'the class: every call to the class fails in development, and so does a deployment. Write the ' +
          'method, or remove the entry.',
      );
    }
  }
});

/** By TypeBox function: the types of its schema, and the index of the argument that has the keywords. */
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

/**
 * The calls of TypeBox in contracts, and in the file's variables that contracts use. Each call occurs once.
 */
function schemasIn(contracts, source) {
  const seen = new Set();
  const visit = (node) => {
    if (!node || seen.has(node)) return;
    seen.add(node);
    if (node.type === 'Identifier') visit(valueOf(node, source));
    for (const child of below(node, source, () => false)) {
      if (child.type === 'Identifier') visit(valueOf(child, source));
      else seen.add(child);
    }
  };
  for (const contract of contracts) visit(contract);
  return [...seen].filter(
    ({ type, callee }) => type === 'CallExpression' && isTypeBox(callee.object, source),
  );
}

/** Whether a node is TypeBox's `Type`, under any imported name. */
function isTypeBox(node, source) {
  const declared = node?.type === 'Identifier' && definition(node, source);
  return declared?.type === 'ImportBinding' && declared.parent.source.value === 'typebox';
}
