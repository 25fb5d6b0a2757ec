/** Calls a method of an object for a request, and writes the answer as JSON. */
import type { IdentifiedCaller } from '../wire/caller.ts';
import type { MethodDescription } from '../server/contract/description.ts';
import type { MethodKind } from '../wire/brands.ts';
import { FRAME_METHOD, type FrameReceiver } from '../wire/door.ts';
import { RpcError, type RpcErrorDetails } from '../wire/errors.ts';
import { type AnswerMessage, CALL_SEGMENT, decodeAnswer, decodeFrame } from '../wire/messages.ts';
import { decodeRich } from '../wire/values/rich-decoder.ts';
import { ANY_TYPE, EVENT_RANGES, JSON_RANGES, weightOf } from './accept.ts';
import { type Arguments, readArguments, readQuery } from './arguments.ts';
import { type CalledObject, failure } from './called-object.ts';
import { frameWithTrace } from './trace.ts';
import { answerEvents } from './events.ts';
import { KEY, type KeyedCall, keyedCall, keyProblem, REPLAYED } from './keys.ts';
import { malformed, refusal, refuse, thrownResponse, tooLarge } from './problems.ts';
import { unreadable, writeJson } from './values.ts';

/** Returns the methods of HTTP with which a method of an object can be called. */
function allowed({ kind, readonly }: MethodDescription): string[] {
  const methods = isCalled(kind) ? ['POST'] : [];
  // A stream that changes something can only be followed, and clients follow by GET.
  return readonly || !isCalled(kind) ? ['GET', 'HEAD', ...methods] : methods;
}

/** Returns whether methods of a kind return one result. */
function isCalled(kind: MethodKind): boolean {
  return kind === 'call' || kind === 'live';
}

/** @param name - the name of the method in the path */
export async function answerCall(name: string, object: CalledObject): Promise<Response> {
  const { contract, forwarded: request, url, caller } = object;
  const { method: verb, headers } = request;
  const method = contract.methods.get(name);
  const isSafe = method?.readonly === true;
  const key = isSafe ? null : headers.get(KEY);
  const isPost = verb === 'POST';
  // A deployment may have removed the method after a call with a key had run.
  if (!method && (key === null || !isPost)) return unlisted(name);
  const verbs = method ? allowed(method) : ['POST'];
  if (!verbs.includes(verb)) {
    const Allow = [...verbs, 'OPTIONS'].join(', ');
    if (verb === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow } });
    return refusal('BAD_MESSAGE', `${name} allows only ${Allow}`, 405, {}, { Allow });
  }
  const accept = headers.get('Accept') ?? ANY_TYPE;
  const json = weightOf(accept, JSON_RANGES);
  if (method && method.kind !== 'call' && !isPost) {
    const events = weightOf(accept, EVENT_RANGES);
    if (events > 0 && (!isCalled(method.kind) || events >= json)) return follow(object, method);
  }
  if (json === 0) {
    return refusal(
      'BAD_MESSAGE',
      'The answer is application/json, which the header Accept does not allow',
      406,
    );
  }
  if (method && !isCalled(method.kind)) {
    return refusal(
      'BAD_MESSAGE',
      `${name} returns events: send the header Accept: text/event-stream`,
      406,
    );
  }
  const read =
    method && !isPost
      ? readQuery(url, method)
      : await readArguments(request, url, method, contract.limits.frameSize);
  if (read instanceof Response) return read;
  const call = { id: 1, name, isListed: method !== undefined, isSafe };
  if (key === null) return send(object, call, caller, read);
  const problem = keyProblem(key, caller);
  if (problem) return problem;
  if (!contract.journal || method?.volatile) {
    const reason = contract.journal
      ? `${name} is volatile`
      : `${object.binding} has journal: false`;
    return refusal('UNSUPPORTED', `${reason}: leave out the header ${KEY}`);
  }
  const keyed = await keyedCall(key, caller, name, read.args).catch(() => undefined);
  if (!keyed) return malformed('The arguments are nested too deeply');
  return send(object, { ...call, ...keyed }, caller, read);
}

function unlisted(name: string, details?: Pick<RpcErrorDetails, 'maybeExecuted'>): Response {
  const problem = `The contract lists no method ${name.slice(0, 100)}`;
  return refusal('METHOD_NOT_FOUND', problem, undefined, details);
}

