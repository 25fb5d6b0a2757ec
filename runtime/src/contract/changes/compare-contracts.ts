/** Finds the changes between two contracts, and the effects of each change. */
import {
  type Acceptance,
  compareSchemas,
  hasCode,
  isReadable,
} from '../schemas/compare-schemas.ts';
import type {
  ClassContract,
  ClassContracts,
  WrittenArgument,
  WrittenCapability,
  WrittenMethod,
  WrittenMethods,
  WrittenSchema,
} from '../written.ts';
import { type Meeting, type Rule, type RuleName, RULES } from './rules.ts';

export interface Change {
  /** The place of the change: a class or a method, such as `Room.post`. */
  readonly place: string;
  /** The argument, such as `[0]`; empty for a change of the method. */
  readonly part: string;
  readonly rule: RuleName;
  /** The effect in each meeting that the change breaks, or may break. */
  readonly breaks: ReadonlyMap<Meeting, Break>;
}

/** The effect of a change that breaks something. */
export interface Break {
  /** The effect from the table of the rules. */
  readonly effect: string;
  /** True if it is unknown whether the change breaks something, because the schemas cannot be compared. */
  readonly isUncertain?: boolean;
  /** A value that is not accepted, and the validator's problem with it. */
  readonly acceptance?: Acceptance;
}

/** Returns the name of a change in the list of allowed changes. */
export function nameOf({ place, part, rule }: Change): string {
  return `${place}${part} ${rule}`;
}

/** @returns the changes, in the order of the places */
export function compareContracts(older: ClassContracts, newer: ClassContracts): Change[] {
  return new Comparison().classes(older, newer);
}

/** The places whose schemas are not compared, or not as a whole. */
export interface Uncompared {
  /** The places whose schema is of a library that makes no JSON Schema. */
  readonly unreadable: readonly string[];
  /** The places whose schema has checks or transforms that are code. */
  readonly code: readonly string[];
}

export function uncomparedPlaces(classes: ClassContracts): Uncompared {
  const unreadable: string[] = [];
  const code: string[] = [];
  const see = (place: string, schema: WrittenSchema | undefined): void => {
    if (!isReadable(schema)) unreadable.push(place);
    else if (hasCode(schema)) code.push(place);
  };
  const visit = (owner: string, methods: WrittenMethods): void => {
    for (const [name, { input, output }] of Object.entries(methods)) {
      for (const [index, { schema }] of input.entries()) see(`${owner}.${name}[${index}]`, schema);
      see(`${owner}.${name} output`, output);
    }
  };
  for (const [owner, { methods, capabilities = {} }] of Object.entries(classes)) {
    visit(owner, methods);
    for (const [name, { address, methods: own }] of Object.entries(capabilities)) {
      for (const [index, { schema }] of address.entries())
        see(`${owner}/${name}[${index}]`, schema);
      visit(`${owner}/${name}`, own);
    }
  }
  return { unreadable, code };
}

class Comparison {
  readonly #changes: Change[] = [];

  classes(older: ClassContracts, newer: ClassContracts): Change[] {
    for (const [name, old] of Object.entries(older)) {
      const now = newer[name] ?? sameBinding(old, newer, older);
      if (now) this.#class(name, old, now);
      else this.#add('class-removed', name);
    }
    for (const [name, now] of Object.entries(newer)) {
      if (!older[name] && !sameBinding(now, older, newer)) this.#add('class-added', name);
    }
    return this.#changes;
  }

