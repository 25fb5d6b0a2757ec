/** Program: `degit-fetcher.mjs <source> <directory>`; on failure prints the causes and exits 1. */
import degit from 'degit';

const [source, directory = '.'] = process.argv.slice(2);
/** @type {Set<string>} */
const causes = new Set();

try {
  const fetcher = degit(source, { force: true });
  // What degit only warns of (no network, no such repository) is often the cause of its failure.
  fetcher.on('warn', (warning) => collectCauses(warning));
  await fetcher.clone(directory);
} catch (error) {
  collectCauses(error);
  for (const cause of causes) console.error(`  ${cause}`);
  process.exitCode = 1;
}

/**
 * @param {unknown} error - degit's errors and warnings keep what caused them in `original`
 */
function collectCauses(error) {
  if (!(error instanceof Object)) return;
  if ('message' in error && error.message) causes.add(String(error.message));
  if ('original' in error) collectCauses(error.original);
  if ('cause' in error) collectCauses(error.cause);
}
