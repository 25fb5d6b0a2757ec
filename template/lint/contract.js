import { HANDLER } from './durable-objects.js';
import { rule } from './rule.js';
import { nameOf } from './tree.js';

export const noUnlistedMethod = rule('contract', ({ node, contracts }, report) => {
  const entries = contracts.flatMap((contract) => contract?.properties ?? [undefined]);
  // A contract out of sight, or one that spreads another, may list anything.
  if (!entries.length || entries.some((entry) => entry?.type !== 'Property')) return;
  const listed = new Set(entries.map(nameOf));
  for (const member of node.body.body) {
    const name = nameOf(member);
    const isPublic = !member.static && !/private|protected/.test(member.accessibility);
    if (member.kind !== 'method' || !isPublic || !name || /^[#_]/.test(name) || HANDLER.test(name))
      continue;
    if (!listed.has(name))
      report(
        member.key,
        `'${name}' is public but in no contract, so clients cannot call it. List it in the contract, or ` +
          'mark it private.',
      );
  }
});

export const noMissingMethod = rule('contract', ({ contracts, methods, isWhole }, report) => {
  for (const contract of isWhole ? contracts : []) {
    for (const entry of contract?.properties ?? []) {
      const name = entry.key && nameOf(entry);
      if (name && !methods.has(name))
        report(
          entry.key,
          `The contract lists '${name}', which is no method of the class: lumenizeRpcDO throws when the ` +
            'Worker starts. Write the method, or remove the entry.',
        );
    }
  }
});
