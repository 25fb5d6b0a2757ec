/** The configuration file that the bare workerd binary reads, as text. Imports nothing. */

export interface WorkerdSettings {
  /** File name of the bundled worker, beside the configuration file. */
  main: string;
  compatibilityDate: string;
  compatibilityFlags: readonly string[];
  /** Every Durable Object binding; each class has SQLite storage. */
  durableObjects: readonly { binding: string; className: string }[];
  /** Directory for the objects' databases, relative to where workerd runs. */
  storage: string;
}

/** The name of the socket in the configuration; workerd reports its port under it. */
export const SOCKET = 'http';

/** Port 0 lets the system choose; only this machine can connect. */
export function workerdConfig(settings: WorkerdSettings): string {
  const { main, compatibilityDate, compatibilityFlags, durableObjects, storage } = settings;
  const classes = new Set(durableObjects.map(({ className }) => className));
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),
    (name = "disk", disk = (path = ${quote(storage)}, writable = true)),
  ],
  sockets = [(name = ${quote(SOCKET)}, address = "127.0.0.1:0", http = (), service = "worker")],
);

const worker :Workerd.Worker = (
  modules = [(name = ${quote(main)}, esModule = embed ${quote(main)})],
  compatibilityDate = ${quote(compatibilityDate)},
  compatibilityFlags = ${list(compatibilityFlags.map(quote))},
  durableObjectStorage = (localDisk = "disk"),
  durableObjectNamespaces = ${list(
    [...classes].map(
      (name) => `(className = ${quote(name)}, uniqueKey = ${quote(name)}, enableSql = true)`,
    ),
  )},
  bindings = ${list(
    durableObjects.map(
      ({ binding, className }) =>
        `(name = ${quote(binding)}, durableObjectNamespace = ${quote(className)})`,
    ),
  )},
);
`;
}

/** For names, dates and paths the string literals of Cap'n Proto and JSON are the same. */
function quote(text: string): string {
  return JSON.stringify(text);
}

function list(items: readonly string[]): string {
  return `[${items.join(', ')}]`;
}
