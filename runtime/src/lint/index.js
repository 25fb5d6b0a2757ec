/** The conventions of AGENTS.md as lint rules. `.oxlintrc.json` enables them. */
import { noMissingMethod, noUnknownKeyword, noUnlistedMethod } from './contract.js';
import { noAsyncStorage } from './no-async-storage.js';
import { noGuessableId } from './no-guessable-id.js';
import { noIdleAsync } from './no-idle-async.js';
import { noLostSocket } from './no-lost-socket.js';
import { noMissingSqlite } from './no-missing-sqlite.js';
import { noTimer } from './no-timer.js';
import { noUnstoredField } from './no-unstored-field.js';

export default {
  meta: { name: 'durable-object' },
  rules: {
    'no-async-storage': noAsyncStorage,
    'no-guessable-id': noGuessableId,
    'no-idle-async': noIdleAsync,
    'no-lost-socket': noLostSocket,
    'no-missing-method': noMissingMethod,
    'no-missing-sqlite': noMissingSqlite,
    'no-timer': noTimer,
    'no-unknown-keyword': noUnknownKeyword,
    'no-unlisted-method': noUnlistedMethod,
    'no-unstored-field': noUnstoredField,
  },
};
