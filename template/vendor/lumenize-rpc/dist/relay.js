export { relay } from "./relay-core.js";
