/** The compatibility dates with which the package is tested. */
import { workerd } from '../../../harness/runtime.ts';

/** The oldest that the package supports, as the pages say. Before it, classes of the platform have no type. */
export const OLDEST = '2024-09-26';

/** The newest of the runtime that is installed. */
export const NEWEST = (workerd as unknown as { compatibilityDate: string }).compatibilityDate;
