/** Schemas of other libraries, in the Workers runtime. */
import './validation-cases.ts';
