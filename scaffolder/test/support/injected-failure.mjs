/**
 * Preload: at the file that `FAIL_AT` names, writing or copying it fails with the error that
 * `FAIL_WITH` names, as a full disk would make it, or the process gets that signal.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { constants } from 'node:os';

const { FAIL_AT = '', FAIL_WITH = '' } = process.env;

/** @param {unknown} path */
function failAt(path) {
  if (!String(path).endsWith(FAIL_AT)) return;
  if (FAIL_WITH.startsWith('SIG')) {
    process.kill(process.pid, FAIL_WITH);
    return;
  }
  const errno = -(/** @type {Record<string, number>} */ (constants.errno)[FAIL_WITH] ?? 0);
  const error = new Error(`${FAIL_WITH}: injected, open '${path}'`);
  throw Object.assign(error, { code: FAIL_WITH, errno, syscall: 'open', path });
}

const { writeFileSync, copyFileSync, mkdirSync } = fs;
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
syncBuiltinESMExports();
