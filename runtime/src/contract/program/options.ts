/** The command line of `lumenize-rpc contract`. */
import { parseArgs } from 'node:util';
import { type Meeting } from '../changes/rules.ts';

export const USAGE = `Usage: npx lumenize-rpc contract [options]

Writes the contract of each class that the Worker exports into contract.json: the arguments and the
results of its methods. Commit the file, and write it again with each deployment.

  --check            compares the Worker with the file, and does not change the file. It prints the
                     effects of each change, and how to avoid them. It exits with 1 if a change breaks
                     something
  --allow <change>   with --check, adds a change to the list of allowed changes in the file, such as
                     "Room.post[0] argument-narrowed". Writing the file empties the list. Repeatable
  --ignore <what>    with --check, ignores changes that break only this. Repeatable:
                       old-page  old pages that call a new object
                       new-page  new pages that call an old object
                       stored    stored events and capabilities
  --file <path>      the file. Default contract.json, beside the configuration
  --config <path>    the configuration of the Worker. Default wrangler.jsonc, wrangler.json or
                     wrangler.toml in this folder
  --env <name>       the environment of the configuration, as for wrangler deploy
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
  readonly env: string | undefined;
}

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean', default: false } as const;

/**
 * @param args - the arguments, without the paths of Node and the program
 * @throws Error if an argument is wrong; its message describes the problem
 */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parsed(args);
  const { help, check, allow = [], ignore = [], file, config, env } = values;
  const [command, ...more] = positionals;
  if (!help && command !== 'contract') {
    throw new Error(
      command === undefined
        ? 'the command is missing: use npx lumenize-rpc contract'
        : `${command} is not a command: use npx lumenize-rpc contract`,
    );
  }
  if (more.length > 0) throw new Error(`${more.join(' ')} is not an option`);
  if (!check && allow.length > 0) throw new Error('--allow needs --check');
  if (!check && ignore.length > 0) throw new Error('--ignore needs --check');
  const meetings = ignore.map((name) => {
    if (!Object.hasOwn(MEETING_NAMES, name)) {
      throw new Error(`--ignore ${name}: use ${Object.keys(MEETING_NAMES).join(', ')}`);
    }
    return MEETING_NAMES[name] as Meeting;
  });
  return { help, check, allow, ignore: new Set(meetings), file, config, env };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        check: flag,
        help: flag,
        allow: texts,
        ignore: texts,
        file: text,
        config: text,
        env: text,
      },
    });
  } catch (cause) {
    // Node adds advice on arguments that begin with a hyphen, which this program does not take.
    const [problem = ''] = (cause as Error).message.split(/\.\s/);
    throw new Error(problem, { cause });
  }
}
