/**
 * `npm run costs`: counts what calls and events cost in frames and rows, and writes the table into
 * docs/scale-and-cost.md.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { measureCosts } from './measure.ts';
import { costText } from './table.ts';

const PAGE = join(import.meta.dirname, '../../docs/scale-and-cost.md');
const PLACE = /(?<=<!-- costs -->\n).*(?=<!-- \/costs -->)/s;

const text = costText(await measureCosts());
await writeFile(PAGE, (await readFile(PAGE, 'utf8')).replace(PLACE, text));
console.log(text);
