/** Finds entries of a contract for which the class has no method. */
import { rule } from '../rule.js';
import { isFieldMember, nameOf } from '../tree.js';

export const noMissingMethod = rule('contract', ({ contracts, methods, isWhole }, report) => {
  for (const contract of isWhole ? contracts : []) {
    for (const entry of contract?.properties ?? []) {
      const name = entry.key && nameOf(entry);
      const method = methods.get(name);
      if (!name || (method && !isFieldMember(method))) continue;
      report(
        entry.key,
        `The contract lists '${name}', which is ${method ? 'a function in a field, and ' : ''}not a method of ` +
          'the class. So every call to the class fails in development, and so does a deployment. Write the ' +
          'method, or remove the entry from the contract.',
      );
    }
  }
});
