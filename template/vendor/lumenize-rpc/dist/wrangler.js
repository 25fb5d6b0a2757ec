import { existsSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
// src/wrangler/installed-wrangler.ts
/**
* A project's copy of wrangler, for the programs that build a Worker as a deployment would and run it in the bare workerd
* binary.
*/
/** @throws Error that says what to install */
function installedWrangler(project) {
	const requireAsProject = createRequire(join(project, "package.json"));
	let manifest;
	try {
		manifest = requireAsProject.resolve("wrangler/package.json");
	} catch (cause) {
		throw new Error(`${project} has no wrangler, which builds the Worker: npm install --save-dev wrangler`, { cause });
	}
	const requireAsWrangler = createRequire(manifest);
	const { bin } = requireAsWrangler(manifest);
	const program = join(dirname(manifest), bin.wrangler);
	const workerd = requireAsWrangler("workerd");
	return {
		readConfig(config, env) {
			const { unstable_readConfig } = requireAsProject("wrangler");
			return unstable_readConfig({
				config,
				env
			}, { hideWarnings: true });
		},
		start: (args, cwd) => spawn(process.execPath, [program, ...args], {
			cwd,
			stdio: [
				"ignore",
				"pipe",
				"pipe"
			],
			env: {
				...process.env,
				WRANGLER_SEND_METRICS: "false",
				WRANGLER_WRITE_LOGS: "false"
			}
		}),
		workerd: {
			path: workerd.default,
			version: workerd.version
		}
	};
}
/** Returns the path of wrangler's configuration in a folder; `undefined` if there is none. */
function configIn(folder) {
	return [
		"jsonc",
		"json",
		"toml"
	].map((kind) => join(folder, `wrangler.${kind}`)).find((file) => existsSync(file));
}
// src/wrangler/workerd-config.ts
/** Writes the configuration file that the bare workerd binary reads, as text. */
/** The name of the socket in the configuration; workerd reports its port under it. */
const SOCKET = "http";
/** The kind of a module, by the ending of its file. */
const MODULES = {
	".js": "esModule",
	".mjs": "esModule",
	".wasm": "wasm",
	".txt": "text",
	".html": "text",
	".sql": "text",
	".bin": "data"
};
function isModule(file) {
	return Object.hasOwn(MODULES, extname(file));
}
/** Writes a string literal of Cap'n Proto, which differs from JSON in the escapes of control characters. */
function quote(text) {
	return JSON.stringify(text).replace(/\\(?:u00|.)/g, (escape) => escape === "\\u00" ? "\\x" : escape);
}
/** Returns the configuration. With port 0 the system chooses a port. Only this machine can connect. */
function workerdConfig(settings) {
	const { main, modules = [], compatibilityDate, compatibilityFlags, vars = {}, storage } = settings;
	const embedded = [main, ...modules].map((file) => `(name = ${quote(file)}, ${MODULES[extname(file)]} = embed ${quote(file)})`);
	const bindings = settings.bindings.filter(({ script_name }) => !script_name);
	const namespaces = [...new Set(bindings.map(({ name, class_name = name }) => quote(class_name)))].map((name) => `(className = ${name}, uniqueKey = ${name}, enableSql = true)`);
	const variables = Object.entries(vars).map(([name, value]) => {
		const [form, text] = typeof value === "string" ? ["text", value] : ["json", JSON.stringify(value)];
		return `(name = ${quote(name)}, ${form} = ${quote(text)})`;
	});
	const bound = bindings.map(({ name, class_name = name }) => `(name = ${quote(name)}, durableObjectNamespace = ${quote(class_name)})`);
	return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "worker", worker = .worker),${storage === void 0 ? "" : disk(storage)}
  ],${storage === void 0 ? "" : LISTENING}
);

const worker :Workerd.Worker = (
  modules = [${embedded.join(", ")}],
  compatibilityDate = ${quote(compatibilityDate)},
  compatibilityFlags = [${compatibilityFlags.map(quote).join(", ")}],
  durableObjectStorage = (${storage === void 0 ? "inMemory = void" : "localDisk = \"disk\""}),
  durableObjectNamespaces = [${namespaces.join(", ")}],
  bindings = [${[...variables, ...bound].join(", ")}],
);
`;
}
function disk(path) {
	return `
    (name = "disk", disk = (path = ${quote(path)}, writable = true)),`;
}
const LISTENING = `
  sockets = [(name = ${quote(SOCKET)}, address = "127.0.0.1:0", http = (), service = "worker")],`;
export { SOCKET, configIn, installedWrangler, isModule, workerdConfig };
