// Prints what takes long before the product runs: one line for each step, with the seconds that it took.
const POLL_MS = 1_000;

const secondsSince = (startedAt) => `${Math.round((performance.now() - startedAt) / 1_000)} s`;

/**
 * Begins a step. On a terminal its line is rewritten every second; elsewhere one line is printed at the start
 * and one at the end.
 *
 * @param options.hint - follows the title until something is done
 * @param options.progress - returns what is done so far; until there is something, the seconds are shown
 * @param options.isQuick - print nothing if the step ends within a second
 * @returns `succeed(detail)` prints the last line; `fail()` only ends the line
 */
export function startStep(title, { hint = '', progress, isQuick = false } = {}, out = process.stdout) {
  const startedAt = performance.now();
  let isShown = false;
  const show = () => {
    const done = progress?.();
    const line = done ? `${title} … ${done}` : `${title}${hint} … ${secondsSince(startedAt)}`;
    if (out.isTTY) out.write(`\r\u001b[K${line}`);
    else if (!isShown) out.write(`${title}${hint} …\n`);
    isShown = true;
    if (!out.isTTY) clearInterval(timer);
  };
  const timer = setInterval(show, POLL_MS);
  if (!isQuick) show();
  const end = (line) => {
    clearInterval(timer);
    if (isShown) out.write(line);
  };
  return {
    succeed(detail) {
      const taken = [detail, secondsSince(startedAt)].filter(Boolean).join(', ');
      end(`${out.isTTY ? '\r\u001b[K' : ''}${title} … ${taken}\n`);
    },
    fail: () => end(out.isTTY ? '\n' : ''),
  };
}
