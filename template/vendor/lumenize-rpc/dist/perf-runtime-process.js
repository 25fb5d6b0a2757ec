import { SOCKET, configIn, installedWrangler, workerdConfig } from "./wrangler.js";
import { join, parse } from "node:path";
import { tmpdir } from "node:os";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
// src/perf/run/runtime-process.ts
/**
* The child process of runtime.ts. It builds the Worker as `wrangler deploy` would and runs it in the
* bare workerd binary, or starts `wrangler dev`, which does both. It sends the address to its parent,
* and ends when its parent ends.
*/
const STORAGE = "objects";
const [target, project] = process.argv.slice(2);
/** The configuration of the Worker that is measured. */
const WORKER_CONFIG = join(project, "perf/wrangler.jsonc");
const wrangler = installedWrangler(project);
/** Aborted when the parent has ended, or a signal has arrived. Ctrl-C sends a signal to both processes. */
const stopping = new AbortController();
const stop = () => stopping.abort();
process.once("disconnect", stop);
if (!process.connected) stop();
for (const signal of [
	"SIGINT",
	"SIGTERM",
	"SIGHUP"
]) process.on(signal, stop);
const ownDirectory = await mkdtemp(join(tmpdir(), "lumenize-rpc-perf-"));
try {
	await run(ownDirectory);
} catch (error) {
	if (!stopping.signal.aborted) {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	}
} finally {
	await rm(ownDirectory, {
		recursive: true,
		force: true
	});
	if (process.connected) process.disconnect();
}
async function run(directory) {
	const { compatibility_date: compatibilityDate = "", compatibility_flags: compatibilityFlags } = wrangler.readConfig(configIn(project) ?? WORKER_CONFIG);
	const { url, pid, ended } = await (target === "dev" ? serveWithWrangler : serveWithWorkerd)({
		directory,
		compatibilityDate,
		compatibilityFlags
	});
	const { version: workerd } = wrangler.workerd;
	const details = {
		url,
		workerd,
		compatibilityDate,
		compatibilityFlags,
		pid
	};
	process.send?.(details);
	throw new Error(`The runtime ended: ${await ended}`);
}
/** Bundles the Worker as a deployment would, and runs it in workerd. */
async function serveWithWorkerd(place) {
	const child = startWrangler("deploy", place, [
		"--dry-run",
		"--outdir",
		place.directory
	]);
	let output = "";
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => output += text);
	const result = await end(child, "SIGTERM");
	if (result !== "exit code 0") throw new Error(`wrangler deploy --dry-run: ${result}\n${output}`);
	const workerd = await startWorkerd(place);
	const ended = end(workerd, "SIGKILL");
	return {
		url: `http://127.0.0.1:${await find(new RegExp(`"event":"listen","socket":"${SOCKET}","port":(\\d+)`), [workerd.stdio[3]], ended)}`,
		pid: workerd.pid,
		ended
	};
}
/** Runs the Worker as `npm run dev` does, and deletes its storage after the test. */
async function serveWithWrangler(place) {
	const child = startWrangler("dev", place, [
		...[
			"--ip",
			"127.0.0.1",
			"--port",
			"0",
			"--inspector-port",
			"0"
		],
		"--persist-to",
		place.directory
	]);
	const ended = end(child, "SIGTERM");
	return {
		url: await find(/Ready on (http:\S+)/, [child.stdout, child.stderr], ended),
		ended
	};
}
function startWrangler(command, { compatibilityDate, compatibilityFlags: flags }, more) {
	const options = [
		"--config",
		WORKER_CONFIG,
		"--compatibility-date",
		compatibilityDate,
		...more
	];
	if (flags.length > 0) options.push("--compatibility-flags", ...flags);
	return wrangler.start([command, ...options]);
}
/** Waits until the output matches the pattern, and returns the group. Later output is discarded. */
async function find(pattern, streams, ended) {
	const found = Promise.withResolvers();
	let output = "";
	const collect = (text) => {
		output += text;
		const [, group] = pattern.exec(output) ?? [];
		if (group) found.resolve(group);
	};
	for (const stream of streams) stream.on("data", collect);
	ended.then((how) => found.reject(/* @__PURE__ */ new Error(`The runtime did not start: ${how}\n${output}`)));
	const group = await found.promise;
	for (const stream of streams) stream.off("data", collect).resume();
	return group;
}
/** Writes workerd's configuration, with the bindings of the Worker's wrangler.jsonc, and starts workerd. */
async function startWorkerd({ directory, ...compatibility }) {
	const { main: source = "", durable_objects } = wrangler.readConfig(WORKER_CONFIG);
	const main = `${parse(source).name}.js`;
	const { bindings } = durable_objects;
	const config = workerdConfig({
		main,
		bindings,
		storage: STORAGE,
		...compatibility
	});
	await mkdir(join(directory, STORAGE));
	await writeFile(join(directory, "workerd.capnp"), config);
	stopping.signal.throwIfAborted();
	return spawn(wrangler.workerd.path, [
		"serve",
		"--control-fd=3",
		"workerd.capnp"
	], {
		cwd: directory,
		stdio: [
			"ignore",
			"ignore",
			"inherit",
			"pipe"
		]
	});
}
/** Waits for a process to end, and ends it when `stopping` is aborted. Returns its exit code or signal. */
async function end(child, signalToSend) {
	const kill = () => void child.kill(signalToSend);
	stopping.signal.addEventListener("abort", kill, { once: true });
	if (stopping.signal.aborted) kill();
	const [code, signal] = await once(child, "close");
	stopping.signal.removeEventListener("abort", kill);
	return signal ? `signal ${signal}` : `exit code ${code}`;
}
