import { bytes as bytes$1 } from "./client-bytes.js";
import { createRpcClient } from "./client-core.js";
import { subscribe } from "./client-subscribe.js";
import { Integer } from "./builders.js";
import { ClientConnection, compileContract, decodeArgs, runFrame } from "./server-core.js";
import { checkCall, decodeAnswer, decodeFrame, encodeCall, encodeResult } from "./wire.js";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { availableParallelism, cpus } from "node:os";
import { setImmediate, setTimeout } from "node:timers/promises";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
// src/perf/contenders/outside-worker.ts
const MESSAGE = "contenderClasses and contenderWorker are for perf/worker.ts, which wrangler bundles with the condition \"workerd\"";
const contenderClasses = () => {
	throw new Error(MESSAGE);
};
const contenderWorker = { fetch: () => Promise.reject(/* @__PURE__ */ new Error(MESSAGE)) };
// src/perf/measure/statistics.ts
/** The greatest ratio of an interval's end to its beginning. On an idle machine, nearly all intervals are narrower. */
const WIDEST = 2;
/** Returns whether an interval is so wide that its value says nothing, as on a busy machine. */
function isWide({ low, high }) {
	return high > low * WIDEST;
}
/** @throws RangeError if there are no samples */
function median(samples) {
	return percentile(samples, .5);
}
/**
* Returns the value below which a part of the samples lies, with linear interpolation between two samples.
*
* @param part - the part, from 0 (the least) to 1 (the greatest)
* @throws RangeError if there are no samples, or the part is out of range
*/
function percentile(samples, part) {
	if (samples.length === 0) throw new RangeError("There are no samples");
	if (!(part >= 0 && part <= 1)) throw new RangeError(`${part} is not between 0 and 1`);
	const sorted = Float64Array.from(samples).toSorted();
	const position = part * (sorted.length - 1);
	const lower = sorted[Math.floor(position)];
	return lower + (sorted[Math.ceil(position)] - lower) * (position % 1);
}
/**
* Finds the samples that lie far from the others, by their distance from the median in median absolute
* deviations. It finds none if more than half of the samples are the same.
*
* @returns the indices of these samples
* @throws RangeError if there are no samples
*/
function outliers(samples) {
	const middle = median(samples);
	const distances = samples.map((sample) => Math.abs(sample - middle));
	const far = median(distances) * 3.5 / .6745;
	return [...samples.keys()].filter((index) => far > 0 && distances[index] > far);
}
/**
* Returns the times of one contender relative to the times of another contender: the median of the ratios of rounds
* that ran side by side. Noise that lasts longer than a round affects both times and cancels out.
*
* @param times - one time for each round
* @param floorTimes - the times of the floor in the same rounds, in the same order
* @throws RangeError if there are no rounds, or if one series has more rounds
*/
function pairedRatio(times, floorTimes) {
	if (times.length !== floorTimes.length) throw new RangeError(`There are ${times.length} rounds, and ${floorTimes.length} rounds of the floor: each round needs one of the floor`);
	return estimate(times.map((time, index) => time / floorTimes[index]));
}
/**
* Returns the median of one series relative to the median of another series, which was measured in other rounds of the
* same run.
*
* @throws RangeError if a series has no samples
*/
function ratioOfMedians(times, others) {
	const [own, other] = [estimate(times), estimate(others)];
	return {
		value: own.value / other.value,
		low: own.low / other.high,
		high: own.high / other.low
	};
}
/**
* Returns the median of the samples, with an interval by the percentile bootstrap. The bootstrap draws many sets of the
* same size from the samples, with replacement, and takes the percentiles of their medians.
*
* @throws RangeError if there are no samples
*/
function estimate(samples) {
	const random = randomNumbers(1);
	const draw = () => samples[Math.floor(random() * samples.length)];
	const value = median(samples);
	const drawn = Array.from({ length: 2e3 }, () => median(samples.map(draw)));
	return {
		value,
		low: percentile(drawn, .025),
		high: percentile(drawn, .975)
	};
}
/** Returns a generator of pseudorandom numbers from 0 up to 1 (mulberry32). Equal seeds give equal numbers. */
function randomNumbers(seed) {
	let state = seed >>> 0;
	return () => {
		state = state + 1831565813 >>> 0;
		let mixed = Math.imul(state ^ state >>> 15, state | 1);
		mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
		return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
	};
}
// src/perf/report/tables.ts
/** Formats tables of results, for a terminal and for Markdown. */
/** Makes a row for each workload, and a column for each contender that has a cell. */
function byWorkload(results, cellOf) {
	const filled = results.filter((result) => cellOf(result) !== void 0);
	const contenders = [...new Set(filled.map(({ contender }) => contender))];
	const rows = Map.groupBy(filled, ({ workload }) => workload);
	const table = [["", ...contenders]];
	for (const [workload, ofWorkload] of rows) {
		const cells = contenders.map((name) => {
			const result = ofWorkload.find(({ contender }) => contender === name);
			return (result && cellOf(result)) ?? "–";
		});
		table.push([workload, ...cells]);
	}
	return table;
}
function transposed(table) {
	return (table[0] ?? []).map((_, column) => table.map((row) => row[column] ?? ""));
}
/** Formats a table as text. A row of one cell is a title, which may be longer than the first column. */
function toText(table) {
	const widths = transposed(table.filter(({ length }) => length > 1)).map((column) => Math.max(...column.map(({ length }) => length)));
	const padded = (cell, column) => column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
	return table.map((row) => row.map(padded).join("   ").trimEnd()).join("\n");
}
function toMarkdown([head = [], ...rows]) {
	return [
		head,
		head.map((_, column) => column === 0 ? "---" : "---:"),
		...rows
	].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
/** Formats the value, with its interval in brackets. */
function formatRatio({ value, low, high }) {
	return `${formatNumber(value)} (${formatNumber(low)}–${formatNumber(high)})`;
}
/** Formats the value like `formatRatio`, with a mark before it if its interval is too wide to compare. */
function formatMarked(ratio) {
	return `${isWide(ratio) ? "? " : ""}${formatRatio(ratio)}`;
}
/** Formats a number with two decimals: with two significant digits below 0.1, and without decimals from 100 on. */
function formatNumber(value) {
	return value < .1 ? value.toPrecision(2) : value.toFixed(value < 100 ? 2 : 0);
}
// src/perf/report/chart.ts
const [WIDTH, LEFT, RIGHT, LINE$1] = [
	900,
	290,
	660,
	16
];
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .head { font-weight: 600; }
  line { stroke: #1f2328; }
  .grid { opacity: 0.2; }
  .own { fill: #0969da; }
  .rival { fill: #bc4c00; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    line { stroke: #e6edf3; }
    .own { fill: #4493f8; }
    .rival { fill: #db6d28; }
  }`;
function chartOf({ results, configuration }) {
	const bars = results.flatMap(({ ratio, ...result }) => ratio ? [{
		...result,
		ratio
	}] : []);
	const least = Math.min(.5, ...bars.map(({ ratio }) => ratio.low));
	const most = Math.max(2, ...bars.map(({ ratio }) => ratio.high));
	const at = (ratio) => Math.round(LEFT + (RIGHT - LEFT) * Math.log(ratio / least) / Math.log(most / least));
	const rows = [];
	let y = 3 * LINE$1;
	for (const [workload, ofWorkload] of Map.groupBy(bars, (bar) => bar.workload)) {
		rows.push(text$1(12, y + LINE$1 - 4, workload, "head"));
		for (const bar of ofWorkload) rows.push(drawn(bar, y += LINE$1, at));
		y += 1.5 * LINE$1;
	}
	const grid = [
		.001,
		.01,
		.1,
		1,
		10,
		100
	].filter((tick) => tick >= least && tick <= most).map((tick) => line(at(tick), at(tick), 3 * LINE$1, y, tick === 1 ? "" : "grid") + text$1(at(tick) - 4, 3 * LINE$1 - 4, `${tick}`));
	const { target, webSocketCompression, cpu } = configuration;
	const title = "Time relative to the same exchange written by hand: lower is faster";
	const caption = `${target}; ${cpu}; WebSocket compression: ${webSocketCompression}`;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 2 * LINE$1}" aria-labelledby="title">
<title id="title">${title}</title>
<style>${STYLE}
</style>
${[
		text$1(12, LINE$1 + 4, title, "head"),
		...grid,
		...rows,
		text$1(12, y + LINE$1, caption)
	].join("\n")}
</svg>
`;
}
/** Draws one line: the contender, a bar from 1 to the ratio, the interval, and the ratio as text. */
function drawn({ contender, role, ratio }, y, at) {
	const middle = y + LINE$1 / 2;
	const [from, to] = [Math.min(at(1), at(ratio.value)), Math.max(at(1), at(ratio.value))];
	return [
		text$1(24, middle + 4, contender),
		`<rect class="${role ?? "own"}" x="${from}" y="${y + 2}" width="${to - from + 1}" height="${LINE$1 - 4}"/>`,
		line(at(ratio.low), at(ratio.high), middle, middle),
		text$1(RIGHT + 12, middle + 4, formatRatio(ratio))
	].join("");
}
function text$1(x, y, content, style = "") {
	return `<text x="${x}" y="${y}" class="${style}">${content.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;
}
function line(x1, x2, y1, y2, style = "") {
	return `<line x1="${x1}" x2="${x2}" y1="${y1}" y2="${y2}" class="${style}"/>`;
}
// src/perf/report/compare.ts
/** Compares the ratios that both measurements contain. */
function compareFigures(before, after, measure = "ratio") {
	return after.flatMap(({ workload, contender, role, [measure]: ratio }) => {
		const old = before.find((one) => isAlike(one, {
			workload,
			contender
		}))?.[measure];
		if (!ratio || !old) return [];
		return [{
			workload,
			contender,
			role,
			before: old,
			ratio,
			measure,
			verdict: verdictOf(old, ratio)
		}];
	});
}
function verdictOf(before, after) {
	if (after.low > before.high) return "slower";
	if (after.high < before.low) return "faster";
	return isWide(before) || isWide(after) ? "unclear" : "same";
}
/**
* Judges changes by a second measurement. An interval covers only the noise within one run, and two runs can
* differ by more. So a change is slower only if it is slower in both.
*
* @returns the changes, with the verdict of the second measurement; `unclear` if only the second is slower, or
*   if it has no such ratio
*/
function judgeAgain(first, second) {
	return first.map((change) => {
		const again = second.find((one) => isAlike(one, change) && one.measure === change.measure);
		if (!again) return {
			...change,
			verdict: "unclear"
		};
		return again.verdict === "slower" && change.verdict !== "slower" ? {
			...again,
			verdict: "unclear"
		} : again;
	});
}
/** Returns whether two results belong to the same contender in the same workload. */
function isAlike(one, other) {
	return one.workload === other.workload && one.contender === other.contender;
}
/** Returns the reason why the ratios of two measurements cannot be compared; `undefined` if they can be compared. */
function differenceOf(before, after) {
	return ["target", "webSocketCompression"].flatMap((name) => before[name] === after[name] ? [] : `${name} was ${before[name]}, is ${after[name]}`).join("; ") || void 0;
}
/**
* Returns a line for each change beyond the noise, or one line if there is no such change. A last line counts the
* unclear changes.
*/
function formatChanges(changes) {
	const differing = changes.filter(({ verdict }) => verdict === "slower" || verdict === "faster");
	const unclear = changes.filter(({ verdict }) => verdict === "unclear").length;
	return [...differing.length > 0 ? differing.map(formatChange) : [`None of ${changes.length} ratios differs beyond the noise.`], ...unclear > 0 ? [`${unclear} of ${changes.length} cannot be compared: an interval is too wide.`] : []];
}
function formatChange({ workload, contender, measure, verdict, before, ratio }) {
	return `${verdict}: ${contender}, ${workload}${measure === "toEmpty" ? ", to a call of no method" : ""}: ${`was ${formatRatio(before)}, is ${formatRatio(ratio)}`}`;
}
// src/perf/contenders/audience.ts
var Audience = class {
	#stage;
	#listeners;
	#lost = Promise.withResolvers();
	#last = 0;
	#onEvent = () => {};
	constructor(stage) {
		this.#stage = stage;
		this.#lost.promise.catch(() => {});
	}
	/**
	* Sends an event. The first call opens `count` listeners, and later calls reuse them.
	*
	* @returns the number of listeners that received the event, after all have received it
	* @throws the reason if a listener cannot be opened or is lost
	*/
	async tell(count) {
		const listen = () => this.#stage.listen((event) => this.#onEvent(event), this.#lost.reject);
		this.#listeners ??= Array.from({ length: count }, listen);
		await Promise.all(this.#listeners);
		const sent = ++this.#last;
		let received = 0;
		const all = new Promise((resolve) => {
			this.#onEvent = (event) => {
				if (event === sent && ++received === count) resolve();
			};
		});
		await Promise.race([Promise.all([this.#stage.say(sent), all]), this.#lost.promise]);
		return received;
	}
	async close() {
		for (const listener of await Promise.allSettled(this.#listeners ?? [])) if (listener.status === "fulfilled") listener.value.close();
	}
};
// src/perf/contenders/by-hand.ts
async function connectByHand(url) {
	const { send, sendBytes, close } = await open(url);
	const room = `${url}-audience`;
	let speaker;
	const audience = new Audience({
		listen: (onEvent, onLost) => open(room, onEvent, onLost),
		say: async (event) => (await (speaker ??= open(room))).send("perfAnnounce", event)
	});
	return {
		...connectionOver(send, sendBytes, () => {
			close();
			audience.close();
			speaker?.then((one) => one.close()).catch(() => {});
		}),
		tell: (listeners) => audience.tell(listeners)
	};
}
/**
* Opens a connection. Bytes are sent in a binary frame, which has no id. Their answers arrive in the order of the
* calls.
*
* @param onEvent - called with each event that the object sends
* @param onLost - called with an error when the socket has closed
*/
async function open(url, onEvent = () => {}, onLost = () => {}) {
	const socket = new WebSocket(url.replace(/^http/, "ws"));
	socket.binaryType = "arraybuffer";
	const lost = new Promise((_, reject) => {
		socket.addEventListener("close", ({ code }) => reject(/* @__PURE__ */ new Error(`${url} closed: ${code}`)));
	});
	const opened = new Promise((resolve) => socket.addEventListener("open", resolve));
	await Promise.race([opened, lost]);
	const waiting = /* @__PURE__ */ new Map();
	const waitingForBytes = [];
	lost.catch((error) => {
		for (const { reject } of [...waiting.values(), ...waitingForBytes]) reject(error);
		onLost(error);
	});
	socket.addEventListener("message", ({ data }) => {
		if (typeof data !== "string") {
			waitingForBytes.shift()?.resolve(new Uint8Array(data));
			return;
		}
		const [id, value, error] = JSON.parse(data);
		if (id === 0) onEvent(value);
		if (error === void 0) waiting.get(id)?.resolve(value);
		else waiting.get(id)?.reject(new Error(error));
		waiting.delete(id);
	});
	let lastId = 0;
	return {
		send: (...call) => {
			const answer = Promise.withResolvers();
			waiting.set(++lastId, answer);
			socket.send(JSON.stringify([lastId, ...call]));
			return answer.promise;
		},
		sendBytes: (bytes) => {
			const answer = Promise.withResolvers();
			waitingForBytes.push(answer);
			socket.send(bytes);
			return answer.promise;
		},
		close: () => socket.close()
	};
}
/** Returns a connection that sends each call as a POST. */
function postByHand(url) {
	return connectionOver(async (...call) => {
		const headers = { "Content-Type": "application/json" };
		const body = JSON.stringify([0, ...call]);
		const [, value, error] = await (await fetch(url, {
			method: "POST",
			headers,
			body
		})).json();
		if (error !== void 0) throw new Error(error);
		return value;
	}, async (body) => {
		const response = await fetch(url, {
			method: "POST",
			body
		});
		return new Uint8Array(await response.arrayBuffer());
	});
}
function connectionOver(send, sendBytes, close = () => {}) {
	return {
		isJsonOnly: true,
		book: () => send("perfBook"),
		echo: (value) => value instanceof Uint8Array ? sendBytes(value) : send("perfEcho", value),
		call: (method, args) => send(method, ...args),
		close
	};
}
// src/perf/contenders.ts
/** The rival that this RPC is compared with, beside its floors. */
const CAPNWEB = "Cap'n Web";
const HIBERNATING_FLOOR = "by hand, hibernating";
const AWAKE_FLOOR = "by hand, always awake";
const POST_FLOOR = "by hand, POST";
/**
* Returns the contenders. Each has the floor of its own kind: hibernating, always awake, or a POST for each call.
*
* @param capnweb - the package, which not every project has installed
*/
function contendersFor(capnweb) {
	const thisRpc = (name, about, floor, binding, options) => ({
		name,
		about,
		floor,
		connect: async (baseUrl, instance) => connectThisRpc(binding, instance, {
			baseUrl,
			...options
		})
	});
	const byHand = (name, about, binding, connect = connectByHand) => ({
		name,
		about,
		role: "floor",
		connect: async (url, instance) => connect(`${url}/${binding}/${encodeURIComponent(instance)}`)
	});
	return [
		thisRpc("this RPC", "a socket that hibernates", HIBERNATING_FLOOR, "COUNTER"),
		{
			...thisRpc("this RPC, own fetch", "in a class with its own fetch method: should be as fast", HIBERNATING_FLOOR, "MANUAL", { prefix: "" }),
			isExtra: true
		},
		{
			...thisRpc("this RPC, no journal", "may run a call twice", HIBERNATING_FLOOR, "UNJOURNALED"),
			isExtra: true
		},
		{
			...thisRpc("this RPC, bytes", "bytes travel as bytes", HIBERNATING_FLOOR, "COUNTER", { bytes: bytes$1 }),
			isExtra: true
		},
		{
			...thisRpc("this RPC, always awake", "its object never hibernates", AWAKE_FLOOR, "AWAKE"),
			isExtra: true
		},
		{
			...thisRpc("this RPC, POST", "a request for each call", POST_FLOOR, "COUNTER", { transport: "http" }),
			isConnectionless: true
		},
		{
			name: CAPNWEB,
			about: "another library; its object never hibernates",
			role: "rival",
			floor: AWAKE_FLOOR,
			connect: async (url, name) => connectCapnweb(capnweb, url, name)
		},
		byHand(HIBERNATING_FLOOR, "JSON on a socket that hibernates", "HIBERNATING_FLOOR"),
		byHand(AWAKE_FLOOR, "JSON on a socket; its object never hibernates", "PLAIN_FLOOR"),
		{
			...byHand(POST_FLOOR, "JSON in a request for each call", "POST_FLOOR", postByHand),
			isConnectionless: true
		}
	];
}
function connectThisRpc(binding, instance, options) {
	const open = (object) => createRpcClient(binding, object, options);
	const object = open(instance);
	const methods = object;
	let speaker;
	const audience = new Audience({
		listen: (onEvent, onLost) => listen(open(`${instance}-audience`), onEvent, onLost),
		say: (event) => (speaker ??= open(`${instance}-audience`)).perfAnnounce(event)
	});
	return {
		echo: (value) => object.perfEcho(value),
		echoPlain: (value) => object.perfEchoPlain(value),
		book: () => object.perfBook(),
		call: (method, args) => methods[method](...args),
		...options.transport !== "http" && { tell: (listeners) => audience.tell(listeners) },
		close() {
			object.close();
			speaker?.close();
			audience.close();
		}
	};
}
async function listen(client, onEvent, onLost) {
	const run = async () => {
		for await (const event of subscribe(client).perfEvents()) onEvent(event);
	};
	run().catch(onLost);
	try {
		await client.perfEcho(0);
		return client;
	} catch (error) {
		client.close();
		throw error;
	}
}
function connectCapnweb({ newWebSocketRpcSession }, url, name) {
	const target = `${url.replace(/^http/, "ws")}/CAPNWEB/${encodeURIComponent(name)}`;
	const api = newWebSocketRpcSession(target);
	const methods = api;
	const room = `${target}-audience`;
	let speaker;
	const audience = new Audience({
		async listen(onEvent, onLost) {
			const listener = newWebSocketRpcSession(room);
			listener.onRpcBroken(onLost);
			await listener.perfListen(onEvent);
			return { close: () => listener[Symbol.dispose]() };
		},
		say: (event) => (speaker ??= newWebSocketRpcSession(room)).perfAnnounce(event)
	});
	return {
		echo: (value) => api.perfEcho(value),
		book: () => api.perfBook(),
		call: (method, args) => methods[method](...args),
		tell: (listeners) => audience.tell(listeners),
		close() {
			api[Symbol.dispose]();
			speaker?.[Symbol.dispose]();
			audience.close();
		}
	};
}
/**
* Returns the WebSocket extensions that this machine's client and the runtime agree on, such as `permessage-deflate`;
* empty if there are none. They are read from a real connection, because a compatibility flag does not show the
* extensions on which the two ends agree.
*
* @throws Error if the performance test's Worker does not run at the address
*/
async function negotiatedExtensions(url) {
	const socket = new WebSocket(`${url.replace(/^http/, "ws")}/PLAIN_FLOOR/extensions`);
	await new Promise((resolve, reject) => {
		socket.addEventListener("open", resolve);
		socket.addEventListener("close", () => {
			reject(/* @__PURE__ */ new Error(`There is no copy of the performance test's worker at ${url}`));
		});
	});
	socket.close();
	return socket.extensions ?? "";
}
// src/perf/called-object.ts
/** Makes the name of an object that no other measurement has. */
function instanceName(prefix, { instance = (id) => id }) {
	return instance(`${prefix}-${crypto.randomUUID()}`);
}
/** One object, and its calls so far. */
var CalledObject = class {
	#argumentsOf;
	#check;
	#calls = 0;
	constructor({ argumentsOf = () => [], check }) {
		this.#argumentsOf = argumentsOf;
		this.#check = check?.();
	}
	/** Makes the arguments of the next calls, before their time is taken. */
	prepare(methods) {
		return methods.map((method) => ({
			method,
			args: this.#argumentsOf(method, this.#calls++)
		}));
	}
	/**
	* Checks the answers of calls.
	*
	* @param isOrdered - whether the calls ran in this order
	* @throws Error that names the call with the wrong answer
	*/
	check(calls, answers, isOrdered) {
		const check = this.#check;
		if (!check) return;
		const answered = calls.map((call, index) => ({
			...call,
			answer: answers[index]
		}));
		if (!isOrdered) {
			if (!canBeOrdered(answered)) {
				this.#check = void 0;
				return;
			}
			answered.sort((one, other) => Number(one.answer) - Number(other.answer) || 0);
		}
		for (const call of answered) {
			let problem;
			try {
				if (check(call) !== false) continue;
			} catch (error) {
				problem = error;
			}
			throw wrongAnswer(call, problem);
		}
	}
};
/** Returns whether the order in which calls have run does not matter, or whether the answers show the order. */
function canBeOrdered(calls) {
	const [type, ...otherTypes] = new Set(calls.map(({ answer }) => typeof answer));
	const [, ...otherMethods] = new Set(calls.map(({ method }) => method));
	return otherTypes.length + otherMethods.length === 0 && (type === "number" || type === "undefined");
}
function wrongAnswer({ method, args, answer }, problem) {
	const call = `${method}(${args.map(shown$1).join(", ")}) answered ${shown$1(answer)}`;
	const reason = problem instanceof Error ? problem.message.replaceAll(/\s+/g, " ") : problem;
	return new Error(`${call}, which is wrong${reason ? `: ${String(reason)}` : ""}`, { cause: problem });
}
function shown$1(value) {
	let text;
	try {
		text = JSON.stringify(value);
	} catch {}
	const whole = text ?? String(value);
	return whole.length > 60 ? `${whole.slice(0, 60)}…` : whole;
}
// src/perf/samples.ts
/** The values that workloads send. */
const random = randomNumbers(1);
const word = () => random().toString(36).slice(2, 10);
const table = { rows: Array.from({ length: 112 }, (_, id) => ({
	id,
	name: word(),
	email: `${word()}@example.com`,
	total: Math.round(random() * 1e6) / 100,
	isActive: random() < .5
})) };
const bytes = Uint8Array.from({ length: 2 ** 20 }, () => random() * 256);
const list = Array.from({ length: 20 }, (_, index) => ({
	id: `order-${index}`,
	placed: new Date(Date.UTC(2026, 0, 1 + index)),
	items: [
		1,
		2,
		3
	].map((count) => ({
		sku: `sku-${index}-${count}`,
		count
	}))
}));
const orders = {
	customer: "Ada",
	orders: /* @__PURE__ */ new Map()
};
for (const { id, ...order } of list) orders.orders.set(id, {
	...order,
	of: orders
});
/**
* Values to send in workloads.
*
* @example
* echo('10 KiB object, there and back', 10, samples.table);
*/
const samples = {
	table,
	orders,
	ordersAsJson: {
		customer: "Ada",
		orders: list.map(({ id, placed, items }) => [id, {
			placed: placed.toISOString(),
			items
		}])
	},
	bytes
};
// src/perf/workloads.ts
/**
* Makes workloads. A workload makes calls of the project's methods, or exchanges that need no method of the project.
*/
/** The error of a contender that cannot run a workload. The contender is left out of the workload. */
var Unable = class extends Error {};
/**
* Measures the exchange alone, by calls of no method. If other calls take longer, the difference is the time of the
* project's methods.
*/
const emptyCalls = echo("100 calls of no method", 100, 0);
/**
* Makes each call when the one before it has been answered.
*
* @param times - how often to call the methods, one after another
* @param methods - their names
* @example
* inSequence('50 mixed pairs', 50, ['increment', 'getValue']);
*/
function inSequence(name, times, methods, options) {
	return {
		...ofMethods(name, Array.from({ length: times }, () => methods).flat(), options),
		run: (connection, time, prepared) => Array.fromAsync(prepared, ({ method, args }) => time(() => connection.call(method, args)))
	};
}
/**
* Makes calls as `inSequence` does, on a new connection. The measured time includes the time to connect.
*
* @example
* fresh('first answer on a fresh connection', 1, ['getValue']);
*/
function fresh(name, times, methods, options) {
	return {
		...inSequence(name, times, methods, options),
		isFresh: true
	};
}
/**
* Makes `count` calls at once, and the next calls when all have been answered. It makes at least 100 calls in total.
*
* @example
* inFlight('10 reads in flight', 10, 'getValue');
*/
function inFlight(name, count, method, options) {
	const batches = Math.ceil(100 / count);
	return {
		...ofMethods(name, Array(batches * count).fill(method), options),
		isConcurrent: true,
		async run(connection, _, prepared) {
			const batch = (_none, index) => Promise.all(prepared.slice(index * count, (index + 1) * count).map(({ args }) => connection.call(method, args)));
			return (await Array.fromAsync({ length: batches }, batch)).flat();
		}
	};
}
/**
* Makes one call for each caller, each in its own turn of the event loop, without waiting for answers.
*
* @example
* callers('100 callers, none in the same tick', 100, 'increment');
*/
function callers(name, count, method, options) {
	return {
		...ofMethods(name, Array(count).fill(method), options),
		isConcurrent: true,
		async run(connection, _, prepared) {
			const all = [];
			for (const { args } of prepared) {
				all.push(connection.call(method, args));
				await setImmediate();
			}
			return Promise.all(all);
		}
	};
}
/**
* Returns the workloads of one or more methods: one call after another, on a new connection, and at the same time.
*
* @param methods - the names of methods, each by the word for its calls in the names of the workloads
* @example
* standardWorkloads({ orders: 'order', reads: 'list' }); // '100 orders', '100 reads', '10 orders in flight', …
*/
function standardWorkloads(methods) {
	const all = Object.entries(methods);
	const [first, last] = [all[0], all.at(-1)];
	if (!first || !last) throw new TypeError("standardWorkloads takes at least one method");
	const mixed = all.length > 1 ? [Object.values(methods)] : [];
	const times = Math.floor(100 / all.length);
	const mixture = `${times} mixed ${all.length === 2 ? "pairs" : "rows"}`;
	const isLong = true;
	return [
		...all.map(([words, method]) => inSequence(`100 ${words}`, 100, [method], { weight: 4 })),
		...mixed.map((some) => inSequence(mixture, times, some, { weight: 4 })),
		...all.map(([words, method]) => fresh(`100 ${words}, fresh connection`, 100, [method], { isLong })),
		...mixed.map((some) => fresh(`${mixture}, fresh connection`, times, some, { isLong })),
		fresh("first answer on a fresh connection", 1, [last[1]]),
		...[
			10,
			100,
			1e3
		].flatMap((count) => all.map(([words, method]) => inFlight(`${count} ${words} in flight`, count, method, count > 100 ? { isLong } : {}))),
		callers("100 callers, none in the same tick", 100, first[1])
	];
}
/**
* Sends a value, which comes back, one call after another.
*
* @param count - the number of calls
* @param asJson - the value for contenders that can send only JSON and bytes. Default: `value`
* @example
* echo('10 KiB object, there and back', 10, samples.table);
*/
function echo(name, count, value, asJson = value, options) {
	const valueFor = ({ isJsonOnly }) => isJsonOnly ? asJson : value;
	return repeated(name, count, (connection) => connection.echo?.(valueFor(connection)) ?? cannot("It sends no values"), valueFor, options);
}
/**
* Books a place in a table, with an index and an alarm, and frees it again, one call after another.
*
* @param count - the number of calls
* @example
* bookings('20 bookings, with SQL and an alarm', 20);
*/
function bookings(name, count, options) {
	return repeated(name, count, (connection) => connection.book?.() ?? cannot("It books nothing"), () => "A1", options);
}
/**
* Lets an object send events to listeners. The object sends an event when all listeners have received the event before
* it.
*
* @param count - the number of events
* @param listeners - how many connections receive each event
* @example
* events('10 events, each heard by 100', 10, 100);
*/
function events(name, count, listeners, options) {
	return repeated(name, count, (connection) => connection.tell?.(listeners) ?? cannot("It has no listeners"), () => listeners, options);
}
/** The exchanges that need no method of the project: values of several types, SQL with an alarm, and events. */
const exchanges = [
	bookings("20 bookings, with SQL and an alarm", 20),
	events("10 events, each heard by 100", 10, 100),
	echo("10 KiB object, there and back", 10, samples.table),
	echo("Map, Date and cycle (floor: as JSON), there and back", 10, samples.orders, samples.ordersAsJson),
	echo("1 MiB of bytes, there and back", 1, samples.bytes)
];
/** Makes the same exchange several times, one after another. */
function repeated(name, count, call, answer, options) {
	return {
		...options,
		name,
		calls: count,
		methods: [],
		run: (connection, time) => Array.fromAsync({ length: count }, () => time(() => call(connection))),
		expect: (connection) => Array.from({ length: count }, () => answer(connection))
	};
}
function cannot(reason) {
	return Promise.reject(new Unable(reason));
}
/** Returns the common part of all workloads that call methods of the project. */
function ofMethods(name, methods, options) {
	return {
		...options,
		name,
		calls: methods.length,
		methods
	};
}
// src/perf/measure.ts
/**
* Measures the contenders. First it checks their answers and warms them up. Then, in each round, all
* contenders run the same workload one after another. Their order changes, so that noise of the machine
* affects all of them equally.
*/
/** The time that a trial may take before its contender is left out, in milliseconds. */
const PATIENCE$1 = 6e4;
/**
* Measures each contender on each workload.
*
* @param url - the URL of the runtime, without a slash at its end
* @throws Error that names the contender, if it fails in a workload after its trial, or if the trial of a contender of
*   this project's RPC fails. A floor or a rival whose trial fails is left out of the workload instead.
*/
async function measure(url, contenders, workloads, options) {
	const deadline = performance.now() + options.duration;
	const instances = new Map(contenders.map(({ name }) => [name, instanceName(name.replaceAll(/\W+/g, "-"), options)]));
	const open = ({ name, connect }) => connect(url, instances.get(name));
	const all = workloads.flatMap((workload) => contenders.map((contender) => ({
		workload,
		contender,
		perCall: [],
		calls: []
	})));
	const warm = /* @__PURE__ */ new Map();
	try {
		for (const contender of contenders) {
			const opening = open(contender);
			try {
				const connection = await withPatience(opening);
				warm.set(contender, {
					connection,
					object: new CalledObject(options)
				});
			} catch (error) {
				closeOpened(opening);
				if (contender.role !== "rival") throw named(contender, error);
				for (const one of all) if (one.contender === contender) one.failure = messageOf(error);
			}
		}
		for (const one of all) one.failure ??= await trial(one, warm, open);
		const able = all.filter(({ failure }) => failure === void 0);
		await runAll([...Map.groupBy(able, ({ workload }) => workload)].map(([workload, series]) => ({
			workload,
			series,
			rounds: 0,
			spent: 0
		})), warm, open, options, deadline);
		return all;
	} finally {
		for (const { connection } of warm.values()) connection.close();
	}
}
async function runAll(turns, warm, open, { warmUp, fewestRounds = 8, onProgress }, deadline) {
	const random = randomNumbers(1);
	/**
	* Runs the contenders in a random order, and then in reverse. So the neighbours of a contender change from pair to
	* pair.
	*/
	const runPair = async ({ series }, isRecorded) => {
		const order = series.map((one) => [random(), one]).toSorted(([a], [b]) => a - b).map(([, one]) => one);
		for (const one of [...order, ...order.toReversed()]) {
			const { connection, object } = warm.get(one.contender);
			const { perCall, calls } = await runOnce(one, connection, object, open).catch((error) => {
				throw named(one.contender, error, one.workload);
			});
			if (!isRecorded) continue;
			one.perCall.push(perCall);
			one.calls.push(...calls);
		}
	};
	for (const turn of turns) for (let pair = 0; pair < warmUp; pair++) await runPair(turn, false);
	const start = performance.now();
	/** Returns the part that is done. On a busy machine, the least number of rounds takes longer than the duration. */
	const partDone = () => {
		const done = turns.reduce((sum, { rounds }) => sum + Math.min(rounds, fewestRounds), 0);
		const now = performance.now();
		const ofTime = now < deadline ? (now - start) / (deadline - start) : 1;
		return Math.min(ofTime, done / (fewestRounds * turns.length));
	};
	onProgress?.(0);
	for (;;) {
		const begin = performance.now();
		const [turn] = turns.filter(({ rounds }) => begin < deadline || rounds < fewestRounds).toSorted((one, other) => one.spent - other.spent);
		if (!turn) break;
		await runPair(turn, true);
		turn.rounds += 2;
		turn.spent += (performance.now() - begin) / (turn.workload.weight ?? 1);
		onProgress?.(partDone());
	}
}
/** Runs a workload once. Returns the reason if the contender cannot run it. */
async function trial(series, warm, open) {
	const { workload, contender } = series;
	if (workload.isFresh && contender.isConnectionless) return "It opens no connection";
	const { object } = warm.get(contender);
	const opening = open(contender);
	try {
		await withPatience(runOnce(series, await withPatience(opening), object, open));
	} catch (error) {
		if (contender.role === void 0 && !(error instanceof Unable)) throw named(contender, error, workload);
		return messageOf(error);
	} finally {
		closeOpened(opening);
	}
}
/** Closes a connection, even if it opens only after the wait for it has ended. */
function closeOpened(opening) {
	opening.then((connection) => connection.close()).catch(() => {});
}
/**
* Runs a workload once, and checks the answers.
*
* @param object - the calls of the object that `warm` is connected to
*/
async function runOnce({ workload, contender }, warm, object, open) {
	const { isFresh, isConcurrent } = workload;
	const isOrdered = !isConcurrent || !(contender.isConnectionless || contender.isUnordered);
	const calls = [];
	const time = async (call) => {
		const start = performance.now();
		const answer = await call();
		calls.push((performance.now() - start) * 1e3);
		return answer;
	};
	const prepared = object.prepare(workload.methods);
	const start = performance.now();
	const connection = isFresh ? await open(contender) : warm;
	try {
		const answers = await workload.run(connection, time, prepared);
		const perCall = (performance.now() - start) * 1e3 / workload.calls;
		if (workload.expect) expectAnswers(answers, workload.expect(connection));
		object.check(prepared, answers, isOrdered);
		return {
			perCall,
			calls: isFresh ? [] : calls
		};
	} finally {
		if (isFresh) connection.close();
	}
}
function expectAnswers(answers, expected) {
	for (const [index, right] of expected.entries()) {
		const answer = answers[index];
		if (isSame(answer, right)) continue;
		const problem = typeof right === "object" ? "not what was sent" : `${answer}, not ${right}`;
		throw new Error(`answer ${index + 1} of ${expected.length} is ${problem}`);
	}
}
/** Bytes may come as a `Buffer`. The clone turns it into a `Uint8Array`. */
function isSame(answer, expected) {
	return isDeepStrictEqual(structuredClone(answer), expected);
}
/** Rejects if a contender does not answer in time. A contender that never answers must not stop the others. */
function withPatience(work) {
	const impatience = setTimeout(PATIENCE$1, void 0, { ref: false }).then(() => {
		throw new Error(`no answer within ${PATIENCE$1 / 1e3} seconds`);
	});
	return Promise.race([work, impatience]);
}
/** Returns an error that names the contender, and the workload if it is known. */
function named({ name }, cause, workload) {
	const where = workload ? `${name}: ${workload.name}` : name;
	return new Error(`${where}: ${messageOf(cause)}`, { cause });
}
function messageOf(error) {
	return error instanceof Error ? error.message : String(error);
}
// src/perf/run/options.ts
/** Parses and checks the command line. */
const USAGE = `npm run perf -- [options]

Compares this project's RPC with code by hand that makes the same calls, and with Cap'n Web.

  --quick            takes about half a minute on an idle machine, in place of 3 minutes. It measures
                     fewer workloads, with wider intervals
  --only <text>      measures only the workload with this name, or all workloads whose names contain
                     this text. Repeatable
  --all              also measures this RPC without its journal, with binary frames, always awake, and
                     in a class with its own fetch method
  --profile          also shows where the time of one call goes
  --rounds <number>  the number of rounds of each workload, rounded up to an even number. With fewer
                     than 6 rounds, the intervals are too narrow

  --load <method>    calls this method at fixed times, as users do, however long the answers take, and
                     prints how many answers are in time. Repeatable: the methods then take turns
  --clients <number> the number of connections that make the calls of --load. Default 20
  --rate <number>    the number of calls a second, of all clients together. Default 100
  --seconds <number> the seconds for which --load makes calls. Default 10
  --within <number>  the milliseconds within which an answer is in time. Default 100

  --target <runtime> workerd: the bare runtime, as in production (the default);
                     dev: wrangler dev, whose proxy adds latency
  --url <address>    measures a deployed copy, from npx wrangler deploy -c perf/wrangler.jsonc

  --json             prints the result as JSON
  --svg <file>       writes a chart
  --record <text>    adds an entry to PERFORMANCE.md. The text describes the change
  --compare <entry>  shows the differences beyond the noise from an entry of PERFORMANCE.md. The entry is
                     latest, the beginning of its time or commit, or a git ref for the latest entry at
                     this ref
  --check            exits with 1 if this RPC is slower, compared with its floor, than in the entry of
                     --compare, or in the latest entry. It checks the runtime and not the methods,
                     because the floor calls the same methods. It lists the ratios whose intervals are
                     too wide to judge. It also exits with 1 if all intervals are too wide, or if the
                     entry has none of the ratios
  --methods          with --check, also checks the methods: the time of a call, compared with the
                     floor without a method. Compare only runs on one machine
  --help             prints this text`;