/** Follows a method for a GET. */
async function follow(object: CalledObject, method: MethodDescription): Promise<Response> {
  const { url, contract } = object;
  const read = readQuery(url, method);
  if (read instanceof Response) return read;
  const { kind, readonly, name } = method;
  const invocation = JSON.stringify(name) + read.encoded;
  if (invocation.length > contract.limits.frameSize) return tooLarge();
  return answerEvents(object, { kind, readonly, invocation });
}

/** The properties of a call, besides its arguments. */
interface SentCall extends Partial<KeyedCall> {
  readonly id: number;
  readonly name: string;
  /** True if the contract lists the method. If it does not, only a stored answer can answer the call. */
  readonly isListed: boolean;
  /** True if the method changes nothing. */
  readonly isSafe: boolean;
}

async function send(
  { binding, contract, target, forwarded: { headers } }: CalledObject,
  call: SentCall,
  caller: Partial<IdentifiedCaller>,
  { encoded }: Arguments,
): Promise<Response> {
  const { id, client, name, isListed, isSafe } = call;
  const mark = client === undefined ? '' : '["key"],';
  // The object's contract may list more methods than this contract. No contract can list this name.
  const callee = JSON.stringify(isListed ? name : CALL_SEGMENT);
  const frame = frameWithTrace(id, `${mark}[${id},${callee}${encoded}]`, headers, contract);
  if (frame.length > contract.limits.frameSize) return tooLarge();
  let answer: string | number;
  try {
    const receiver = target as unknown as FrameReceiver;
    // Properties without information are left out, because sending them takes time.
    answer = await (client === undefined && caller.owner === undefined
      ? receiver[FRAME_METHOD](frame)
      : receiver[FRAME_METHOD](frame, { ...caller, client }));
  } catch (error) {
    return failure(error, binding, isSafe);
  }
  if (typeof answer === 'number')
    return refuse(answer, 'The object accepts no calls of this client now: try again later');
  return responseOf(answer, call);
}

/** The beginning of a frame whose answer is repeated from the journal. */
const REPEATED = '[["replayed"],';

function responseOf(frame: string, { id, name, isListed }: SentCall): Response {
  const isReplayed = frame.startsWith(REPEATED);
  const answers = isReplayed ? `[${frame.slice(REPEATED.length)}` : frame;
  const headers = isReplayed ? { [REPLAYED]: 'true' } : undefined;
  const begin = `[[${id},`;
  // A plain result is already JSON. Other answers have the name of their form before the value.
  if (answers.startsWith(begin) && !HAS_FORM.test(answers.slice(begin.length, begin.length + 9))) {
    return jsonResponse(answers.slice(begin.length, -2), headers);
  }
  const [message = []] = decodeFrame(answers);
  if (message[0] === -id) {
    const problem = `The ${KEY} belongs to a call with another method or other arguments`;
    return refusal('BAD_MESSAGE', problem, 422);
  }
  try {
    if (message[0] === 'error') return thrownResponse(decodeRich(message[1]));
    const decoded = decodeAnswer(message as AnswerMessage, unreadable);
    if ('thrown' in decoded) {
      const { thrown } = decoded;
      const { code } = Object(thrown) as RpcError;
      const isUnlisted = !isListed && !isReplayed && code === 'METHOD_NOT_FOUND';
      return isUnlisted ? unlisted(name, thrown as RpcError) : thrownResponse(thrown, headers);
    }
    return jsonResponse(writeJson(decoded.result), headers);
  } catch (error) {
    const isKnown = error instanceof RpcError && error.code === 'UNSUPPORTED';
    return thrownResponse(isKnown ? error : new RpcError('UNSERIALIZABLE', UNWRITABLE), headers);
  }
}

const HAS_FORM = /^"(rich|error)",/;

const UNWRITABLE =
  'The result contains itself, so JSON cannot represent it: call the method by createRpcClient';

/** @param json - the result as JSON; `undefined` for no result */
function jsonResponse(json: string | undefined, headers?: Record<string, string>): Response {
  if (json === undefined) return new Response(null, { status: 204, headers: headers ?? {} });
  const own = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  return new Response(json, { headers: headers ? { ...own, ...headers } : own });
}
