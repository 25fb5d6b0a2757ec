/** To watch clients and objects: debug output of both, and the frames of sockets. */
export { debug } from './features/debug/feature.ts';
export {
  type ObservedSockets,
  observeSockets,
  type SocketFrame,
} from './features/debug/client/sockets.ts';
