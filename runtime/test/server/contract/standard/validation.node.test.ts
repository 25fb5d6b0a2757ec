/** Schemas of other libraries, in Node. */
import { checkLibraries } from './validation-cases.ts';

checkLibraries();
