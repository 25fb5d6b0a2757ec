/** What a module of a Worker does to each new object of a class with a contract: see `features/relay`. */
export const construction: {
  /** Called when the constructor has run. */
  after?: (instance: object) => void;
} = {};
