/**
 * Calls from object to object, as the guide has them: exactly once, although either side is killed. A few kills;
 * object-to-object-long.test.mjs has many.
 */
import { testPayments } from './payments.mjs';

testPayments(2);
