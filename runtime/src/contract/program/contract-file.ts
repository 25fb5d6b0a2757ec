/** Reads and writes the file of the contracts. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { jsonValidator } from '../../server/schemas/json-schema.ts';
import type { ContractFile } from '../written.ts';

/** The form of the file. A later version of the package may write another form. */
const VERSION = 1;

const ABOUT =
  'Written by `npx lumenize-rpc contract`: what the deployed classes promise. Commit it.';

const RESTORE = 'Restore the file that was committed with the last deployment.';

const argument = { type: 'object' };
const listOf = (items: object): object => ({ type: 'array', items });
const recordOf = (values: object): object => ({ type: 'object', additionalProperties: values });
const objectOf = (properties: object, ...required: string[]): object => ({
  type: 'object',
  properties,
  required,
});
const methods = recordOf(
  objectOf({ kind: { type: 'string' }, input: listOf(argument) }, 'kind', 'input'),
);

/** The form of the file, as far as a comparison relies on it. */
const VALIDATOR = jsonValidator(
  objectOf(
    {
      version: { const: VERSION },
      allowed: listOf({ type: 'string' }),
      classes: recordOf(
        objectOf(
          {
            bindings: listOf({ type: 'string' }),
            methods,
            capabilities: recordOf(
              objectOf({ address: listOf(argument), methods }, 'address', 'methods'),
            ),
          },
          'methods',
        ),
      ),
    },
    'version',
    'classes',
  ),
  'contract.json',
);

/** @throws Error that says what to do, for a file that is missing or cannot be read */
export function readContractFile(path: string): ContractFile {
  if (!existsSync(path)) {
    throw new Error(
      `There is no ${path} yet. Write it from what is deployed, with \`npx lumenize-rpc contract\`, and commit it.`,
    );
  }
  const text = readFileSync(path, 'utf8');
  if (/^(<{7}|={7}|>{7})( |$)/m.test(text)) {
    throw new Error(
      `${path} has the marks of a merge conflict. Take the file of the branch that is deployed, then check again.`,
    );
  }
  const file = parsed(path, text);
  if (Object.hasOwn(file, 'version') && file.version !== VERSION) {
    throw new Error(
      `${path} has the form ${String(file.version)}, and this version of lumenize-rpc reads ${VERSION}. Write it again with \`npx lumenize-rpc contract\`.`,
    );
  }
  const [issue] = VALIDATOR.validate(file).issues ?? [];
  if (issue) throw new Error(`${path} is damaged: ${issue.path} ${issue.message}. ${RESTORE}`);
  return file;
}

function parsed(path: string, text: string): ContractFile & { readonly version?: unknown } {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is not JSON: ${(cause as Error).message}. ${RESTORE}`, { cause });
  }
  const { classes } = Object(file) as { classes?: unknown };
  if (typeof classes !== 'object' || classes === null) {
    throw new Error(
      `${path} has no \`classes\`: it is not a file of \`npx lumenize-rpc contract\`.`,
    );
  }
  return file as ContractFile;
}

export function writeContractFile(path: string, { classes, allowed = [] }: ContractFile): void {
  const file = {
    about: ABOUT,
    version: VERSION,
    ...(allowed.length > 0 && { allowed }),
    classes,
  };
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
}
