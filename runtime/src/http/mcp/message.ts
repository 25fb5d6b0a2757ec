/** Answers a message of MCP. It creates a server of the SDK for one request, and calls the object by plain HTTP. */
import {
  type CallToolRequest,
  type CallToolResult,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server';
import { parsed } from '../arguments.ts';
import { bodyText } from '../body.ts';
import { answerCall } from '../call.ts';
import type { CalledObject } from '../called-object.ts';
import { KEY } from '../keys.ts';
import { malformed } from '../problems.ts';
import { Listening } from './listening.ts';
import { LIST, type OfferedMethods, type OfferedTool } from './offered-methods.ts';

/** The name of the idempotency key in the `_meta` of a call. Plain HTTP has a header for it. */
const KEY_META = 'lumenize-rpc/idempotency-key';

/** The name and the version that clients show for a server. */
interface ServerSettings {
  readonly info?:
    | { readonly name: string; readonly version: string; readonly title?: string | undefined }
    | undefined;
  readonly instructions?: string | undefined;
}

/** Answers a request that the hook has let through. */
export async function answerMessage(
  object: CalledObject,
  methods: OfferedMethods,
  settings: ServerSettings,
): Promise<Response> {
  const { forwarded, contract } = object;
  let message: unknown;
  if (forwarded.method === 'POST') {
    const text = await bodyText(forwarded, 3 * contract.limits.frameSize);
    if (typeof text !== 'string') return text;
    // The hook has let only one call through.
    const read = parsed(text, 'The body', (value) =>
      Array.isArray(value)
        ? malformed('The body must be one JSON-RPC message, not a list')
        : { value },
    );
    if (read instanceof Response) return read;
    message = read.value;
  }
  const listening = new Listening(object, message, methods.resources, () => handler.close());
  const handler = createMcpHandler(
    ({ era }) => serverOf(object, methods, settings, era === 'modern'),
    { bus: listening },
  );
  return listening.paced(await handler.fetch(forwarded, { parsedBody: listening.message }));
}

/** @param canListen - whether the client's version of the protocol can subscribe without a session */
function serverOf(
  object: CalledObject,
  { tools, resources }: OfferedMethods,
  { info, instructions }: ServerSettings,
  canListen: boolean,
): Server {
  const hasResources = resources.size > 0;
  const { name, version, title } = info ?? { name: object.binding, version: '1.0.0' };
  const server = new Server(
    { name, version, ...(title !== undefined && { title }) },
    {
      capabilities: {
        tools: {},
        ...(hasResources && { resources: canListen ? { subscribe: true } : {} }),
      },
      ...(instructions !== undefined && { instructions }),
    },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: Array.from(tools.values(), ({ tool }) => tool),
  }));
  server.setRequestHandler('tools/call', ({ params }) => {
    const offered = tools.get(params.name);
    if (offered) return callTool(object, offered, params);
    const problem = `There is no tool ${params.name.slice(0, 100)}`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, problem);
  });
  if (!hasResources) return server;
  server.setRequestHandler('resources/list', () => ({
    resources: Array.from(resources.values(), ({ resource }) => resource),
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const offered = resources.get(uri);
    if (offered) return readResource(object, uri, offered.method);
    throw new ResourceNotFoundError(uri.slice(0, 100));
  });
  return server;
}

async function callTool(
  object: CalledObject,
  { tool, takesList, structured }: OfferedTool,
  { arguments: sent, ['_meta']: meta }: CallToolRequest['params'],
): Promise<CallToolResult> {
  let request: Request;
  try {
    const body = takesList ? listIn(sent) : sent && JSON.stringify(sent);
    request = requestOf(object, body, (meta as Record<string, unknown> | undefined)?.[KEY_META]);
  } catch (error) {
    // The arguments have unknown names or are nested too deeply, or the key cannot be in a header.
    return failed(malformed((error as Error).message));
  }
  const response = await answerRequest(object, tool.name, request);
  if (!response.ok) return failed(response);
  const json = await response.text();
  const isParsed = json !== '' && (structured !== undefined || json.startsWith('"'));
  const result: unknown = isParsed ? JSON.parse(json) : undefined;
  const text = typeof result === 'string' ? result : json;
  return {
    content: json === '' ? [] : [{ type: 'text', text }],
    ...(structured && { structuredContent: structured(result) as Record<string, unknown> }),
  };
}

/** @throws TypeError for arguments that are not in the list */
function listIn(sent: Readonly<Record<string, unknown>> = {}): string | undefined {
  const { [LIST]: list = [], ...others } = sent;
  if (Array.isArray(list) && Object.keys(others).length === 0) return JSON.stringify(list);
  throw new TypeError(`The arguments have no names: send a list of them as ${LIST}`);
}

/** Returns the HTTP request that makes the same call. */
function requestOf({ url }: CalledObject, body?: string, key?: unknown): Request {
  const headers = new Headers();
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (key !== undefined) headers.set(KEY, String(key));
  return new Request(url, { method: 'POST', headers, body: body ?? null });
}

/** Calls a method as the caller that the hook has named. */
function answerRequest(object: CalledObject, name: string, request: Request): Promise<Response> {
  const url = new URL(object.url);
  url.search = '';
  return answerCall(name, { ...object, forwarded: request, url });
}

/** Returns the result of a tool that has failed: the problem document of plain HTTP. */
async function failed(response: Response): Promise<CallToolResult> {
  const text = await response.text();
  return {
    isError: true,
    content: [{ type: 'text', text }],
    structuredContent: JSON.parse(text) as Record<string, unknown>,
  };
}

async function readResource(
  object: CalledObject,
  uri: string,
  method: string,
): Promise<ReadResourceResult> {
  const response = await answerRequest(object, method, requestOf(object));
  const text = await response.text();
  if (response.ok) {
    return { contents: [{ uri, mimeType: 'application/json', text: text || 'null' }] };
  }
  const { detail, ...problem } = JSON.parse(text) as { detail: string };
  throw new ProtocolError(ProtocolErrorCode.InternalError, detail, problem);
}
