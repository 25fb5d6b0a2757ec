#!/usr/bin/env node
/** The program `lumenize-rpc`: `npx lumenize-rpc contract`. */
import { dirname, join, relative, resolve } from 'node:path';
import { compareContracts, nameOf, uncomparedPlaces } from '../changes/compare-contracts.ts';
import { readContractFile, writeContractFile } from './contract-file.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { formatReport, judge } from './report.ts';
import { contractsOfWorker, findConfig } from './worker-contracts.ts';

/** @returns the exit code: 1 for a change that breaks something, 2 if the contracts cannot be checked */
async function main(): Promise<number> {
  let options: Options;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`lumenize-rpc: ${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  try {
    return await (options.check ? check(options) : write(options));
  } catch (error) {
    console.error(`lumenize-rpc: ${(error as Error).message}`);
    return 2;
  }
}

function fileOf({ file }: Options, config: string): string {
  const path = file ? resolve(file) : join(dirname(config), 'contract.json');
  return relative(process.cwd(), path);
}

async function write(options: Options): Promise<number> {
  const config = findConfig(options.config);
  const classes = await contractsOfWorker(config, options.env);
  const path = fileOf(options, config);
  const names = Object.keys(classes);
  if (names.length === 0) {
    throw new Error(
      'The Worker exports no class of lumenizeRpcDO, so there is no contract to write.',
    );
  }
  writeContractFile(path, { classes });
  console.log(`${path} has the contracts of ${names.join(', ')}.`);
  return 0;
}

async function check(options: Options): Promise<number> {
  const config = findConfig(options.config);
  const path = fileOf(options, config);
  const file = readContractFile(path);
  const classes = await contractsOfWorker(config, options.env);
  const changes = compareContracts(file.classes, classes);
  const names = new Set(changes.filter(({ breaks }) => breaks.size > 0).map(nameOf));
  const wrong = options.allow.find((name) => !names.has(name));
  if (wrong !== undefined) {
    throw new Error(`--allow ${wrong}: no change of this name breaks something.`);
  }
  const allowed = [...new Set([...(file.allowed ?? []), ...options.allow])];
  if (options.allow.length > 0) writeContractFile(path, { ...file, allowed });
  const judged = judge(changes, allowed, options.ignore);
  console.log(formatReport(judged, uncomparedPlaces(classes)));
  return judged.failing.length > 0 ? 1 : 0;
}

process.exitCode = await main();
