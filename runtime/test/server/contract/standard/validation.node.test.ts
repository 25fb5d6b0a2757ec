/** Schemas of other libraries, in Node. */
import './validation-cases.ts';
