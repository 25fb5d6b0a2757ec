/** How much memory a process has, found by the port that it listens on; as Linux tells it. Imports node: only. */
import { readdir, readFile, readlink } from 'node:fs/promises';

/** In `/proc/net/tcp`, the state of a socket that listens. */
const LISTENING = '0A';

/** @throws Error when nothing of ours listens there, or the system has no `/proc` */
export async function processListeningOn(port: number): Promise<number> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = (await readFile('/proc/net/tcp', 'utf8'))
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const inode = sockets.find(
    ([, local, , state]) => local?.endsWith(`:${hexPort}`) && state === LISTENING,
  )?.[9];
  for (const pid of await readdir('/proc')) {
    if (/^\d+$/.test(pid) && (await descriptors(pid)).includes(`socket:[${inode}]`))
      return Number(pid);
  }
  throw new Error(`No process listens on port ${port}`);
}

/** The resident size of a process, in KiB. */
export async function residentSize(pid: number): Promise<number> {
  const [, size] = /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(size);
}

/** What a process has open; nothing for one that is gone or another's. */
async function descriptors(pid: string): Promise<string[]> {
  const directory = `/proc/${pid}/fd`;
  const names = await readdir(directory).catch(() => []);
  return Promise.all(names.map((name) => readlink(`${directory}/${name}`).catch(() => '')));
}
