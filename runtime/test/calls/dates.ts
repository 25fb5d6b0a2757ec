/** The compatibility dates with which the package is tested. */
import { workerd } from '../../../harness/runtime.ts';

/**
 * The oldest date that the package supports, as the pages say. Before it, classes of the platform
 * have no type.
 */
export const OLDEST = '2024-09-26';

/** The newest date of the installed runtime. */
export const NEWEST = (workerd as unknown as { compatibilityDate: string }).compatibilityDate;
