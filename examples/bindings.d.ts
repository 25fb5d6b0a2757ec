/** The bindings of the examples, for their tests in this repository. A project has its own: `wrangler types`. */
interface __BaseEnv_Env {
  BANK: DurableObjectNamespace<import('./bank/src/bank.ts').Bank>;
  BOARD: DurableObjectNamespace<import('./board/src/board.ts').Board>;
  BOARD_FILES: R2Bucket;
  BOOKINGS: DurableObjectNamespace<import('./bookings/src/bookings.ts').Bookings>;
  MATCH: DurableObjectNamespace<import('./relay/src/match.ts').Match>;
  MATCH_RELAY: DurableObjectNamespace<import('./relay/src/match-relay.ts').MatchRelay>;
  METER: DurableObjectNamespace<import('./meter/src/meter.ts').Meter>;
  METER_SHARD: DurableObjectNamespace<import('./meter/src/meter-shard.ts').MeterShard>;
  PI: DurableObjectNamespace<import('./digits/src/pi.ts').Pi>;
  ROOM: DurableObjectNamespace<import('./room/src/room.ts').Room>;
}

declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: { default: ExportedHandler };
  }
}
