/** Receives spans as OTLP over HTTP, in the process of a test. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Value = { stringValue?: string; intValue?: number; boolValue?: boolean };

/** A span, as OTLP writes it in JSON. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: { key: string; value: Value }[];
  readonly status: { code: number; message?: string };
  readonly events: { name: string; attributes: { key: string; value: Value }[] }[];
}

interface Received {
  resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
}

/** The names of the kinds of spans, by their number in OTLP. */
const KINDS = ['', 'internal', 'server', 'client'];

export class Collector {
  readonly spans: ReceivedSpan[] = [];
  readonly #server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(body) as Received;
      const scopes = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans);
      this.spans.push(...scopes.flatMap(({ spans }) => spans));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  of(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  /** Returns the spans of a trace as lines, with children indented below their parent, and siblings sorted by name. */
  tree(traceId: string): string[] {
    const spans = this.of(traceId).toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const lines: string[] = [];
    const add = (parent: string | undefined, indent: string): void => {
      for (const { name, kind, spanId, parentSpanId } of spans) {
        if ((parentSpanId || undefined) !== parent) continue;
        lines.push(`${indent}${name} ${KINDS[kind]}`);
        add(spanId, `${indent}  `);
      }
    };
    add(undefined, '');
    return lines;
  }
}

/** Returns the attributes of a span, or of an event in it. */
export function attributesOf({ attributes }: Pick<ReceivedSpan, 'attributes'>): object {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
