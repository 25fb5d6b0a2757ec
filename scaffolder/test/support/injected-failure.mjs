/**
 * Preload. Writing or copying the path `FAIL_AT` fails with the error `FAIL_WITH`, as on a full disk, or sends
 * the process the signal `FAIL_WITH`. Paths that match `HELD` can be replaced once, and not removed, as if
 * another program had opened them.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { constants } from 'node:os';

const { FAIL_AT = 'no path', FAIL_WITH = '', HELD = '(?!)' } = process.env;
let replaced = false;

/** @param {unknown} path */
function failAt(path) {
  if (!String(path).endsWith(FAIL_AT)) return;
  if (FAIL_WITH.startsWith('SIG')) {
    process.kill(process.pid, FAIL_WITH);
    return;
  }
  fail(FAIL_WITH, 'open', path);
}

/**
 * @param {string} code
 * @param {string} syscall
 * @param {unknown} path
 */
function fail(code, syscall, path) {
  const errno = -(/** @type {Record<string, number>} */ (constants.errno)[code] ?? 0);
  const error = new Error(`${code}: injected, ${syscall} '${path}'`);
  throw Object.assign(error, { code, errno, syscall, path });
}

/** @param {unknown} path */
const isHeld = (path) => new RegExp(HELD).test(String(path));

const { writeFileSync, copyFileSync, mkdirSync, renameSync, rmSync } = fs;
fs.writeFileSync = (path, ...rest) => {
  failAt(path);
  writeFileSync(path, ...rest);
};
fs.copyFileSync = (source, destination, mode) => {
  failAt(destination);
  copyFileSync(source, destination, mode);
};
fs.mkdirSync = (path, options) => {
  failAt(path);
  return mkdirSync(path, options);
};
fs.renameSync = (source, destination) => {
  failAt(destination);
  if (isHeld(destination) && replaced) fail('EBUSY', 'rename', `${source}' -> '${destination}`);
  replaced ||= isHeld(destination);
  renameSync(source, destination);
};
fs.rmSync = (path, options) => {
  if (isHeld(path)) fail('EBUSY', 'rm', path);
  rmSync(path, options);
};
syncBuiltinESMExports();
