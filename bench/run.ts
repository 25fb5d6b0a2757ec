/**
 * `npm run bench`: measures this project and its peers, and writes results.json and RESULTS.md. parts.ts lists the
 * parts. `parts/` has the measurements, `contenders/` has the contenders, and `results/` has the format of the results,
 * their limits and their report.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Part } from './part.ts';
import { isPart, measurementNow, type PartName, PARTS } from './parts.ts';
import { report } from './results/report.ts';
import { lineOf, type Results, toJson } from './results/rows.ts';

const OWN_FOLDER = import.meta.dirname;
const parts = Object.entries(PARTS) as [PartName, Part][];

const chosen = readArguments();
if (chosen.isHelp) console.log(usage());
else await main();

async function main(): Promise<void> {
  const { names, out } = chosen;
  // Each runtime listens for signals, and several run at the same time.
  process.setMaxListeners(100);
  // rpc.do leaves promises that reject. These rejections must not end the measurement of other contenders.
  process.on('unhandledRejection', (error) => {
    if (!String((error as Error | undefined)?.stack).includes('/node_modules/')) throw error;
  });
  try {
    await mkdir(out, { recursive: true });
    for (const name of names) await measurePart(name);
    console.log(`bench: wrote ${join(out, 'RESULTS.md')}`);
    // Connections that a peer has left open must not keep the program alive.
    process.exit();
  } catch (error) {
    // A signal sets the exit code itself, and causes errors that need no message.
    if (process.exitCode === undefined) console.error('bench:', error);
    // Clients with open connections would reconnect for ever.
    process.exit(process.exitCode ?? 1);
  }
}

/** Writes the results after each part, so that they are not lost if a later part fails. Other parts stay as they are. */
async function measurePart(name: PartName): Promise<void> {
  const { isQuick, out } = chosen;
  console.log(`bench: ${name}`);
  const measured = measurementNow(isQuick);
  const rows = await PARTS[name].measure({
    isQuick,
    isRecorded: out === OWN_FOLDER && !isQuick,
    note: (text) => {
      if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${name}, ${text}`);
    },
  });
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
  for (const [index, row] of rows.entries()) {
    if (row.what !== rows[index - 1]?.what) console.log(row.what);
    console.log(`  ${lineOf(row)}`);
  }
  const json = join(out, 'results.json');
  const before = JSON.parse(await readFile(json, 'utf8').catch(() => '{}')) as Results;
  const results = { ...before, [name]: { measured, rows } };
  await writeFile(json, toJson(results));
  await writeFile(join(out, 'RESULTS.md'), report(results));
}

function usage(): string {
  const list = (isOnRequest: boolean): string =>
    parts
      .filter(([, part]) => (part.isOnRequest ?? false) === isOnRequest)
      .map(([name, { about, minutes }]) => `  ${name.padEnd(13)} ${about}; ${minutes} min`)
      .join('\n');
  const whole = parts
    .filter(([, { isOnRequest }]) => !isOnRequest)
    .reduce((sum, [, { minutes }]) => sum + minutes, 0);
  return `npm run bench -- [parts] [options]

Measures the named parts. Without names, it measures all of these parts, in about ${Math.ceil(whole)} minutes:

${list(false)}

These parts are measured only if they are named:

${list(true)}

  --quick         only checks that everything works; the figures mean little
  --out <folder>  the folder for the results. Default bench/. Results of other parts stay in it
  --help          prints this text`;
}

function readArguments() {
  const boolean = { type: 'boolean' } as const;
  const options = { quick: boolean, help: boolean, out: { type: 'string' } } as const;
  try {
    const { positionals, values } = parseArgs({ options, allowPositionals: true });
    const unknown = positionals.find((name) => !isPart(name));
    if (unknown !== undefined) throw new Error(`${unknown} is not a part of the bench`);
    const named = positionals.filter(isPart);
    const all = parts.flatMap(([name, { isOnRequest }]) => (isOnRequest ? [] : [name]));
    return {
      names: named.length > 0 ? named : all,
      isQuick: values.quick ?? false,
      out: resolve(values.out ?? OWN_FOLDER),
      isHelp: values.help ?? false,
    };
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage()}`);
    process.exit(2);
  }
}
