import { attributesOf, messageOf } from "./wire.js";
// src/features/tracing/server/platform.ts
/** Spans of the platform's own tracing, `tracing` of `cloudflare:workers`. */
/** In a variable, so that no bundler looks for the module, and other runtimes can load this file. */
const WORKERS = "cloudflare:workers";
let platform;
import(
	/* @vite-ignore */
	WORKERS
).then(({ tracing }) => {
	platform = tracing;
}, () => {});
/** Makes spans of the platform. It takes no parent of another program, so the parent is an attribute. */
const platformTracer = (call, run) => {
	if (!platform) return run(void 0);
	return platform.startActiveSpan(call.name, (span) => {
		const { attributes, parent } = call;
		if (span.isTraced) span.setAttributes(parent ? {
			...attributes,
			...parent
		} : attributes);
		return run({ end(ended) {
			if (span.isTraced) {
				span.setAttributes(attributesOf(ended));
				if ("error" in ended) {
					const { error } = ended;
					const message = messageOf(error);
					span.recordException(error instanceof Error ? error : message);
					span.setStatus({
						code: "error",
						message
					});
				}
			}
			span.end();
		} });
	});
};
export { platformTracer };
