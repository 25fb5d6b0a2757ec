/** The conventions of AGENTS.md as rules; switched on in .oxlintrc.json. */
import { noMissingMethod, noUnlistedMethod } from './contract.js';
import { noAsyncStorage } from './no-async-storage.js';
import { noGuessableId } from './no-guessable-id.js';
import { noIdleAsync } from './no-idle-async.js';
import { noTimer } from './no-timer.js';
import { noUnknownKeyword } from './no-unknown-keyword.js';
import { noUnstoredField } from './no-unstored-field.js';

export default {
  meta: { name: 'durable-object' },
  rules: {
    'no-async-storage': noAsyncStorage,
    'no-guessable-id': noGuessableId,
    'no-idle-async': noIdleAsync,
    'no-missing-method': noMissingMethod,
    'no-timer': noTimer,
    'no-unknown-keyword': noUnknownKeyword,
    'no-unlisted-method': noUnlistedMethod,
    'no-unstored-field': noUnstoredField,
  },
};
