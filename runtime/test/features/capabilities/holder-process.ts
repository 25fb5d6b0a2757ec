/**
 * A program that calls a method of each capability whose token it gets, and prints the results. Its arguments are
 * the URL of the server, the name of the object, and the tokens.
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
