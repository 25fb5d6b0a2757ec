/** The configuration file that the bare workerd binary reads, as text. */

export interface WorkerdSettings {
  /** File name of the bundled worker, beside the configuration file. */
  main: string;
  compatibilityDate: string;
  compatibilityFlags: readonly string[];
  /** The classes, as in wrangler.jsonc. Each class has SQLite storage. */
  bindings: readonly { name: string; class_name?: string | undefined }[];
  /** Directory for the objects' databases, relative to where workerd runs. */
  storage: string;
}

/** The name of the socket in the configuration; workerd reports its port under it. */
export const SOCKET = 'http';

/** For names, dates and paths the string literals of Cap'n Proto and JSON are the same. */
const quote = (text: string): string => JSON.stringify(text);

/** Returns the configuration. With port 0 the system chooses a port. Only this machine can connect. */
export function workerdConfig(settings: WorkerdSettings): string {
  const { main, compatibilityDate, compatibilityFlags, bindings, storage } = settings;
  const classes = new Set(bindings.map(({ name, class_name = name }) => quote(class_name)));
  const namespaces = [...classes].map(
    (name) => `(className = ${name}, uniqueKey = ${name}, enableSql = true)`,
  );
  const bound = bindings.map(
    ({ name, class_name = name }) =>
      `(name = ${quote(name)}, durableObjectNamespace = ${quote(class_name)})`,
  );
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
  compatibilityFlags = [${compatibilityFlags.map(quote).join(', ')}],
  durableObjectStorage = (localDisk = "disk"),
  durableObjectNamespaces = [${namespaces.join(', ')}],
  bindings = [${bound.join(', ')}],
);
`;
}
