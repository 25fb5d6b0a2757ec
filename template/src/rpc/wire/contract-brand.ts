/** How a wrapped class tells `createRpcClient`, in types only, which methods its contract lists. */

declare const contractMethods: unique symbol;

/** Carried by the instance type of every class that `lumenizeRpcDO` returns. Nothing at run time. */
export interface HasContract<Methods extends PropertyKey> {
  readonly [contractMethods]?: Methods;
}