  #class(name: string, old: ClassContract, now: ClassContract): void {
    const [before, after] = [old.bindings, now.bindings];
    // A file that was written without the configuration has no bindings.
    if (before && after) {
      for (const binding of before.filter((one) => !after.includes(one)))
        this.#add('class-removed', name, ` ${binding}`);
      for (const binding of after.filter((one) => !before.includes(one)))
        this.#add('class-added', name, ` ${binding}`);
    }
    const renamed = this.#capabilities(name, old.capabilities ?? {}, now.capabilities ?? {});
    this.#methods(name, old.methods, now.methods, renamed);
  }

  /** @returns for each old class of capabilities, the new class that stands in its place */
  #capabilities(
    owner: string,
    old: Readonly<Record<string, WrittenCapability>>,
    now: Readonly<Record<string, WrittenCapability>>,
  ): Renamed {
    const gone = Object.keys(old).filter((name) => !now[name]);
    const come = Object.keys(now).filter((name) => !old[name]);
    const renamed: Renamed = new Map(Object.keys(old).map((name) => [name, name]));
    for (const name of gone) {
      const like = come.find((other) => namesOf(now[other]) === namesOf(old[name]));
      if (like === undefined) renamed.delete(name);
      else renamed.set(name, like);
      this.#add('capability-removed', `${owner}/${name}`);
    }
    for (const [name, other] of renamed) {
      const [before, after] = [old[name], now[other]];
      if (!before || !after) continue;
      const place = `${owner}/${name}`;
      this.#methods(place, before.methods, after.methods, renamed);
      if (name === other) this.#address(place, before.address, after.address);
    }
    return renamed;
  }

  #address(place: string, old: readonly WrittenArgument[], now: readonly WrittenArgument[]): void {
    const within = new Comparison();
    within.#arguments(place, old, now, new Map());
    // The check for old pages also serves for kept addresses, because an old page could pass each of them.
    for (const { part, breaks } of within.#changes) {
      const found = breaks.get('oldPage');
      if (found) {
        this.#changes.push({
          place,
          part,
          rule: 'address-narrowed',
          breaks: new Map([['stored', { ...found, effect: RULES['address-narrowed'].stored }]]),
        });
      }
    }
  }

  #methods(owner: string, old: WrittenMethods, now: WrittenMethods, renamed: Renamed): void {
    for (const [name, before] of Object.entries(old)) {
      const after = Object.hasOwn(now, name) ? now[name] : undefined;
      if (after) this.#method(`${owner}.${name}`, before, after, renamed);
      else this.#add('method-removed', `${owner}.${name}`);
    }
    for (const name of Object.keys(now)) {
      if (!Object.hasOwn(old, name)) this.#add('method-added', `${owner}.${name}`);
    }
  }

  #method(place: string, old: WrittenMethod, now: WrittenMethod, renamed: Renamed): void {
    const kind = kindRule(old.kind, now.kind);
    if (kind) this.#add(kind, place);
    this.#arguments(place, old.input, now.input, renamed);
    // A change of the way in which an argument is sent was reported already.
    if (kind === 'kind-changed') return;
    if (old.kind === 'rows' && old.key !== now.key) this.#add('key-changed', place);
    this.#output(place, now.kind, old.output, now.output);
    const before = (old.returns ?? []).map((name) => renamed.get(name));
    const after = now.returns ?? [];
    if (before.some((name) => name === undefined || !after.includes(name)))
      this.#add('capability-not-returned', place);
    if (after.some((name) => !before.includes(name))) this.#add('capability-returned', place);
  }

  #arguments(
    place: string,
    old: readonly WrittenArgument[],
    now: readonly WrittenArgument[],
    renamed: Renamed,
  ): void {
    for (let index = 0; index < Math.max(old.length, now.length); index++) {
      const [before, after] = [old[index], now[index]];
      const part = `[${index}]`;
      if (!before)
        this.#add(after?.optional ? 'optional-argument-added' : 'argument-added', place, part);
      else if (!after)
        this.#add(before.optional ? 'optional-argument-removed' : 'argument-removed', place, part);
      else this.#argument(place, part, before, after, renamed);
    }
  }

  #argument(
    place: string,
    part: string,
    old: WrittenArgument,
    now: WrittenArgument,
    renamed: Renamed,
  ): void {
    if (old.optional && !now.optional) this.#add('argument-required', place, part);
    if (!old.optional && now.optional) this.#add('argument-optional', place, part);
    const isCapability = old.capability !== undefined || now.capability !== undefined;
    if (isCapability) {
      const isSame = renamed.get(old.capability ?? '') === now.capability;
      if (!isSame) this.#add('argument-changed', place, part);
      return;
    }
    const isTurned = Boolean(old.stream) !== Boolean(now.stream);
    // A list is sent as a stream if a stream is expected. A stream is never sent as a list.
    const [before, after] = isTurned ? [asList(old), asList(now)] : [old.schema, now.schema];
    this.#compare(place, part, before ?? true, after ?? true, ({ accepted, sent }) => {
      const oldPage = old.stream && !now.stream ? REFUSED : accepted;
      const newPage = now.stream && !old.stream ? REFUSED : sent;
      const rule = isTurned ? 'stream-argument' : undefined;
      const ofFunction = hasFunction(before) || hasFunction(after) ? 'callback-changed' : undefined;
      return {
        rule: rule ?? ofFunction ?? ruleOf('argument', oldPage, newPage),
        oldPage,
        newPage,
      };
    });
  }

  #output(
    place: string,
    kind: string,
    old: WrittenSchema | undefined,
    now: WrittenSchema | undefined,
  ): void {
    if ((old === undefined) !== (now === undefined)) this.#add('output-undeclared', place);
    if (old === undefined || now === undefined) return;
    // An old page reads the results of the new object, so the directions are the reverse of the directions of
    // arguments.
    this.#compare(place, '', old, now, ({ accepted, sent }) => {
      const isEvent = kind === 'events';
      const rule = ruleOf(isEvent && !isWhole(accepted) ? 'event' : 'result', accepted, sent);
      return {
        rule,
        oldPage: sent,
        newPage: accepted,
        ...(isEvent && { stored: accepted }),
      };
    });
  }

  #compare(
    place: string,
    part: string,
    old: WrittenSchema,
    now: WrittenSchema,
    judge: (compared: Compared) => { rule: RuleName } & Partial<Record<Meeting, Acceptance>>,
  ): void {
    if (!isReadable(old) && !isReadable(now)) return;
    const change = compareSchemas(old, now);
    const { rule, ...meetings } = judge({
      accepted: change?.newAcceptsOld ?? WHOLE,
      sent: change?.oldAcceptsNew ?? WHOLE,
    });
    const breaks = new Map<Meeting, Break>();
    for (const [meeting, acceptance] of Object.entries(meetings) as [Meeting, Acceptance][]) {
      if (isWhole(acceptance)) continue;
      const { [meeting]: effect = '' }: Rule = RULES[rule];
      const isUncertain = acceptance.accepts === 'unknown';
      breaks.set(meeting, { effect, acceptance, ...(isUncertain && { isUncertain }) });
    }
    if (breaks.size > 0) this.#changes.push({ place, part, rule, breaks });
  }

  #add(rule: RuleName, place: string, part = ''): void {
    const effects = RULES[rule] as Rule;
    const breaks = new Map<Meeting, Break>();
    for (const meeting of ['oldPage', 'newPage', 'stored'] as const) {
      const { [meeting]: effect } = effects;
      if (effect !== undefined) breaks.set(meeting, { effect });
    }
    this.#changes.push({ place, part, rule, breaks });
  }
}

