/** The codes with which an object closes connections. */

/** The close code of an object whose code is replaced. The client connects again, and sends its calls again. */
export const SERVICE_RESTART = 1012;

/** The close code after which a client connects again, and sends its calls again. */
export const TRY_AGAIN_LATER = 1013;
