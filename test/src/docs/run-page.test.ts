import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RunBlock, runPage } from './run-page.ts';

const server = createServer((_, response) => response.writeHead(404).end('{"error":"It is not there."}'));
let folder: string;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loyalty-guide-'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\`\n`;

/** A block that prints a text, and the answer that the page shows of it. */
const shows = (printed: string, shown: string): string =>
  `${fence('sh', `cat <<'END'\n${printed}\nEND`)}\n${fence('json', shown)}`;

async function run(text: string, timeoutMs = 60_000): Promise<RunBlock[]> {
  const page = join(folder, 'page.md');
  await writeFile(page, `# Page\n\n${text}`);
  return runPage(page, { url, timeoutMs });
}

const refused = '{"errors":[{"message":"No."}],"data":null}';

test.each<readonly [string, string, RegExp]>([
  ['a value that is not what is shown', shows('{"a": 2}', '{"a": 1}'), /\$\.a: 1 is shown, 2 was answered/],
  ['a word that is not what is shown', shows('{"a": "PAID"}', '{"a": "OPEN"}'), /"OPEN" is shown/],
  ['a value of another type', shows('{"a": "1"}', '{"a": 1}'), /\$\.a: 1 is shown, "1" was answered/],
  [
    'a key that is not shown',
    shows('{"a": 1, "b": 2}', '{"a": 1}'),
    /\$\.b: 2 was answered and is not shown/,
  ],
  ['a key that is not answered', shows('{"a": 1}', '{"a": 1, "b": 2}'), /\$\.b: 2 is shown/],
  ['items that are not shown', shows('[1, 2]', '[1]'), /1 items are shown, 2 were answered/],
  ['no answer', shows('hello', '{}'), /printed no JSON/],
  ['a failed command', fence('sh', 'echo before\nfalse\necho after'), /page\.md:4 ended with 1.*before\n/s],
  ['a failed command in a value', fence('sh', 'a=$(false)\necho after'), /page\.md:4 ended with 1/],
  ['a variable that there is not', fence('sh', 'echo "$nothing"'), /nothing: unbound variable/],
  ['a refused call', fence('sh', 'curl -s "$api/x"'), /page\.md:4 ended with 22.*It is not there\./s],
  ['a refused query', fence('sh', `echo '${refused}'`), /errors that the page does not show/],
  ['a failed program', fence('ts run', 'throw new Error("no")'), /Error: no/],
  [
    'one answer of a group',
    `::: code-group\n\n${fence('sh [curl]', `echo '{"a":1}'`)}\n${fence('ts run', 'console.log("{}")')}\n` +
      `${fence('php', '<?php')}\n:::\n\n${fence('json', '{"a": 1}')}`,
    /\$\.a: 1 is shown and was not answered/,
  ],
])('a page fails for %s', async (_, text, sentence) => {
  await expect(run(text)).rejects.toThrow(sentence);
});

test('a page fails for a wait without a bound, and nothing of it goes on', async () => {
  const file = join(folder, 'pid');
  const text = fence('sh', `echo waits $$ | tee '${file}'\nuntil false; do sleep 0.1; done`);
  await expect(run(text, 3_000)).rejects.toThrow(/did not end within 3000 ms.*waits/s);
  const pid = Number((await readFile(file, 'utf8')).split(' ')[1]);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

test.each<readonly [string, string]>([
  ['text that differs each time', shows('{"id": "a1"}', '{"id": "b2"}')],
  ['an answer of which a part is shown', shows('{"a": [1, 2], "b": 3}', '{"a": [1, "…"], "…": "…"}')],
  ['an answer over several lines', shows('first\n{\n"a": 1\n}', '{"a": 1}')],
  ['the last event of a stream', shows('data: {"a": 2}\n\ndata: {"a": 1}\n\nevent: complete', '{"a": 1}')],
  ['what a query has cost', shows('{"data": {}, "extensions": {"cost": {}}}', '{"data": {}}')],
  ['a refusal that it shows', shows(refused, '{"errors": [{"message": "…"}], "data": null}')],
  ['a refusal that it expects', fence('sh', 'curl -s "$api/x" || true')],
  ['what still runs in the background', fence('sh', 'sleep 600 &\necho done')],
])('a page passes for %s', async (_, text) => {
  expect(await run(text)).toHaveLength(1);
});

test('blocks are one program: they share variables and files, and programs import each other', async () => {
  const blocks = await run(
    [
      fence('sh', 'export word=shared\necho text > file.txt'),
      fence('ts run [part.ts]', 'export const part = 1;'),
      fence('ts run', 'import { part } from "./part.ts";\nconsole.log(part, process.env.word);'),
      fence('console', '$ exit 1'),
      fence('ts', 'throw new Error("not run")'),
      fence('sh', 'cat file.txt\necho "$word"'),
    ].join('\n'),
  );
  expect(blocks.map(({ output }) => output.trim())).toEqual(['', '', '1 shared', 'text\nshared']);
});
