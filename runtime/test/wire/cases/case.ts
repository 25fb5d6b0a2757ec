/** A case of the table. */

export interface Case {
  name: string;
  /** Creates a new value, so that no test sees the changes of another test. */
  value: () => unknown;
  /** Creates the value that arrives for a sent value, if it differs. */
  arrives?: (sent: never) => unknown;
  /** The text of the answer of call 1 that returned the value, if the text is instructive. */
  wire?: string;
}
