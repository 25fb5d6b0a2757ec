/** Reads a frame of any transport, and runs its calls on an object. */
import { badMessage, rejection } from '../base/rejection.ts';
import { limitExceeded } from '../../wire/limits.ts';
import {
  resultIdOf,
  type CallMessage,
  type Frame,
  referencedCallIds,
  isId,
} from '../../wire/messages.ts';
import type { CompiledContract } from '../contract/types.ts';
import { byteLengthOf } from '../../wire/encoded-message.ts';
import { storageFailure } from '../journal/client-journal.ts';
import { firstCallIn } from '../connections/first-call.ts';
import { FrameRun, type FrameTarget } from './frame-run.ts';
import type { ClientConnection } from '../connections/client-connection.ts';
import { missingFeature } from './missing-feature.ts';
import { SMALL } from '../base/memory.ts';
import { frameLength } from '../../wire/pieces.ts';
import { parseUnchecked } from '../base/parse-unchecked.ts';
import { runInFrame } from '../base/turns.ts';

/** The number of messages about the connection that a frame may contain besides its calls: one of each kind. */
const CONTROLS = 5;

/**
 * Answers a frame of a connection. Answers that are ready at once share a frame.
 *
 * @param message - the frame as received
 * @param targetOf - returns the target of the calls, or throws why there is none
 * @returns a promise that resolves after the last late answer; `undefined` if there are no late answers
 */
export function answerFrame(
  message: unknown,
  targetOf: () => FrameTarget,
  connection: ClientConnection,
): Promise<unknown> | undefined {
  let late: Promise<unknown> | undefined;
  connection.hold();
  if (typeof message === 'string' || message instanceof ArrayBuffer) {
    late = runFrame(message, targetOf, connection);
  } else {
    connection.rejectFrame(rejection('BAD_MESSAGE', 'A frame must be text or an ArrayBuffer'));
  }
  connection.release();
  return late;
}

/**
 * Runs all calls of a frame in order. A call that fails does not affect the others. The connection gets the answers before
 * this function returns. Only the answer of a method that returned a promise is late.
 *
 * @param frame - the frame as received; a binary frame is empty afterwards
 * @param targetOf - returns the target of the calls, or throws why there is none
 * @returns a promise that resolves after the last late answer; `undefined` if there are no late answers
 */
export function runFrame(
  frame: Frame,
  targetOf: () => FrameTarget,
  connection: ClientConnection,
): Promise<unknown> | undefined {
  // A binary frame is empty once it has been read.
  const size = frameLength(frame);
  let messages: unknown[][] | undefined;
  try {
    const target = targetOf();
    const { instance, contract } = target;
    const { onFrame, around } = contract;
    const { callsPerFrame } = contract.limits;
    if (onFrame) {
      connection.showSent(onFrame, instance);
      onFrame('up', frame, connection, instance);
    }
    // The memory that the calls will hold is not known yet. A client whose calls hold all memory must not begin more.
    if (size > SMALL) connection.reserve(size);
    return runInFrame(instance, () => {
      const arrived = around && { at: performance.now(), size: byteLengthOf(frame) };
      messages = readMessages(frame, contract);
      // An empty frame is a heartbeat. Heartbeats of connections are answered earlier, so this is the body of a POST.
      if (messages.length === 0) connection.countRejection();
      if (
        messages.length > callsPerFrame &&
        messages.length - controlsOf(messages) > callsPerFrame
      ) {
        limitExceeded('callsPerFrame', callsPerFrame);
      }
      const arrival = arrived && {
        arrivedAt: arrived.at,
        bytesIn: arrived.size / callsOf(messages),
      };
      const run = new FrameRun(target, connection, messages.some(hasInputs), arrival);
      return runFrom(0, { messages, run, size }, target, connection);
    });
  } catch (error) {
    connection.rejectFrame(error, firstCallIn(beginningOf(messages) ?? frame));
    return undefined;
  } finally {
    connection.endReserve();
  }
}

/** A frame whose messages are running. */
interface RunningFrame {
  readonly messages: unknown[][];
  readonly run: FrameRun;
  /** The size of the frame, in characters or bytes. */
  readonly size: number;
}

/** Runs the messages of a frame from an index on. The rest waits while the client does not read the answers. */
function runFrom(
  first: number,
  frame: RunningFrame,
  target: FrameTarget,
  connection: ClientConnection,
): Promise<unknown> | undefined {
  const { messages, run, size } = frame;
  const { refusals } = target.contract.limits;
  let next = first;
  try {
    while (next < messages.length && !connection.isClosed && !connection.mustPause) {
      // Beyond the limit, the rest of the frame is rejected at once, so it costs no time.
      if (connection.isExhausted) limitExceeded('refusals', refusals);
      run.start(messages[next++] as unknown[]);
    }
  } catch (error) {
    connection.rejectFrame(error);
    next = messages.length;
  }
  if (next === messages.length || connection.isClosed) run.end();
  try {
    target.journal?.save();
  } catch (error) {
    const { journal } = target;
    connection.replaceHeld((id) => (journal?.hasBegun(id) ? storageFailure(id, error) : undefined));
  }
  const late = run.takeLate();
  if (next === messages.length || connection.isClosed) return late && Promise.all(late);
  const rest = new Promise<unknown>((resolve) => {
    const goOn = (): void => {
      connection.hold();
      resolve(runInFrame(target.instance, () => runFrom(next, frame, target, connection)));
      connection.release();
    };
    connection.pause(goOn, () => resolve(undefined), size);
  });
  return Promise.all([...(late ?? []), rest]);
}

/** @throws RpcError `LIMIT_EXCEEDED`, or `BAD_MESSAGE` for a malformed frame */
function readMessages(frame: Frame, { frames, limits }: CompiledContract): unknown[][] {
  const { frameSize } = limits;
  // In UTF-8, each unit of a string's length takes at most three bytes.
  checkSize(typeof frame === 'string' ? frame.length : frame.byteLength / 3, frameSize);
  if (typeof frame !== 'string' && !frames.read) {
    throw missingFeature('bytes');
  }
  const messages =
    typeof frame === 'string'
      ? parseUnchecked(frame)
      : frames.read?.(frame, (size) => checkSize(size, frameSize), parseUnchecked);
  if (!messages) badMessage('Malformed frame');
  return messages;
}

function checkSize(size: number, frameSize: number): void {
  if (size > frameSize) limitExceeded('frameSize', frameSize);
}

function isCall(message: unknown[]): boolean {
  return isId(message[0]);
}

function callsOf(messages: unknown[][]): number {
  return messages.filter(isCall).length;
}

function controlsOf(messages: unknown[][]): number {
  return messages.slice(0, CONTROLS).filter((message) => !isCall(message)).length;
}

/** Returns the beginning of a frame that has been read, as text. */
function beginningOf(messages: unknown[][] | undefined): string | undefined {
  const first = messages?.slice(0, CONTROLS + 1).map((message) => message.slice(0, 2));
  return first && JSON.stringify(first);
}

function hasInputs(message: unknown[]): boolean {
  if (message[0] === 'subscribe') return resultIdOf(message[3]) !== undefined;
  if (!isCall(message) || (message.length < 4 && typeof message[1] === 'string')) return false;
  return referencedCallIds(message as CallMessage).length > 0;
}
