/** The debug output of a connection of an object. */
import type { Connection } from '../../../server/feature.ts';
import { objectNameOf } from '../../../wire/object-name.ts';
import { shownClient } from '../../../wire/shown-client.ts';
import { FrameLog, type LogOptions } from '../wire/frame-log.ts';

const logs = new WeakMap<Connection, FrameLog>();

/** Returns the log of a connection, which is made at its first frame. */
export function logOf(connection: Connection, instance: object, options?: LogOptions): FrameLog {
  let log = logs.get(connection);
  if (!log) {
    const { class: name, object } = objectNameOf(instance);
    const { client } = connection;
    log = new FrameLog(`${name}/${object} ${client ? shownClient(client) : '?'}`, options);
    logs.set(connection, log);
  }
  return log;
}
