/** Changes of the classes of capabilities. */
import { RpcTarget } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { capability, type Contract, read } from '../../../src/server.ts';
import type { ContractChange, Version } from '../version.ts';

class SessionImpl extends RpcTarget {
  readonly name: string;

  constructor(_object: object, name: string, _role?: string) {
    super();
    this.name = name;
  }

  who(): string {
    return this.name;
  }

  leave(): void {}
}

class LoginImpl extends SessionImpl {}

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

interface Returned {
  readonly Class?: typeof SessionImpl;
  readonly address?: readonly object[];
  readonly contract?: object;
  /** The value from which the object makes a capability. */
  readonly name?: string;
  readonly role?: string;
  /** The methods that the page calls on it. */
  readonly calls?: readonly string[];
}

const text = Type.String();
const who = { who: read() };

/**
 * Returns a version whose object returns a capability. Its page uses the capability now, and keeps
 * it.
 */
function returnsCapability({
  Class = SessionImpl,
  address = [text],
  contract = who,
  name = 'Ada Lovelace',
  role,
  calls = ['who'],
}: Returned = {}): Version {
  const Session = capability(
    Class as never,
    address as never,
    contract as never,
  ) as unknown as new (object: object, ...address: unknown[]) => object;
  const entry = { input: [], returns: Session } as unknown as Contract[string];
  return {
    contract: { login: entry },
    object: {
      login() {
        return new Session(this, name, ...(role ? [role] : []));
      },
    },
    async page({ client }) {
      const session = (await client['login']!()) as Methods;
      for (const method of calls) await session[method]!();
    },
    async keeps({ client }) {
      const session = (await client['login']!()) as Methods;
      return () => session['who']!();
    },
  };
}

const session = returnsCapability();

export const CAPABILITIES: readonly ContractChange[] = [
  {
    name: 'a capability gets a method',
    old: session,
    next: returnsCapability({ contract: { ...who, leave: [] }, calls: ['who', 'leave'] }),
  },
  {
    name: 'a capability loses a method',
    old: returnsCapability({ contract: { ...who, leave: [] }, calls: ['who', 'leave'] }),
    next: session,
  },
  {
    name: 'the class of a capability is renamed',
    old: session,
    next: returnsCapability({ Class: LoginImpl }),
  },
  {
    name: 'the address of a capability allows fewer values',
    old: session,
    next: returnsCapability({ address: [Type.String({ maxLength: 5 })], name: 'Ada' }),
  },
  {
    name: 'the address of a capability allows more values',
    old: returnsCapability({ address: [Type.String({ maxLength: 5 })], name: 'Ada' }),
    next: session,
  },
  {
    name: 'the address of a capability gets an optional part',
    old: session,
    next: returnsCapability({ address: [text, Type.Optional(text)], role: 'owner' }),
  },
  {
    name: 'the address of a capability loses a part',
    old: returnsCapability({ address: [text, Type.Optional(text)], role: 'owner' }),
    next: session,
  },
  {
    name: 'a method no longer returns a capability',
    old: session,
    next: { contract: { login: [] }, answers: { login: ['Ada'] }, sends: [['login']] },
  },
  {
    name: 'a method now returns a capability',
    old: { contract: { login: [] }, answers: { login: ['Ada'] }, sends: [['login']] },
    next: session,
  },
];
