/** The command line of `lumenize-rpc contract`. */
import { parseArgs } from 'node:util';
import { type Meeting } from '../changes/rules.ts';

export const USAGE = `Usage: npx lumenize-rpc contract [options]

Writes the contract of each class that the Worker exports into contract.json: what its methods take
and send. Commit the file, and write it again with each deployment.

  --check            compares the Worker with the file, which stays as it is. It says what each change
                     breaks, and what to do instead. If a change breaks something, it exits with 1
  --allow <change>   with --check, adds a change to the file's list of allowed ones, such as
                     "Room.post[0] argument-narrowed". Writing the file empties the list. Repeatable
  --ignore <who>     with --check, does not fail for what breaks only: old-page, an old page that meets
                     a new object; new-page, a new page that meets an old object; or stored, events
                     and capabilities that are stored. Repeatable
  --file <path>      the file. Default contract.json, beside the configuration
  --config <path>    the configuration of the Worker. Default wrangler.jsonc, wrangler.json or
                     wrangler.toml in this folder
  --help             prints this text`;

const MEETING_NAMES: Readonly<Record<string, Meeting>> = {
  'old-page': 'oldPage',
  'new-page': 'newPage',
  stored: 'stored',
};

export interface Options {
  readonly help: boolean;
  readonly check: boolean;
  readonly allow: readonly string[];
  readonly ignore: ReadonlySet<Meeting>;
  readonly file: string | undefined;
  readonly config: string | undefined;
}

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean', default: false } as const;

/**
 * @param args - without the paths of Node and the program
 * @throws Error if an argument is wrong; its message describes the problem
 */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { check: flag, help: flag, allow: texts, ignore: texts, file: text, config: text },
  });
  const { help, check, allow = [], ignore = [], file, config } = values;
  const [command, ...more] = positionals;
  if (!help && command !== 'contract') {
    throw new Error(
      command === undefined ? 'the command is missing' : `${command}: there is no such command`,
    );
  }
  if (more.length > 0) throw new Error(`${more.join(' ')}: not an option`);
  if (!check && allow.length > 0) throw new Error('--allow needs --check');
  if (!check && ignore.length > 0) throw new Error('--ignore needs --check');
  const meetings = ignore.map((name) => {
    if (!Object.hasOwn(MEETING_NAMES, name)) {
      throw new Error(`--ignore ${name}: use ${Object.keys(MEETING_NAMES).join(', ')}`);
    }
    return MEETING_NAMES[name] as Meeting;
  });
  return { help, check, allow, ignore: new Set(meetings), file, config };
}
