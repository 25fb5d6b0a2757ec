/** The file of a card, which is sent and received in pieces, as a stream. */
import { type ChangeEvent, useState } from 'react';
import { stream, subscribe } from 'lumenize-rpc/client';
import type { Card } from '../../board-moves.ts';
import { Problem, useCall } from '../status.tsx';
import type { BoardClient } from './board-client.ts';

interface Props {
  board: BoardClient;
  card: Card;
  mayEdit?: boolean | undefined;
}

export function Attachment({ board, card: { id, title, file }, mayEdit }: Props) {
  const [problem, call] = useCall();
  const [isBusy, setBusy] = useState(false);

  const attach = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const [chosen] = target.files ?? [];
    if (!chosen) return;
    setBusy(true);
    call(() =>
      board
        .attach(id, chosen.name, chosen.size, stream(chosen.stream()))
        .finally(() => setBusy(false)),
    );
  };

  const download = async (): Promise<void> => {
    const pieces: BlobPart[] = [];
    for await (const piece of subscribe(board).file(id)) pieces.push(piece as BlobPart);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob(pieces));
    link.download = file ?? '';
    link.click();
    URL.revokeObjectURL(link.href);
  };

  return (
    <>
      {file && (
        <button className="file" aria-label={`Download ${file}`} onClick={() => call(download)}>
          {file}
        </button>
      )}
      {mayEdit && (
        <label className="attach" aria-busy={isBusy}>
          {isBusy ? '…' : '+'}{' '}
          <input type="file" aria-label={`Attach to ${title}`} onChange={attach} />
        </label>
      )}
      <Problem of={[problem]} />
    </>
  );
}
