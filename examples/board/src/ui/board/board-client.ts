/** The page's client of the board. The address names the user and the board: `?user=Bob&board=plan`. */
import { bytes, capabilities, type RpcClient } from 'lumenize-rpc/client';
import { useRpcClient } from 'lumenize-rpc/react';
import type { Board } from '../../board.ts';

export type BoardClient = RpcClient<Board>;

const query = new URLSearchParams(location.search);

/** The name of the user, with letters and digits of any language. */
export const USER =
  query
    .get('user')
    ?.replaceAll(/[^\p{L}\p{N}_-]/gu, '')
    .slice(0, 30) || 'Ada';

/** @param caller - the caller, which the hook `nameCaller` reads */
export function useBoard(caller = `user.${encodeURIComponent(USER)}`): BoardClient {
  const protocols = [caller];
  return useRpcClient('BOARD', query.get('board') ?? 'demo', { protocols, bytes, capabilities });
}
