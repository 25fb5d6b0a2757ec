/** Functions as arguments: `callback`. */
import type { CompiledMethod, Feature, MethodPart, Scope } from '../../server/contract/compiled.ts';
import { refusal } from '../../server/base/refusal.ts';
import { CallbackArguments } from './callback-arguments.ts';
import { disconnectCallbacks, handleReturn } from './callback-calls.ts';
import { type CallbackPlace, CallbackPlaces } from './callback-places.ts';

/** The places of a method where its arguments may be functions. */
interface MethodCallbacks extends MethodPart {
  readonly places: CallbackPlaces;
}

export const callbacks: Feature = {
  name: 'callbacks',
  version: 1,
  messages: {
    return: ([, ...message], { instance, contract, peer }) =>
      handleReturn(message, { instance, contract }, peer),
  },
  references: { Function: (parts, { scope }) => functionsIn(scope).take(parts) },
  compile(method, { input }): MethodCallbacks | undefined {
    const places = new CallbackPlaces(method, input);
    if (places.isEmpty) return undefined;
    return {
      places,
      bind(args, on, scope) {
        const functions = scope?.find(callbacks) as CallbackArguments | undefined;
        return functions?.bind(args, places, on) ?? args;
      },
    };
  },
  ended: disconnectCallbacks,
};

/** The place of a method with a path; `undefined` if its contract no longer has it. */
export function placeAt(
  method: CompiledMethod | undefined,
  path: string,
): CallbackPlace | undefined {
  return (method?.parts?.get(callbacks) as MethodCallbacks | undefined)?.places.at(path);
}

function functionsIn(scope: Scope | undefined): CallbackArguments {
  if (!scope) throw refusal('BAD_MESSAGE', 'Functions as arguments need a WebSocket');
  return (
    (scope.find(callbacks) as CallbackArguments | undefined) ??
    scope.keep(callbacks, new CallbackArguments(scope.target, scope.peer))
  );
}
