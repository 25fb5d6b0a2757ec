/** Writes the configuration file that the bare workerd binary reads, as text. */
import { extname } from 'node:path';

export interface WorkerdSettings {
  /** File name of the bundled Worker, beside the configuration file. */
  main: string;
  /** File names of the other modules. Default: none. */
  modules?: readonly string[];
  compatibilityDate: string;
  compatibilityFlags: readonly string[];
  /** The bindings, as in wrangler.jsonc. Each class has SQLite storage. Objects of other Workers are left out. */
  bindings: readonly {
    name: string;
    class_name?: string | undefined;
    script_name?: string | undefined;
  }[];
  /** The variables, as in wrangler.jsonc. Default: none. */
  vars?: Readonly<Record<string, unknown>>;
  /**
   * Directory for the objects' databases, relative to where workerd runs. Without it, the storage is in memory, and
   * the Worker has no socket.
   */
  storage?: string;
}

/** The name of the socket in the configuration; workerd reports its port under it. */
export const SOCKET = 'http';

/** The kind of a module, by the ending of its file. */
const MODULES: Readonly<Record<string, string>> = {
  '.js': 'esModule',
  '.mjs': 'esModule',
  '.wasm': 'wasm',
  '.txt': 'text',
  '.html': 'text',
  '.sql': 'text',
  '.bin': 'data',
};

export function isModule(file: string): boolean {
  return Object.hasOwn(MODULES, extname(file));
}

/** Writes a string literal of Cap'n Proto, which differs from JSON in the escapes of control characters. */
function quote(text: string): string {
  return JSON.stringify(text).replace(/\\(?:u00|.)/g, (escape) =>
    escape === '\\u00' ? '\\x' : escape,
  );
}

/** Returns the configuration. With port 0 the system chooses a port. Only this machine can connect. */
export function workerdConfig(settings: WorkerdSettings): string {
  const {
    main,
    modules = [],
    compatibilityDate,
    compatibilityFlags,
    vars = {},
    storage,
  } = settings;
  const embedded = [main, ...modules].map(
    (file) => `(name = ${quote(file)}, ${MODULES[extname(file)]} = embed ${quote(file)})`,
  );
  const bindings = settings.bindings.filter(({ script_name }) => !script_name);
  const classes = new Set(bindings.map(({ name, class_name = name }) => quote(class_name)));
  const namespaces = [...classes].map(
    (name) => `(className = ${name}, uniqueKey = ${name}, enableSql = true)`,
  );
  const variables = Object.entries(vars).map(([name, value]) => {
    const [form, text] =
      typeof value === 'string' ? ['text', value] : ['json', JSON.stringify(value)];
    return `(name = ${quote(name)}, ${form} = ${quote(text as string)})`;
  });
  const bound = bindings.map(
    ({ name, class_name = name }) =>
      `(name = ${quote(name)}, durableObjectNamespace = ${quote(class_name)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),${storage === undefined ? '' : disk(storage)}
  ],${storage === undefined ? '' : LISTENING}
);

const worker :Workerd.Worker = (
  modules = [${embedded.join(', ')}],
  compatibilityDate = ${quote(compatibilityDate)},
  compatibilityFlags = [${compatibilityFlags.map(quote).join(', ')}],
  durableObjectStorage = (${storage === undefined ? 'inMemory = void' : 'localDisk = "disk"'}),
  durableObjectNamespaces = [${namespaces.join(', ')}],
  bindings = [${[...variables, ...bound].join(', ')}],
);
`;
}

function disk(path: string): string {
  return `
    (name = "disk", disk = (path = ${quote(path)}, writable = true)),`;
}

const LISTENING = `
  sockets = [(name = ${quote(SOCKET)}, address = "127.0.0.1:0", http = (), service = "worker")],`;
