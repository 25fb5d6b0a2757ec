export { relay } from "./relay2.js";
