/** Calls from object to object through many kills. Slow: part of `npm run test:slow`. */
import { testNaivePayments, testPayments } from './payments.mjs';

testPayments(6);
testNaivePayments(6);
