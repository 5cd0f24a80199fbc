import { spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { differences } from './shown-answer.ts';

/** A fence that runs, and the answer that the page shows of it. */
interface Block {
  readonly language: 'sh' | 'ts' | 'py';
  readonly code: string;
  /** The file that the label of the fence names, such as `[loyalty.ts]`; null if it names none. */
  readonly file: string | null;
  /** The line of the page on which its code starts. */
  readonly line: number;
  /** The text of the `json` fence behind it; null if there is none. */
  shown: string | null;
}

export interface RunBlock extends Block {
  readonly output: string;
  readonly errors: string;
}

export interface RunPageOptions {
  /** Of a running product. */
  readonly url: string;
  /** Pages that run first, in the same shell; only failures of theirs matter. */
  readonly after?: readonly string[];
  /** Further variables of the shell. */
  readonly env?: Readonly<Record<string, string>>;
  /** After so many milliseconds the program is ended, and the run has failed. Default: 90 seconds. */
  readonly timeoutMs?: number;
  readonly hasPython?: boolean;
}

/** Where the `loyalty` command is, which pages use from a checkout. */
const tools = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url));

/** Starts a line of the output that says which block comes now. */
const MARK = '\u001e';

/** What readers type as `curl` fails here if the product refuses. */
const PRELUDE = `set -euo pipefail
shopt -s inherit_errexit
curl() { command curl --fail-with-body "$@"; }
`;

/**
 * Runs all fences `sh`, `ts run` and `py run` of a page as one program of Bash, and compares what it prints
 * with the `json` fence that follows a block, or a group of blocks.
 *
 * @returns the blocks of the page with what each printed
 * @throws Error with the page, the block and its output if a command fails, a shown answer is not what was
 *   answered, a query is refused although the page does not show so, or the time is over
 */
export async function runPage(page: string, options: RunPageOptions): Promise<RunBlock[]> {
  const pages = [...(options.after ?? []), page];
  const blocks = (await Promise.all(pages.map(blocksOf))).flat();
  const runnable = blocks.filter(({ block }) => block.language !== 'py' || options.hasPython !== false);
  const folder = await mkdtemp(join(tmpdir(), 'loyalty-page-'));
  try {
    const steps = await Promise.all(runnable.map(({ block }, at) => stepOf(block, at, folder)));
    await writeFile(join(folder, 'page.sh'), PRELUDE + steps.join(''));
    const { ended, output, errors } = await runProgram(folder, options);
    const [printed, complained] = [split(output), split(errors)];
    const ran = runnable.map(({ page: from, block }, at) => {
      return { from, ...block, output: printed.get(at) ?? '', errors: complained.get(at) ?? '' };
    });
    if (ended !== null) throw faultOf(ran[Math.max(...printed.keys(), 0)]!, ended);
    for (const block of ran) {
      const fault = faultOfAnswer(block);
      if (fault) throw faultOf(block, fault);
    }
    return ran.filter(({ from }) => from === page);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether the page has something to run. */
export async function isRunnable(page: string): Promise<boolean> {
  return (await blocksOf(page)).length > 0;
}

/** The blocks of a page that run. One `json` fence belongs to all blocks of the group before it. */
async function blocksOf(page: string): Promise<{ page: string; block: Block }[]> {
  const text = await readFile(page, 'utf8');
  const found: Block[] = [];
  let last: Block[] = [];
  let end = 0;
  for (const fence of text.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)) {
    const [whole, info = '', code = ''] = fence;
    const between = text.slice(end, fence.index).trim();
    const isNext = between === '' || between === ':::';
    end = fence.index + whole.length;
    const language = /^(?:(sh)|(ts) run|(py) run)(?![\w-])/.exec(info)?.slice(1).find(Boolean);
    if (language) {
      const line = text.slice(0, fence.index).split('\n').length + 1;
      const [, file = null] = /\[([\w-]+\.(?:ts|py))\]/.exec(info) ?? [];
      const block: Block = { language: language as Block['language'], code, file, line, shown: null };
      last = isNext && between === '' ? [...last, block] : [block];
      found.push(block);
    } else if (/^json(?![\w-])/.test(info) && isNext) {
      for (const block of last.slice(between === ':::' ? 0 : -1)) block.shown = code;
      last = [];
    } else if (!isNext || between !== '') {
      last = [];
    }
  }
  return found.map((block) => ({ page, block }));
}

/** A block as a part of the program; the others are programs that know the same variables. */
async function stepOf({ language, code, file: name }: Block, at: number, folder: string): Promise<string> {
  const mark = `printf '\\n${MARK}${at}\\n'; printf '\\n${MARK}${at}\\n' >&2\n`;
  if (language === 'sh') return mark + code;
  const file = join(folder, name ?? `${at}.${language}`);
  await writeFile(file, code);
  const command =
    language === 'ts' ? `'${process.execPath}' --disable-warning=ExperimentalWarning` : 'python3';
  return `${mark}api=$api token=\${token-} key=\${key-} ${command} '${file}'\n`;
}

/** Runs the program to its end, or until the time is over, and ends what it has left behind. */
async function runProgram(folder: string, { url, env, timeoutMs = 90_000 }: RunPageOptions) {
  const files = await Promise.all(['out', 'err'].map((name) => open(join(folder, name), 'w')));
  // Files, so that what runs in the background does not hold the end up; a group, so that it can be ended.
  const program = spawn('bash', [join(folder, 'page.sh')], {
    cwd: folder,
    env: { PATH: `${tools}:${process.env['PATH']}`, HOME: folder, api: url, ...env },
    stdio: ['ignore', ...files.map(({ fd }) => fd)],
    detached: true,
  });
  const endAll = () => {
    try {
      process.kill(-program.pid!, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
  };
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    endAll();
  }, timeoutMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    program.once('error', reject);
    program.once('exit', resolve);
  });
  clearTimeout(timer);
  endAll();
  for (const file of files) await file.close();
  const [output, errors] = await Promise.all(
    ['out', 'err'].map((name) => readFile(join(folder, name), 'utf8')),
  );
  const failure = isOver ? `did not end within ${timeoutMs} ms` : `ended with ${code}`;
  return { ended: code === 0 ? null : failure, output: output!, errors: errors! };
}

