/** The conventions of AGENTS.md as lint rules. `.oxlintrc.json` enables them. */
import { noAsyncStorage } from './rules/no-async-storage.js';
import { noGuessableId } from './rules/no-guessable-id.js';
import { noIdleAsync } from './rules/no-idle-async.js';
import { noLostSocket } from './rules/no-lost-socket.js';
import { noLostUpdate } from './rules/no-lost-update.js';
import { noMissingAwait } from './rules/no-missing-await.js';
import { noMissingMethod } from './rules/no-missing-method.js';
import { noMissingSqlite } from './rules/no-missing-sqlite.js';
import { noSharedClient } from './rules/no-shared-client.js';
import { noTimer } from './rules/no-timer.js';
import { noTypeEngine } from './rules/no-type-engine.js';
import { noUnknownKeyword } from './rules/no-unknown-keyword.js';
import { noUnlistedMethod } from './rules/no-unlisted-method.js';
import { noUnstoredField } from './rules/no-unstored-field.js';

export default {
  meta: { name: 'durable-object' },
  rules: {
    'no-async-storage': noAsyncStorage,
    'no-guessable-id': noGuessableId,
    'no-idle-async': noIdleAsync,
    'no-lost-socket': noLostSocket,
    'no-lost-update': noLostUpdate,
    'no-missing-await': noMissingAwait,
    'no-missing-method': noMissingMethod,
    'no-missing-sqlite': noMissingSqlite,
    'no-shared-client': noSharedClient,
    'no-timer': noTimer,
    'no-type-engine': noTypeEngine,
    'no-unknown-keyword': noUnknownKeyword,
    'no-unlisted-method': noUnlistedMethod,
    'no-unstored-field': noUnstoredField,
  },
};
