/** What a case of the table says. */

export interface Case {
  name: string;
  /** Makes the value anew, so that no test sees what another did to it. */
  value: () => unknown;
  /** Makes what arrives for what was sent, where it is not the same again. */
  arrives?: (sent: never) => unknown;
  /** The answer, as text, of call 1 that returned the value: where it is instructive. */
  wire?: string;
}