/** What was printed, by the number of the block. */
function split(printed: string): Map<number, string> {
  const [, ...parts] = printed.split(`\n${MARK}`);
  return new Map(parts.map((part) => [Number.parseInt(part, 10), part.slice(part.indexOf('\n') + 1)]));
}

function faultOfAnswer({ code, output, shown }: RunBlock): string | null {
  const isRefused = output.includes('"errors":[{"message"');
  if (isRefused && !shown?.includes('"errors"') && !code.includes('|| true'))
    return 'has errors that the page does not show';
  if (shown === null) return null;
  const answer = lastAnswer(output);
  if (answer === undefined) return 'printed no JSON at its end';
  const found = differences(JSON.parse(shown), withoutCost(answer));
  return found.length > 0 ? `printed another answer than shown:\n${found.join('\n')}` : null;
}

/** Pages leave out what a query of the graph has cost, which each answer says beside its data. */
function withoutCost(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([key]) => key !== 'extensions'));
}

/** The last JSON of the output, which may go over several lines or be the last event of a stream. */
function lastAnswer(output: string): unknown {
  const lines = output.trim().split('\n');
  for (let start = lines.length - 1; start >= 0; start -= 1) {
    const rest = lines.slice(start).join('\n');
    if (!/^[[{]/.test(rest)) continue;
    try {
      return JSON.parse(rest);
    } catch {
      // The answer starts further up.
    }
  }
  const event = lines.findLast((line) => /^data: ?\{/.test(line));
  return event ? JSON.parse(event.slice('data:'.length)) : undefined;
}

function faultOf(block: RunBlock & { from: string }, fault: string): Error {
  const parts = [block.code, 'It printed:', block.output, block.errors];
  return new Error(`${block.from}:${block.line} ${fault}\n\n${parts.join('\n')}`);
}
