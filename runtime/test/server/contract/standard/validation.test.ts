/** Schemas of other libraries, in the Workers runtime. */
import { checkLibraries } from './validation-cases.ts';

checkLibraries();
