/** Finds public methods that no contract lists. */
import { HANDLER } from '../classes/durable-objects.js';
import { rule } from '../rule.js';
import { descendants, isFieldMember, isFunction, nameOf, unwrapped } from '../tree.js';

export const noUnlistedMethod = rule('contract', ({ node, contracts, source }, report) => {
  const entries = contracts.flatMap((contract) => contract?.properties ?? [undefined]);
  // A contract that is not in the file, or that spreads another, may list any method.
  if (!entries.length || entries.some((entry) => entry?.type !== 'Property')) return;
  const listed = new Set([...entries.map(nameOf), ...usedByCapabilities(source)]);
  for (const member of node.body.body) {
    const name = nameOf(member);
    const isPublic = !member.static && !/private|protected/.test(member.accessibility);
    const isMethod =
      !isFieldMember(member) && isFunction(unwrapped(member.value)) && !/[gs]et/.test(member.kind);
    if (!isMethod || !isPublic || !name || /^[#_]/.test(name) || HANDLER.test(name)) continue;
    if (!listed.has(name))
      report(
        member.key,
        `'${name}' is public but in no contract, so clients cannot call it. List it in the contract, by ` +
          'internal([…]) if only other objects and Workers call it, or mark it private.',
      );
  }
});

/**
 * Returns the names that the file's capabilities may use of its object. Methods with these names cannot be private.
 */
function usedByCapabilities(source) {
  if (!/\bcapability\(/.test(source.text)) return [];
  return [...descendants(source.ast, source, () => false)]
    .filter(
      ({ type, object }) =>
        type === 'MemberExpression' && unwrapped(object).type !== 'ThisExpression',
    )
    .map(nameOf);
}