const flag = {
	type: "boolean",
	default: false
};
const text = { type: "string" };
const FLAGS = {
	quick: flag,
	all: flag,
	profile: flag,
	json: flag,
	check: flag,
	methods: flag,
	help: flag
};
const TEXTS = {
	only: {
		...text,
		multiple: true
	},
	load: {
		...text,
		multiple: true
	},
	clients: text,
	rate: text,
	seconds: text,
	within: text,
	rounds: text,
	target: text,
	url: text,
	svg: text,
	record: text,
	compare: text
};
/**
* @param args - the arguments, without the paths of Node and the program
* @param workloads - the workloads of the project, from which the arguments choose
* @throws Error if an argument is wrong; its message describes the problem
*/
function readOptions(args, workloads) {
	const { values } = parseArgs({
		args: [...args],
		options: {
			...FLAGS,
			...TEXTS
		}
	});
	const { only = [], rounds, target = "workerd", url, load: methods, ...more } = values;
	const { clients, rate, seconds, within, ...others } = more;
	for (const [name, value] of Object.entries(values)) for (const one of [value].flat()) require(String(one).trim(), `--${name} is empty`);
	require(!rounds || /^[1-9]\d{0,5}$/.test(rounds), `--rounds ${rounds}: from 1 to 999999`);
	require(target === "workerd" || target === "dev", `--target ${target}: use workerd or dev`);
	require(!url || /^https?:/.test(URL.parse(url)?.protocol ?? ""), `--url ${url}: use an http or https address`);
	require(!url || !values.target, "--url and --target cannot be combined");
	require(!values.check || !values.record, "--check and --record cannot be combined");
	require(!values.methods || values.check, "--methods needs --check");
	require(!values.only || !values.record, "--record measures every workload: remove --only");
	const load = {
		clients,
		rate,
		seconds,
		within
	};
	if (!methods) for (const [name, value] of Object.entries(load)) require(!value, `--${name} needs --load`);
	for (const name of methods ? NOT_WITH_LOAD : []) require(!values[name], `--load and --${name} cannot be combined`);
	return {
		...others,
		load: methods && loadOf(methods, load),
		svg: values.svg,
		workloads: [...chosen(workloads, only, values.quick), ...values.methods || values.record ? [emptyCalls] : []],
		rounds: rounds ? Number(rounds) : void 0,
		target,
		url: url?.replace(/\/+$/, ""),
		record: values.record?.replaceAll(/\s+/g, " ").trim(),
		compare: values.compare ?? (values.check ? "latest" : void 0)
	};
}
/** The options that need the workloads. `--load` does not run the workloads. */
const NOT_WITH_LOAD = [
	"quick",
	"only",
	"rounds",
	"profile",
	"svg",
	"record",
	"compare",
	"check"
];
/** The default of each number, and the greatest value that it can have. */
const LOAD = {
	clients: [20, 1e3],
	rate: [100, 1e5],
	seconds: [10, 3600],
	within: [100, 6e4]
};
function loadOf(methods, texts) {
	const numberOf = (name) => {
		const [usual, most] = LOAD[name];
		const value = texts[name];
		if (value === void 0) return usual;
		const number = Number(value);
		require((name !== "clients" || Number.isInteger(number)) && number > 0 && number <= most, `--${name} ${value}: from ${name === "clients" ? 1 : "more than 0"} to ${most}`);
		return number;
	};
	const [clients, rate, seconds, within] = [
		numberOf("clients"),
		numberOf("rate"),
		numberOf("seconds"),
		numberOf("within")
	];
	require(rate * seconds <= 1e6, `--rate ${rate} for --seconds ${seconds}: at most 1000000 calls`);
	return {
		methods,
		clients,
		rate,
		seconds,
		within
	};
}
function chosen(workloads, only, quick) {
	if (only.length === 0) return workloads.filter(({ isLong }) => !quick || !isLong);
	const names = workloads.map(({ name }) => `\n  ${name}`).join("");
	const found = /* @__PURE__ */ new Set();
	for (const part of only) {
		const same = workloads.filter(({ name }) => name === part);
		const some = same.length > 0 ? same : workloads.filter(({ name }) => name.includes(part));
		const problem = `--only ${part}: no workload has this in its name. The workloads are${names}`;
		require(some.length > 0, problem);
		for (const one of some) found.add(one);
	}
	return workloads.filter((one) => found.has(one));
}
function require(condition, message) {
	if (!condition) throw new Error(message);
}
// src/perf/measure/profile.ts
/** The number of calls in a sample. The sample is the mean of their times. The clock is too coarse for one call. */
const BATCH = 200;
/** The bytes of memory that are touched before each cold call: more than a core's nearest caches hold. */
const TOUCHED = 2 ** 21;
/** The distance between two bytes that are touched: the 64 bytes of a cache line. */
const LINE = 64;
/** The number of cold calls of each kind in a round. */
const COLD_CALLS = 50;
const contract = compileContract({ add: [Integer({
	minimum: 1,
	maximum: 1e6
})] });
const instance = {
	sum: 0,
	add: (by) => instance.sum += by
};
let id = 0;
const encodesCall = () => `[${encodeCall(++id, "add", [5])}]`;
const decodesCall = (frame = "[[1234567,\"add\",[5]]]") => {
	const [call = []] = decodeFrame(frame);
	checkCall(call);
	return decodeArgs(call, contract.limits, () => void 0).args;
};
const validates = (args = [5]) => contract.methods.get("add")?.validate(args);
const encodesAnswer = () => `[${encodeResult(id, instance.sum)}]`;
const decodesAnswer = (frame = "[[1234567,7654321]]") => decodeAnswer(decodeFrame(frame)[0]);
const ALL = "these steps in a row";
const CALL = "a whole call: proxy, frame, dispatch, promise";
const JSON_ALONE = "JSON alone, the same messages both ways";
const steps = {
	"client encodes": encodesCall,
	"server decodes": () => decodesCall(),
	"server validates": () => validates(),
	"server encodes": encodesAnswer,
	"client decodes": () => decodesAnswer(),
	[ALL]() {
		const args = decodesCall(encodesCall());
		validates(args);
		instance.add(args[0]);
		return decodesAnswer(encodesAnswer());
	},
	[JSON_ALONE]: () => [JSON.parse(JSON.stringify([[
		++id,
		"add",
		[5]
	]])), JSON.parse(JSON.stringify([[id, instance.sum += 5]]))]
};
/**
* @param tinybench - the package, which not every project has installed
* @param rounds - number of rounds. Each round measures each step once, so that noise affects all steps
*   equally. Default 30.
* @param time - the time for each step in each round, in milliseconds. Default 20.
*/
async function profile({ Bench }, rounds = 30, time = 20) {
	const client = connectInProcess();
	const bench = new Bench({
		time,
		iterations: 8,
		warmupTime: time,
		throws: true
	});
	const since = (start) => {
		const overriddenIterationCost = bench.now() - start;
		return {
			overriddenIterationCost,
			overriddenDuration: overriddenIterationCost / BATCH
		};
	};
	for (const [name, step] of Object.entries(steps)) bench.add(name, () => {
		const start = bench.now();
		for (let count = 0; count < BATCH; count++) step();
		return since(start);
	});
	bench.add(CALL, async () => {
		const start = bench.now();
		for (let count = 0; count < BATCH; count++) await client.add(5);
		return since(start);
	});
	const times = {};
	for (let round = 0; round < rounds; round++) {
		bench.reset();
		for (const { name, result } of await bench.run()) if ("latency" in result) (times[name] ??= []).push(result.latency.p50 * 1e3);
	}
	const cold = await coldly(rounds, {
		[ALL]: steps[ALL],
		[CALL]: () => client.add(5),
		[JSON_ALONE]: steps[JSON_ALONE]
	});
	const ratio = (name) => pairedRatio(times[name] ?? [], times[JSON_ALONE] ?? []);
	return {
		steps: Object.entries(times).map(([name, all]) => ({
			name,
			time: estimate(all)
		})),
		cold: Object.entries(cold).map(([name, all]) => ({
			name,
			time: estimate(all)
		})),
		ratios: {
			steps: ratio(ALL),
			call: ratio(CALL)
		}
	};
}
/**
* Measures single calls of the steps, with 2 MiB of memory touched before each call. An optimisation that
* helps only in a hot loop does not help here.
*
* @returns for each step the median of each round, in microseconds
*/
async function coldly(rounds, all) {
	const memory = new Uint8Array(TOUCHED);
	const times = {};
	for (let round = 0; round < rounds; round++) for (const [name, step] of Object.entries(all)) {
		const samples = [];
		for (let call = 0; call < COLD_CALLS; call++) {
			for (let at = 0; at < TOUCHED; at += LINE) memory[at] = memory[at] + 1;
			const start = performance.now();
			await step?.();
			samples.push((performance.now() - start) * 1e3);
		}
		(times[name] ??= []).push(median(samples));
	}
	return times;
}
function connectInProcess() {
	let events;
	const peer = new ClientConnection({}, { send: (frame) => events?.received(frame) });
	return createRpcClient("NONE", "none", { transport: {
		address: "this process",
		connect: (session) => (events = session).opened(),
		send(frame) {
			peer.hold();
			runFrame(frame, () => ({
				instance,
				contract,
				journal: void 0
			}), peer);
			peer.release();
		},
		close() {}
	} });
}
/** Returns the parts of a call's time, as differences between the medians of contenders. */
function differences(results) {
	const medianOf = (contender, workload = "100 reads") => results.find((one) => one.contender === contender && one.workload === workload)?.median ?? NaN;
	const floor = medianOf("by hand, hibernating");
	const increment = (contender) => medianOf(contender, "100 increments");
	return [
		["a read by hand: sockets, runtime, JSON", floor],
		["of which hibernation", floor - medianOf("by hand, always awake")],
		["more by this RPC", medianOf("this RPC") - floor],
		["executing an increment", increment("by hand, hibernating") - floor],
		["the journal", increment("this RPC") - increment("this RPC, no journal")]
	].filter(([, time]) => !Number.isNaN(time));
}
function formatProfile({ steps: rows, cold, ratios }, results) {
	const row = (name, time) => `  ${name.padEnd(48)}${time}`;
	return [
		"One call on the wire, by differences of medians, in µs",
		...differences(results).map(([name, time]) => row(name, time.toFixed(1))),
		"One call in this process, without a socket, in µs",
		...rows.map(({ name, time }) => row(name, formatRatio(time))),
		"The same, with 2 MiB of memory touched before each call, in µs",
		...cold.map(({ name, time }) => row(name, formatRatio(time))),
		`  relative to JSON: the steps ${formatRatio(ratios.steps)}, a whole call ${formatRatio(ratios.call)}`
	].join("\n");
}
// src/perf/report/in-words.ts
/** Says the most important results in words. */
/** The results that are said in words, by the names of their workloads: the first of each kind, except reads. */
const ROWS = [
	[
		"one call after another",
		/^100 (?!reads$|.* in flight$)[^,]+$/,
		true
	],
	["100 calls at the same time", /^100 (?!reads ).* in flight$/],
	["the first answer on a new connection", /^first answer on a fresh connection$/]
];
/** Compares this RPC with its floor and with the rival. Returns an empty string if no such row was measured. */
function formatInWords({ results, rival }) {
	const rows = ROWS.flatMap(([title, workload, isOfMethod]) => {
		const own = results.find((one) => workload.test(one.workload) && !one.role && (!isOfMethod || one.method !== void 0));
		return own ? [[
			`  ${title}`,
			wordsOf(own.ratio),
			wordsOf(own.rivalRatio)
		]] : [];
	});
	if (rows.length === 0) return "";
	return toText([[
		"In short, this RPC takes",
		"than by hand",
		`than ${rival}`
	], ...rows]);
}
/** Returns by how many per cent a time is longer or shorter, if the interval shows a difference. */
function wordsOf(ratio) {
	if (!ratio) return "–";
	if (isWide(ratio)) return "unclear";
	const { value, low, high } = ratio;
	if (low <= 1 && high >= 1) return "as long, or nearly";
	return `${Math.round(Math.abs(value - 1) * 100)} % ${value > 1 ? "longer" : "shorter"}`;
}
// src/perf/report/network-model.ts
/**
* Computes the time of a call over a WebSocket on other networks, from the measurement on this machine.
* It assumes that
*
* - a call takes a round trip, the time of its bytes on the wire, and its time on this machine;
* - a new connection takes a round trip each for TCP, TLS 1.3 and the upgrade, with their bytes;
* - a message is a TLS record in packets of 1 500 bytes;
* - the link has its full bandwidth at once and loses nothing. Real large messages take longer.
*/
const links = [
	{
		name: "datacenter",
		roundTrip: 1,
		up: 1e4,
		down: 1e4
	},
	{
		name: "broadband",
		roundTrip: 20,
		up: 20,
		down: 100
	},
	{
		name: "mobile",
		roundTrip: 70,
		up: 12,
		down: 12
	},
	{
		name: "slow",
		roundTrip: 400,
		up: .4,
		down: .4
	}
];
/** The bytes of IP and TCP headers, and the bytes that remain in a packet of 1 500. */
const PACKET_HEADER = 52;
const PACKET = 1448;
const TLS_RECORD = 22;
/** Typical bytes up and down of a TLS handshake. The next constant has the bytes of an upgrade's headers. */
const TLS = [600, 3e3];
const UPGRADE = [500, 250];
function projectionsOf({ up, down, processing }, on = links) {
	const bytes = [onWire(up, 6), onWire(down, 2)];
	return on.map((link) => {
		const warm = link.roundTrip + transfer(link, ...bytes) + processing;
		const saved = 3 * link.roundTrip + transfer(link, ...TLS) + transfer(link, ...UPGRADE);
		return {
			link,
			warm,
			fresh: warm + saved,
			saved
		};
	});
}
function onWire({ frames, bytes }, header) {
	if (frames === 0) return 0;
	const message = bytes / frames + header + TLS_RECORD;
	return frames * (message + Math.ceil(message / PACKET) * PACKET_HEADER);
}
/** Returns a time in milliseconds: a megabit a second is 125 bytes a millisecond. */
function transfer({ up, down }, bytesUp, bytesDown) {
	return bytesUp / (up * 125) + bytesDown / (down * 125);
}
function formatProjections(projections) {
	const rows = projections.map(({ link: { name, roundTrip, up, down }, warm, fresh, saved }) => [
		`  ${name}`,
		...[
			warm,
			fresh,
			saved,
			roundTrip
		].map((time) => `${time.toFixed(1)} ms`),
		`${up}`,
		`${down}`
	]);
	return toText([[
		"  network",
		...[
			"open connection",
			"new connection",
			"connecting alone"
		],
		"its round trip",
		"Mbit/s up",
		"down"
	], ...rows]);
}
// src/perf/report.ts
/** Formats a report for a terminal. */
function formatReport(report) {
	return [
		formatBusy(report),
		formatInWords(report),
		formatContenders(report),
		formatResults(report),
		formatWire(report),
		formatProjection(report),
		report.leftOut.length > 0 && ["Not measured", ...formatLeftOut(report.leftOut)].join("\n  "),
		formatConfiguration(report).join("\n"),
		formatBusy(report)
	].filter(Boolean).join("\n\n");
}
function formatContenders({ contenders }) {
	return toText([["Contenders"], ...contenders.map(({ name, about }) => [`  ${name}`, about])]);
}
/** Lists all workloads, the most important first. */
function formatResults({ results, rival }) {
	const table = [["Time of one call", ...[
		"calls/s",
		"median",
		"p95",
		"p99",
		"floor",
		"to its floor",
		`to ${rival}`
	]]];
	for (const [workload, ofWorkload] of Map.groupBy(results, (result) => result.workload)) {
		const [{ calls, rounds }] = ofWorkload;
		const title = `${workload}${calls > 1 ? ": the time of one" : ""} (${rounds} rounds)`;
		table.push([""], [title], ...ofWorkload.map(rowOf$1));
	}
	return `${toText(table)}

How to read this
- Each time is the time of one call, also where a round makes 100 calls. p95: 95 % of the times are shorter.
- A floor is the same exchange written by hand. "to its floor" is the time of a row relative to that of
  the floor that it names: 1.00 is the same time, 2.00 is twice as long. Lower is faster.
- Compare "to its floor" only between rows with the same floor: a floor that never hibernates is faster.
- In brackets is the 95 % interval. If two intervals overlap, the difference may be noise. A ? stands
  before an interval that is too wide to compare.
- A ratio is the median of the ratios of rounds that ran side by side, not the ratio of two medians.
- calls/s: one client that runs alone; --load measures many clients. "10 in flight": 10 calls at the same time.
- ${formatOutliers(results)}`;
}
/** Returns a sentence with the number of rounds that are far from the other rounds of their row, and their effect. */
function formatOutliers(results) {
	const all = results.reduce((sum, { rounds }) => sum + rounds, 0);
	return `${results.reduce((sum, { outliers }) => sum + outliers.length, 0)} of ${all} rounds lie far from the other rounds of their row. They raise p95 and p99, and hardly change the ratios.`;
}
/** Returns a line if intervals of this RPC are too wide to compare; otherwise an empty string. */
function formatBusy({ results }) {
	const wide = results.filter(({ role }) => role === void 0).flatMap(({ ratio, rivalRatio }) => [ratio, rivalRatio]).filter((ratio) => ratio && isWide(ratio)).length;
	if (wide === 0) return "";
	return `The machine was busy: ${wide === 1 ? "1 interval is" : `${wide} intervals are`} too wide to compare. Run it again when it is idle.`;
}
function rowOf$1(result) {
	return [
		`  ${result.contender}`,
		result.perSecond.toFixed(0),
		...[
			result.median,
			result.p95,
			result.p99
		].map((time) => `${time.toFixed(0)} µs`),
		result.floor ?? "–",
		...[result.ratio, result.rivalRatio].map((ratio) => ratio ? formatMarked(ratio) : "–")
	];
}
function formatWire({ wire }) {
	const head = [
		"frames up",
		"down",
		"bytes up",
		"down"
	];
	const rows = wire.map(({ contender, operation, up, down }) => [`  ${contender}, ${operation}`, ...[
		up.frames,
		down.frames,
		up.bytes,
		down.bytes
	].map((value) => `${Math.round(value)}`)]);
	return toText([["A call on the wire", ...head], ...rows]);
}
/** Returns a line for each contender and reason. */
function formatLeftOut(leftOut) {
	return [...Map.groupBy(leftOut, ({ contender, reason }) => `${contender}: ${reason}`)].map(([reason, group]) => `${reason} (${group.map(({ workload }) => workload).join("; ")})`);
}
/**
* Projects the time of a call by this RPC to other networks. The call is a read of the counter, or else the first
* method.
*/
function formatProjection({ results, wire }) {
	const own = results.filter(({ role, method }) => !role && method !== void 0);
	const call = own.find(({ workload }) => workload === "100 reads") ?? own[0];
	const cost = wire.find(({ contender, operation }) => contender === call?.contender && operation === call?.method);
	if (!call || !cost) return "";
	const projections = projectionsOf({
		...cost,
		processing: call.median / 1e3
	});
	return `Estimated, not measured: ${call.method} by ${call.contender} on other networks
${formatProjections(projections)}
Computed from the median of "${call.workload}" and the bytes on the wire: a call takes
a round trip, the time of its bytes on the link, and its time on this machine.`;
}
function formatConfiguration({ configuration }) {
	const { target, node, workerd, cpu, compatibilityDate, compatibilityFlags } = configuration;
	return [
		`Measured on: ${target}`,
		`Node ${node}, workerd ${workerd}, ${cpu}`,
		`Compatibility date ${[compatibilityDate, ...compatibilityFlags].join(", ")}`,
		`WebSocket compression: ${configuration.webSocketCompression}`
	];
}
// src/perf/report/record.ts
/**
* Reads and writes a project's PERFORMANCE.md. An entry is Markdown for people. A comment at its end
* contains the figures that `--compare` and `--check` read.
*/
const NAME = "PERFORMANCE.md";
const FIGURES = /^<!-- figures (.*) -->$/gm;
const HEAD = `# Performance

Written by \`npm run perf -- --record "what changed"\`, newest first. A ratio is of times, so lower is
faster; in brackets is its 95 % interval. A ? stands before an interval that is too wide to compare.`;
/**
* Adds a measurement, compared with the latest one before it.
*
* @param project - the folder of the file
*/
function record(project, report, description) {
	const text = read(project);
	const entry = formatEntry(report, {
		commit: currentCommit(project),
		description
	}, readEntries(text)[0]);
	writeFileSync(join(project, NAME), addEntry(text, entry));
}
/**
* Finds the entry to compare with.
*
* @param project - the folder of the file
* @param which - `latest`, the beginning of an entry's time or commit, or a git ref. The latest entry in
*   PERFORMANCE.md at that ref is then used.
* @throws Error if there is no such entry
*/
function findEntry(project, which) {
	const isIt = ({ time, commit }) => which === "latest" || time.startsWith(which) || commit.startsWith(which);
	const entry = readEntries(read(project)).find(isIt) ?? readEntries(git(project, "show", `${which}:./${NAME}`))[0];
	if (entry) return entry;
	throw new Error(`There is no entry ${which} in ${NAME}, and no git ref of that name with an entry there. To make an entry: npm run perf -- --record "what changed"`);
}
function formatEntry(report, names, previous) {
	const { time, configuration, results, rival } = report;
	const figures = results.flatMap(({ workload, contender, role, ratio, toEmpty }) => ratio ? [{
		workload,
		contender,
		role,
		ratio,
		toEmpty
	}] : []);
	const table = (cellOf) => toMarkdown(byWorkload(results, cellOf));
	return [
		titleOf({
			time,
			...names
		}),
		bullets(formatConfiguration(report)),
		"### Time relative to the same exchange written by hand",
		table(({ ratio }) => ratio && formatMarked(ratio)),
		`### Time relative to ${rival}`,
		table(({ rivalRatio }) => rivalRatio && formatMarked(rivalRatio)),
		"### Median of a call, in µs",
		table(({ median }) => median.toFixed(0)),
		"### Compared with the entry before",
		bullets(comparison(configuration, figures, previous)),
		"### Notes",
		bullets(notes(report)),
		`<!-- figures ${toComment({
			time,
			...names,
			configuration,
			figures
		})} -->\n`
	].join("\n\n");
}
/** Puts an entry before all earlier entries. `text` is empty if there is no file yet. */
function addEntry(text, entry) {
	const first = text.search(/^## /m);
	const [head, rest] = first < 0 ? [text, ""] : [text.slice(0, first), `\n${text.slice(first)}`];
	return `${head.trim() || HEAD}\n\n${entry}${rest}`;
}
/**
* Reads the entries, newest first.
*
* @throws Error if the figures of an entry cannot be parsed
*/
function readEntries(text) {
	return [...text.matchAll(FIGURES)].map(([, figures = ""]) => {
		try {
			const entry = JSON.parse(figures);
			if (entry.time && entry.configuration && Array.isArray(entry.figures)) return entry;
		} catch {}
		throw new Error(`PERFORMANCE.md: the figures of an entry are damaged: ${figures.slice(0, 60)}…`);
	});
}
function titleOf({ time, commit, description }) {
	return `## ${time}, ${commit}: ${description}`;
}
/**
* Formats an entry as JSON, without the character that could end the comment. It keeps four digits of a
* number, which is more than the precision of the measurement.
*/
function toComment(entry) {
	return JSON.stringify(entry, (_, value) => typeof value === "number" ? Number(value.toPrecision(4)) : value).replaceAll(">", String.raw`\u003e`);
}
function comparison(configuration, figures, previous) {
	if (!previous) return ["There is no earlier entry."];
	const difference = differenceOf(previous.configuration, configuration);
	return [
		titleOf(previous).slice(3),
		...difference ? [`Measured differently: ${difference}`] : [],
		...formatChanges(compareFigures(previous.figures, figures))
	];
}
function notes({ results, leftOut }) {
	return [
		formatBusy({ results }),
		formatOutliers(results),
		...formatLeftOut(leftOut)
	].filter(Boolean);
}
function bullets(lines) {
	return lines.map((line) => `- ${line}`).join("\n");
}
function read(project) {
	const file = join(project, NAME);
	return existsSync(file) ? readFileSync(file, "utf8") : "";
}
function currentCommit(project) {
	const hash = git(project, "rev-parse", "--short", "HEAD").trim();
	if (!hash) return "no commit";
	return git(project, "status", "--porcelain", "--", ".", `:(exclude)${NAME}`) ? `${hash}-dirty` : hash;
}
/** Returns the output of git; empty if git fails or is not installed. */
function git(project, ...args) {
	try {
		return execFileSync("git", args, {
			cwd: project,
			encoding: "utf8",
			stdio: [
				"ignore",
				"pipe",
				"ignore"
			],
			maxBuffer: 2 ** 28
		});
	} catch {
		return "";
	}
}
// src/perf/run/progress.ts
/**
* Shows on stderr the progress of a run. On a terminal this is one line, which is overwritten. In a file or a pipe
* it is a line for each phase and for each quarter of it.
*/
let shown = "";
/**
* @param phase - the present action of the run
* @param part - the part of the phase that is done, from 0 to 1; left out if the phase is short
*/
function showProgress(phase, part) {
	const steps = process.stderr.isTTY ? 100 : 4;
	const percent = part === void 0 ? 0 : Math.floor(part * steps) * 100 / steps;
	const text = percent > 0 ? `${phase}, ${percent} %` : phase;
	if (text === shown) return;
	shown = text;
	process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${text}` : `perf: ${text}\n`);
}
/** Removes the line from a terminal, before other output. */
function clearProgress() {
	shown = "";
	if (process.stderr.isTTY) process.stderr.write("\r\x1B[K");
}
// src/perf/run/optional-packages.ts
/** @throws Error that says what to install */
function loadCapnweb() {
	return installed("capnweb", "The comparison with Cap'n Web", () => import("capnweb"));
}
/** @throws Error that says what to install */
function loadTinybench() {
	return installed("tinybench", "--profile", () => import("tinybench"));
}
async function installed(name, purpose, load) {
	try {
		return await load();
	} catch (cause) {
		if (cause?.code !== "ERR_MODULE_NOT_FOUND") throw cause;
		throw new Error(`${purpose} needs the package ${name}, which is not installed: npm install --save-dev ${name}`, { cause });
	}
}
// src/perf/run/runtime.ts
/**
* Starts and stops the runtime in which the contenders run. A child process builds the Worker, runs it
* and cleans up, because it outlives this process. The channel between the two closes when this process
* ends, even by a crash. The child then ends workerd, which would go on, and deletes its files.
*/
/**
* The path of the child's program. In the built package it is also a file of its own, beside the module that contains
* this file.
*/
const RUNTIME_PROCESS = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "./runtime-process.ts" : "./perf-runtime-process.js", import.meta.url).href);
const EXIT_CODES = {
	SIGINT: 130,
	SIGTERM: 143,
	SIGHUP: 129
};
/**
* Builds the performance test's Worker and serves it on a free port of this machine.
*
* A signal stops the runtime and then ends this process.
*
* @param project - the folder with wrangler's configuration, and the Worker's configuration in `perf/wrangler.jsonc`
* @throws Error if the build fails or the runtime does not start; the reason is on stderr by then
*/
async function startRuntime(target, project) {
	const child = fork(RUNTIME_PROCESS, [target, project], { stdio: [
		"ignore",
		"ignore",
		"inherit",
		"ipc"
	] });
	const exited = once(child, "exit");
	const stop = async () => {
		if (child.connected) child.disconnect();
		await exited;
	};
	for (const [signal, exitCode] of Object.entries(EXIT_CODES)) process.once(signal, () => {
		process.exitCode = exitCode;
		stop().then(() => process.exit());
	});
	const neverReady = exited.then(() => {
		throw new Error("The runtime did not start");
	});
	const [details] = await Promise.race([once(child, "message"), neverReady]);
	neverReady.catch(() => {});
	return {
		...details,
		stop
	};
}
// src/perf/measure/summary.ts
/** @param rival - the name of the contender with which all contenders are compared, beside their floors */
function summarize(series, rival) {
	const results = [];
	const leftOut = [];
	for (const { workload, contender, perCall, calls, failure } of series) {
		const { name, role, floor } = contender;
		const names = {
			workload: workload.name,
			contender: name
		};
		if (failure !== void 0) {
			leftOut.push({
				...names,
				reason: failure
			});
			continue;
		}
		const roundsOf = (other, doing = workload) => {
			const found = series.find((one) => one.workload === doing && one.contender.name === other);
			return found?.failure ? void 0 : found?.perCall;
		};
		const relativeTo = (other) => {
			const rounds = other === name ? void 0 : roundsOf(other);
			return rounds && pairedRatio(perCall, rounds);
		};
		const empty = roundsOf(floor, emptyCalls);
		const times = calls.length > 0 ? calls : perCall;
		results.push({
			...names,
			method: methodOf(workload),
			role,
			calls: workload.calls,
			rounds: perCall.length,
			outliers: outliers(perCall),
			median: median(times),
			perSecond: 1e6 / median(perCall),
			p95: percentile(times, .95),
			p99: percentile(times, .99),
			floor,
			ratio: relativeTo(floor),
			toEmpty: empty && ratioOfMedians(perCall, empty),
			rivalRatio: role === "floor" ? void 0 : relativeTo(rival)
		});
	}
	return {
		results,
		leftOut
	};
}
function methodOf({ methods, isFresh, isConcurrent }) {
	const [method, ...others] = new Set(methods);
	return isFresh || isConcurrent || others.length > 0 ? void 0 : method;
}
// src/perf/measure/wire.ts
/**
* Measures what a call costs on the wire: the number of frames, and their bytes before compression. For
* a POST it counts the body, without HTTP headers.
*/
const CALLS = 100;
/**
* Counts the traffic of calls that run one after another, on an open connection.
*
* @param methods - the methods that are called. A method that a contender rejects has no figures.
*/
async function countWire(url, contenders, methods, measured) {
	const costs = [];
	const { WebSocket, fetch } = globalThis;
	try {
		for (const { name, connect } of contenders) {
			const traffic = countTraffic(WebSocket, fetch, url);
			const connection = await connect(url, instanceName("wire", measured));
			const object = new CalledObject(measured);
			const call = async (operation, times) => {
				for (const { method, args } of object.prepare(Array(times).fill(operation))) await connection.call(method, args);
			};
			try {
				for (const operation of methods) try {
					await call(operation, 1);
					const { up, down } = traffic;
					for (const one of [up, down]) one.frames = one.bytes = 0;
					await call(operation, CALLS);
					costs.push({
						contender: name,
						operation,
						up: ofOneCall(up),
						down: ofOneCall(down)
					});
				} catch {}
			} finally {
				connection.close();
			}
		}
	} finally {
		Object.assign(globalThis, {
			WebSocket,
			fetch
		});
	}
	return costs;
}
function ofOneCall({ frames, bytes }) {
	return {
		frames: frames / CALLS,
		bytes: bytes / CALLS
	};
}
/**
* Replaces the global `WebSocket` and `fetch` by versions that count their traffic.
*
* @param server - the URL of the server whose requests are counted. Other code of the process may send requests elsewhere. Default:
*   all requests are counted.
*/
function countTraffic(RealWebSocket, realFetch, server = "") {
	const traffic = {
		up: {
			frames: 0,
			bytes: 0
		},
		down: {
			frames: 0,
			bytes: 0
		}
	};
	const count = (direction, data) => {
		traffic[direction].frames++;
		traffic[direction].bytes += Buffer.byteLength(data);
	};
	globalThis.WebSocket = class extends RealWebSocket {
		constructor(url, protocols) {
			super(url, protocols);
			this.addEventListener("message", ({ data }) => count("down", data));
		}
		send(data) {
			count("up", data);
			super.send(data);
		}
	};
	globalThis.fetch = async (input, init) => {
		if (!String(input instanceof Request ? input.url : input).startsWith(server)) return realFetch(input, init);
		count("up", init?.body ?? "");
		const response = await realFetch(input, init);
		count("down", await response.clone().arrayBuffer());
		return response;
	};
	return traffic;
}
// src/perf/load.ts
/**
* Puts an open load on an object: makes calls at fixed times, as users do, even if earlier calls have not been
* answered. The time of a call begins when the call is due. So a call that waits, behind others or because the object
* stands still, counts with its whole wait, and every call that is due during a standstill counts: no coordinated
* omission.
*/
/** The time that the measurement waits for answers after the last call, in milliseconds. */
const PATIENCE = 1e4;
/** The milliseconds between two checks whether the wait has ended. */
const PAUSE = 20;
/** A timer is late by up to this many milliseconds. The rest of the time passes in turns of the event loop. */
const TIMER = 2;
const realClock = {
	now: () => performance.now(),
	pass: async (most) => {
		await (most > TIMER ? setTimeout(most - TIMER) : setImmediate());
	}
};
/**
* Makes the calls of a load, and checks their answers if none has failed.
*
* @param connections - open connections to the same object
* @throws Error that names a call with a wrong answer
*/
async function measureLoad(connections, { methods, rate, seconds, within }, measured, clock = realClock) {
	const object = new CalledObject(measured);
	const count = Math.max(1, Math.round(rate * seconds));
	const calls = object.prepare(Array.from({ length: count }, (_, index) => methods[index % methods.length]));
	const start = clock.now();
	const dueOf = (index) => start + index * 1e3 / rate;
	const answers = Array(count);
	/** `undefined` for a call without an answer, and `NaN` for a rejected call. */
	const times = Array(count).fill(void 0);
	let [open, latest, longestGap, lastAnswer] = [
		count,
		0,
		0,
		start
	];
	let failure;
	const make = async (index) => {
		const { method, args } = calls[index];
		const connection = connections[index % connections.length];
		try {
			answers[index] = await connection.call(method, args);
			const time = clock.now();
			times[index] = time - dueOf(index);
			longestGap = Math.max(longestGap, time - lastAnswer);
			lastAnswer = time;
		} catch (error) {
			times[index] = NaN;
			failure ??= messageOf(error);
		}
		open--;
	};
	for (let index = 0; index < count;) {
		const time = clock.now();
		for (; index < count && dueOf(index) <= time; index++) {
			latest = Math.max(latest, time - dueOf(index));
			make(index);
		}
		if (index < count) await clock.pass(dueOf(index) - clock.now());
	}
	const deadline = clock.now() + PATIENCE;
	const isWaiting = () => open > 0 && clock.now() < deadline;
	while (isWaiting()) await clock.pass(PAUSE);
	const end = clock.now();
	const counted = times.map((time, index) => time ?? end - dueOf(index)).filter((time) => time >= 0);
	const answered = times.filter((time) => time !== void 0 && time >= 0);
	const timeOf = (part) => counted.length > 0 ? percentile(counted, part) : NaN;
	if (open > 0) longestGap = Math.max(longestGap, end - lastAnswer);
	if (answered.length === count) object.check(calls, answers, false);
	return {
		calls: count,
		failed: count - open - answered.length,
		failure,
		unanswered: open,
		perSecond: answered.length * 1e3 / Math.max(lastAnswer - start, count * 1e3 / rate),
		inTime: answered.filter((time) => time <= within).length / count,
		p50: timeOf(.5),
		p99: timeOf(.99),
		longestGap,
		latest
	};
}
// src/perf/run/cpu-time.ts
/** Reads the CPU time of another process. */
/** The number of ticks in a second. Linux reports times of processes in ticks. */
const TICKS = 100;
/** Returns the CPU time that a process has used, in milliseconds; `undefined` if the system does not report it. */
function cpuTimeOf(pid) {
	try {
		const [, fields = ""] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
		const [user = "", system = ""] = fields.split(" ").slice(11, 13);
		return (Number(user) + Number(system)) * 1e3 / TICKS;
	} catch {
		return timeFromPs(pid);
	}
}
/** Reads the time that `ps` prints on macOS: `[hours:]minutes:seconds.hundredths`. */
function timeFromPs(pid) {
	try {
		const seconds = execFileSync("ps", [
			"-o",
			"time=",
			"-p",
			`${pid}`
		], {
			encoding: "utf8",
			stdio: [
				"ignore",
				"pipe",
				"ignore"
			]
		}).trim().split(":").map(Number).reduce((sum, part) => sum * 60 + part, 0);
		return Number.isFinite(seconds) ? seconds * 1e3 : void 0;
	} catch {
		return;
	}
}
// src/perf/run/loads.ts
/** Puts an open load on the object of one contender after another. */
/**
* The number of exchanges of each connection before the load. They open the connection, and let both ends compile their
* code.
*/
const WARM_UP = 20;
/**
* Measures the contenders that keep a connection open.
*
* @param runtime - the address of the runtime, and its process id if that is known
* @throws Error that names the contender, if one of this project's RPC cannot be connected or answers wrongly. A floor or
*   a rival is left out instead.
*/
async function measureLoads(runtime, contenders, load, measured) {
	const results = [];
	const leftOut = [];
	for (const contender of contenders.filter(({ isConnectionless }) => !isConnectionless)) {
		showProgress(`${load.seconds} s of load on ${contender.name}`);
		try {
			results.push(await measureOne(runtime, contender, load, measured));
		} catch (error) {
			if (contender.role === void 0) throw named(contender, error);
			leftOut.push({
				contender: contender.name,
				reason: messageOf(error)
			});
		}
	}
	return {
		results,
		leftOut
	};
}
async function measureOne({ url, pid }, { name, connect }, load, measured) {
	const object = instanceName("load", measured);
	const connections = [];
	try {
		for (let client = 0; client < load.clients; client++) connections.push(await connect(url, object));
		await Promise.all(connections.map(async (connection) => {
			for (let exchange = 0; exchange < WARM_UP; exchange++) await connection.echo?.(exchange);
		}));
		const used = () => pid === void 0 ? void 0 : cpuTimeOf(pid);
		const before = used();
		const figures = await measureLoad(connections, load, measured);
		const after = used();
		const cpu = before === void 0 || after === void 0 ? void 0 : after - before;
		return {
			contender: name,
			...figures,
			cpu
		};
	} finally {
		for (const connection of connections) connection.close();
	}
}
// src/perf/report/load.ts
function formatLoad({ configuration, load, results, leftOut }) {
	const { clients, rate, seconds, within, methods } = load;
	const table = [["Open load", ...[
		"calls/s",
		"in time",
		"p50",
		"p99",
		"longest gap",
		"sent late",
		"CPU",
		"of a call"
	]], ...results.map((result) => rowOf(result, load))];
	const problems = [...results.flatMap(problemsOf), ...leftOut.map(({ contender, reason }) => `${contender} was left out: ${reason}`)];
	return [
		`${clients} clients, ${rate} calls a second in all, for ${seconds} s: ${methods.join(", ")}`,
		toText(table),
		problems.join("\n"),
		`How to read this
- The time of a call begins when the call is due, and not when it is sent. So the time contains the wait before the call.
- in time: the share of all calls that were answered within ${formatTime(within)}. calls/s: the answers.
- longest gap: the longest time in which no call was answered.
- CPU: of the runtime's process, in which this object is the only one with calls; 100 % is one core.
- sent late: the longest delay of a call, because this process was busy. The times contain the delay:
  if it is long, make the load from a machine that is idle.`,
		formatConfiguration({ configuration }).join("\n")
	].filter(Boolean).join("\n\n");
}
function rowOf(result, { rate }) {
	const { contender, perSecond, inTime, p50, p99, longestGap, latest, cpu, calls } = result;
	const wallClock = calls * 1e3 / Math.min(rate, perSecond);
	return [
		`  ${contender}`,
		perSecond.toFixed(perSecond < 10 ? 1 : 0),
		`${(Math.floor(inTime * 1e3) / 10).toFixed(1)} %`,
		...[
			p50,
			p99,
			longestGap,
			latest
		].map(formatTime),
		cpu === void 0 ? "–" : `${(cpu / wallClock * 100).toFixed(1)} %`,
		cpu === void 0 ? "–" : `${(cpu / calls * 1e3).toFixed(0)} µs`
	];
}
function problemsOf({ contender, calls, failed, failure, unanswered }) {
	return [...failed > 0 ? [`${contender}: ${failed} of ${calls} calls failed: ${failure}`] : [], ...unanswered > 0 ? [`${contender}: ${unanswered} of ${calls} calls got no answer`] : []];
}
function formatTime(milliseconds) {
	if (Number.isNaN(milliseconds)) return "–";
	return milliseconds < 1e4 ? `${milliseconds.toFixed(milliseconds < 100 ? 1 : 0)} ms` : `${(milliseconds / 1e3).toFixed(1)} s`;
}
// src/perf/run.ts
/**
* Compares a project's RPC with code by hand around the same Durable Object. This file is the
* main program of `npm run perf`. It uses the four files beside it: contenders, workloads, measure and report. A folder
* beside a file, with the same name, has the parts of that file.
*/
/** The options of `--quick`: `warmUp` in pairs of rounds, `duration` in milliseconds. */
const QUICK = {
	warmUp: 0,
	duration: 18e3,
	fewestRounds: 6
};
const FULL = {
	...QUICK,
	warmUp: 1,
	duration: 15e4
};
const TARGETS = {
	workerd: "workerd, the bare Workers runtime",
	dev: "wrangler dev, whose proxy adds latency to every answer"
};
/**
* Runs the performance test, with the options of the command line, which `--help` lists. It sets `process.exitCode`: 2
* for a wrong command line, 1 if something failed or is slower than before. See `PerfOptions` for the parameters.
*
* @example
* await runPerf({
*   project: join(import.meta.dirname, '..'),
*   argumentsOf: (method, index) => (method === 'order' ? [`order-${index}`, 'tea'] : []),
*   check: () => ({ method, answer }) => method !== 'order' || answer === 'ok',
*   workloads: standardWorkloads({ orders: 'order', reads: 'list' }),
* });
*/
async function runPerf({ project, workloads, commandLine = process.argv.slice(2), ...measured }) {
	let options;
	try {
		options = readOptions(commandLine, workloads);
	} catch (error) {
		console.error(`perf: ${error.message}\n\n${USAGE}`);
		process.exitCode = 2;
		return;
	}
	if (options.help) {
		console.log(USAGE);
		return;
	}
	await main(resolve(project), measured, options);
}
async function main(project, measured, options) {
	let runtime;
	try {
		const chosen = contendersFor(await loadCapnweb()).filter(({ isExtra }) => options.all || !isExtra);
		const run = {
			project,
			measured,
			options,
			chosen
		};
		const reference = options.compare ? findEntry(project, options.compare) : void 0;
		if (options.methods && !reference?.figures.some(({ toEmpty }) => toEmpty)) throw new Error("The entry has no figures for methods: add one with --record");
		if (options.svg) appendFileSync(options.svg, "");
		const tinybench = options.profile ? await loadTinybench() : void 0;
		if (!options.url) showProgress("building the Worker and starting the runtime");
		runtime = options.url ? deployed(options.url) : await startRuntime(options.target, project);
		const configuration = await configurationOf(runtime, options);
		const difference = reference && differenceOf(reference.configuration, configuration);
		if (options.check && difference) throw new Error(`These runs cannot be compared: ${difference}`);
		const time = (/* @__PURE__ */ new Date()).toISOString();
		if (options.load) {
			const under = await measureLoads(runtime, chosen, options.load, measured);
			clearProgress();
			const report = {
				time,
				configuration,
				load: options.load,
				...under
			};
			console.log(options.json ? JSON.stringify(report, null, 2) : formatLoad(report));
			return;
		}
		const figures = await measureOn(run, runtime.url, options.workloads);
		const able = chosen.filter(({ name }) => figures.results.some((one) => one.contender === name));
		showProgress("counting frames and bytes");
		const methods = new Set(options.workloads.flatMap((one) => one.methods));
		const wire = await countWire(runtime.url, able, methods, measured);
		const report = {
			time,
			configuration,
			contenders: able.map(({ name, about }) => ({
				name,
				about
			})),
			rival: CAPNWEB,
			...figures,
			wire
		};
		if (tinybench) showProgress("timing the steps of a call");
		const profiled = tinybench && await profile(tinybench);
		clearProgress();
		show(options, report, reference, profiled);
		if (options.svg) writeFileSync(options.svg, chartOf(report));
		if (options.record) record(project, report, options.record);
		const written = [options.svg, options.record && "PERFORMANCE.md"].filter(Boolean).join(", ");
		if (written && !options.json) console.log(`\nWritten: ${written}`);
		if (options.check && reference) await check(run, runtime.url, report, reference);
	} catch (error) {
		clearProgress();
		if (process.exitCode === void 0) {
			console.error(`perf: ${messageOf(error)}`);
			process.exitCode = 1;
		}
	} finally {
		await runtime?.stop();
	}
}
function deployed(url) {
	const unknown = "as deployed";
	const stop = async () => {};
	return {
		url,
		workerd: unknown,
		compatibilityDate: unknown,
		compatibilityFlags: [],
		stop
	};
}
async function configurationOf(runtime, options) {
	const { url, workerd, compatibilityDate, compatibilityFlags } = runtime;
	return {
		target: options.url ?? TARGETS[options.target],
		node: process.versions.node,
		cpu: `${cpus()[0]?.model.trim() ?? "unknown CPU"} (${availableParallelism()} cores)`,
		workerd,
		compatibilityDate,
		compatibilityFlags,
		webSocketCompression: await negotiatedExtensions(url) || "off"
	};
}
async function measureOn({ options, chosen, measured }, url, workloads) {
	showProgress("checking answers and warming up");
	const { rounds, quick } = options;
	return summarize(await measure(url, chosen, workloads, {
		...measured,
		...quick ? QUICK : FULL,
		...rounds && {
			warmUp: 0,
			duration: 0,
			fewestRounds: rounds
		},
		onProgress: (part) => showProgress("measuring", part)
	}), CAPNWEB);
}
function show(options, report, reference, profiled) {
	const changes = reference && compareFigures(reference.figures, report.results);
	if (options.json) {
		console.log(JSON.stringify({
			...report,
			changes,
			profile: profiled
		}, null, 2));
		const busy = formatBusy(report);
		if (busy) console.error(`perf: ${busy}`);
		return;
	}
	console.log(formatReport(report));
	if (profiled) console.log(`\n${formatProfile(profiled, report.results)}`);
	if (!changes) return;
	const difference = differenceOf(reference.configuration, report.configuration);
	console.log(`\nCompared with ${titleOf(reference)}`);
	if (difference) console.log(`Measured differently: ${difference}`);
	console.log(formatChanges(changes).join("\n"));
}
/**
* Reports the ratios that are slower than in the entry, and the ratios that cannot be judged. Only workloads with a
* slower or unclear ratio are measured again.
*/
async function check(run, url, report, reference) {
	const { options } = run;
	const measures = options.methods ? ["ratio", "toEmpty"] : ["ratio"];
	const changesIn = ({ results }) => measures.flatMap((of) => compareFigures(reference.figures, results, of)).filter(({ role }) => role === void 0);
	const changes = changesIn(report);
	const suspects = changes.filter(({ verdict }) => verdict === "slower" || verdict === "unclear");
	let judged = [];
	if (suspects.length > 0) {
		judged = judgeAgain(suspects, changesIn(await measureOn(run, url, options.workloads.filter((one) => one === emptyCalls || suspects.some(({ workload }) => workload === one.name)))));
		clearProgress();
	}
	const slower = judged.filter(({ verdict }) => verdict === "slower");
	const unclear = judged.filter(({ verdict }) => verdict === "unclear");
	const failing = report.leftOut.filter((one) => reference.figures.some((figure) => isAlike(figure, one)));
	if (!measures.every((of) => changes.some((one) => one.measure === of)) && failing.length === 0) throw new Error("nothing was compared: the entry has none of the ratios that this run has measured");
	if (unclear.length > 0) {
		const count = `${unclear.length} of ${changes.length} ratios could not be judged`;
		console.error(`perf: ${count}: intervals are too wide, or two measurements disagree`);
		console.error(unclear.map(formatChange).join("\n"));
		console.error("Run it again when the machine is idle. If the entry is unclear, record a new one.");
		if (unclear.length === changes.length) process.exitCode = 1;
	}
	if (slower.length + failing.length === 0) return;
	console.error(`perf: beyond the noise, this is worse than ${titleOf(reference)}`);
	if (slower.length > 0) console.error(formatChanges(slower).join("\n"));
	if (failing.length > 0) console.error(formatLeftOut(failing).join("\n"));
	console.error("Find the cause. If the change is intended, add a new entry with --record.");
	process.exitCode = 1;
}
export { bookings, callers, contenderClasses, contenderWorker, echo, events, exchanges, fresh, inFlight, inSequence, runPerf, samples, standardWorkloads };
