/**
 * A client for Python calls a real Worker. `openapi-python-client` generates it from the document.
 */
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../../harness/guarded-process.mjs';
import { pythonPrograms } from '../../../../harness/python-client.mjs';
import { serveLibrary } from './serve.ts';

const PROGRAM = `
import datetime, json, sys
from uuid import uuid4
from library.client import AuthenticatedClient
from library.api.library import (
    library_add, library_between, library_between_post, library_burn, library_clear, library_count,
    library_find_post, library_get, library_lend, library_move, library_shelves, library_sum,
)
from library.models import Book, BookState, LibraryFindPostBody, LibraryLendBody, LibraryMoveBody

client = AuthenticatedClient(base_url=sys.argv[1], token="secret")
answers = []

book = Book(isbn="1", title="Dune", pages=412, state=BookState.NEW, authors=["Herbert"])
key = str(uuid4())
for _ in range(2):
    added = library_add.sync_detailed("main", client=client, body=book, idempotency_key=key)
    answers += [added.parsed.title.upper(), added.headers.get("Idempotency-Replayed")]
answers.append(library_count.sync("main", client=client) + 0.5)
answers.append(library_get.sync("main", client=client, isbn="1").authors)
answers.append(library_get.sync_detailed("main", client=client, isbn="2").status_code)
found = library_find_post.sync("main", client=client, body=LibraryFindPostBody(states=["new"]))
answers.append([one.pages + 1 for one in found])
answers.append(library_move.sync("main", client=client, body=LibraryMoveBody(from_="a", to="b")))
answers.append(library_sum.sync("main", client=client, body=[1, 2]))
answers.append(library_between_post.sync("main", client=client, body=[1, 3]))
answers.append(library_between.sync("main", client=client, args="[1,3]"))
answers.append(library_shelves.sync("main", client=client, depth=2).shelves[0].shelves[0].name)
lent = library_lend.sync("main", client=client, body=LibraryLendBody(isbn="1", until=datetime.datetime(2030, 1, 2)))
answers += [lent.until.year, str(int(lent.fee) + 1)]
burnt = library_burn.sync("main", client=client)
answers += [burnt.code, burnt.detail]
answers.append(library_clear.sync_detailed("main", client=client).status_code)
wrong = LibraryMoveBody(from_="a", to="b", count="x")
answers.append(library_move.sync("main", client=client, body=wrong).code)
print(json.dumps(answers))
`;

test('a client for Python calls a Worker', async (context) => {
  const programs = await pythonPrograms(context);
  const { url, folder } = await serveLibrary('python-client-');
  const generate =
    'generate --path openapi.json --meta none --output-path library --fail-on-warning';
  const PATH = `${programs}${delimiter}${process.env['PATH']}`;
  const settings = { cwd: folder, output: 'pipe', env: { ...process.env, PATH } } as const;
  await run('openapi-python-client', generate.split(' '), settings);
  writeFileSync(join(folder, 'program.py'), PROGRAM);
  const { out } = await run('python', ['program.py', url], settings);
  expect(JSON.parse(out)).toEqual(
    [
      ['DUNE', null, 'DUNE', 'true'],
      [1.5, ['Herbert'], 204, [413]],
      ['1 from a to b', 3, [1, 2], [1, 2], '0'],
      [2030, '12345678901234567891'],
      ['FORBIDDEN', 'Books are not burnt'],
      [204, 'INVALID_ARGUMENTS'],
    ].flat(),
  );
});
