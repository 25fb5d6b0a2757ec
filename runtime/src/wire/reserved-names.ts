/** Names that no method of a contract can have. */

/** Names that the runtime calls. */
export const RUNTIME_NAMES =
  'fetch alarm webSocketMessage webSocketClose webSocketError connect dup ctx env __rpcFrame';

/** Names that have another meaning at the end of a path. */
export const PATH_NAMES = 'call mcp';

/** Names that have another meaning on a client or a promise. */
export const CLIENT_NAMES = 'then catch finally close reconnect toJSON';

/** The names that the compiler rejects. It does not reject the names that every object has, such as `toString`. */
export type ReservedName = WordsOf<typeof RUNTIME_NAMES | typeof CLIENT_NAMES | typeof PATH_NAMES>;

type WordsOf<Text> = Text extends `${infer Word} ${infer Rest}` ? Word | WordsOf<Rest> : Text;
