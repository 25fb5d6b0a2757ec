/**
 * A program of its own that is given the texts of capabilities, and says what their methods answer. Its
 * arguments are where the server is, the object, and the texts.
 */
import { createRpcClient } from '../../../src/client.ts';
import {
  capabilities,
  capabilityAt,
} from '../../../src/features/capabilities/client/capabilities.ts';
import type { Bank, Session } from './bank.ts';

const [, , baseUrl = '', instance = '', texts = '[]'] = process.argv;
using bank = createRpcClient<Bank>('BANK', instance, { baseUrl, capabilities });
const sessions = (JSON.parse(texts) as string[]).map((text) => capabilityAt<Session>(bank, text));
console.log(JSON.stringify(await Promise.all(sessions.map((session) => session.transfer('x', 1)))));
