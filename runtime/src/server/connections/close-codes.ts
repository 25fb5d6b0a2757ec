/** The codes with which an object closes connections. */

/** The close code for an object whose code was replaced. The client connects again, and sends its calls again. */
export const SERVICE_RESTART = 1012;

/** The close code for an object without memory for a client. The client connects again, and sends its calls again. */
export const TRY_AGAIN_LATER = 1013;
