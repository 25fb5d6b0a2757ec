import { recordEnd } from "./wire.js";
// src/features/tracing/server/platform.ts
/** Spans of the platform's own tracing, `tracing` of `cloudflare:workers`. */
/** The name is in a variable, so that no bundler looks for the module, and other runtimes can load this file. */
const WORKERS = "cloudflare:workers";
let platform;
import(
	/* @vite-ignore */
	WORKERS
).then(({ tracing }) => {
	platform = tracing;
}, () => {});
/**
* True if the platform does not trace the running invocation. It is reset in a microtask, before the code of another
* invocation runs.
*/
let isUntraced = false;
const settled = Promise.resolve();
function forget() {
	isUntraced = false;
}
/** Makes spans of the platform. The platform takes no parent of another program, so the parent is an attribute. */
const platformTracer = (call, run) => {
	if (!platform || isUntraced) return run(void 0);
	return platform.startActiveSpan(call.name, (span) => {
		if (!span.isTraced) {
			span.end();
			isUntraced = true;
			settled.then(forget);
			return run(void 0);
		}
		const { attributes, parent } = call;
		span.setAttributes(parent ? {
			...attributes,
			...parent
		} : attributes);
		return run({ end(ended) {
			recordEnd(span, ended, "error");
			span.end();
		} });
	});
};
export { platformTracer };
