/** Calls from object to object through many kills. Slow: `npm run test:slow` has it. */
import { testNaivePayments, testPayments } from './payments.mjs';

testPayments(20);
testNaivePayments(20);