/** The names of new classes of capabilities, by the names of the old classes that they replace. */
type Renamed = Map<string, string>;

interface Compared {
  /** The values of the older schema that the newer schema accepts. */
  readonly accepted: Acceptance;
  /** The values of the newer schema that the older schema accepts. */
  readonly sent: Acceptance;
}

const WHOLE: Acceptance = { accepts: 'all' };
const REFUSED: Acceptance = { accepts: 'some' };

/** Returns the values that can be sent in the place of an argument as a list. */
function asList({ stream, schema = true }: WrittenArgument): WrittenSchema {
  return stream ? { type: 'array', items: schema } : schema;
}

function hasFunction(schema: WrittenSchema | undefined): boolean {
  return JSON.stringify(schema)?.includes('"type":"function"') ?? false;
}

function isWhole({ accepts }: Acceptance): boolean {
  return accepts === 'all';
}

function ruleOf(
  what: 'argument' | 'result' | 'event',
  accepted: Acceptance,
  sent: Acceptance,
): RuleName {
  const change = isWhole(accepted) ? 'widened' : isWhole(sent) ? 'narrowed' : 'changed';
  return what === 'event' && change === 'widened'
    ? 'result-widened'
    : (`${what}-${change}` as RuleName);
}

const CALLS = new Set(['call', 'read', 'volatile']);

/** @returns `undefined` if callers of a method of the old kind can use a method of the new kind */
function kindRule(old: string, now: string): RuleName | undefined {
  if (old === now || (CALLS.has(old) && CALLS.has(now))) return undefined;
  // A loop over a stream ends with each deployment, so it never continues as a loop over rows.
  if (old === 'stream' && now === 'rows') return undefined;
  if (CALLS.has(old) && now === 'live') return 'subscription-added';
  if (old === 'live' && CALLS.has(now)) return 'subscription-removed';
  return 'kind-changed';
}

function namesOf(capability: WrittenCapability | undefined): string {
  return Object.keys(capability?.methods ?? {}).join(' ');
}

/** Returns the class that clients reach by the same binding, in the place of a class that is gone. */
function sameBinding(
  { bindings = [] }: ClassContract,
  others: ClassContracts,
  own: ClassContracts,
): ClassContract | undefined {
  return Object.entries(others).find(
    ([name, other]) => !own[name] && other.bindings?.some((one) => bindings.includes(one)),
  )?.[1];
}
