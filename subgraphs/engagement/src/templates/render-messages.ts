import { createHash } from 'node:crypto';
import { ThreadEnded, type WorkOwner } from '@loyalty/platform/work/bounded-work';
import { LRUCache } from 'lru-cache';
import {
  type AnyContent,
  type Content,
  type MessageVariables,
  type NotificationContent,
  RenderError,
  type RenderJob,
  type RenderOutcome,
} from './render.ts';
import { renderWork } from './render-work.ts';

/** Batch size: messages per call of the worker thread. */
const BATCH = 50;
/**
 * Maximum number of worker threads that one call may lose. Then the other messages wait for the next turn.
 */
const ENDED_MAX = 3;

/** The template is endless: its worker thread was ended, now or before. */
export class EndlessTemplate extends RenderError {
  /** The template was known to be endless and was not rendered again. */
  readonly isKnown: boolean;

  constructor({ isKnown }: { readonly isKnown: boolean }) {
    super('text', 'The template takes too long, or needs too much memory, to be filled in.', FIRST);
    this.isKnown = isKnown;
  }
}

const FIRST = { line: 1, column: 1 };

/** A rendered message, or the error. */
export type RenderedMessage = AnyContent | RenderError;

/**
 * Renders a message in the worker thread.
 *
 * @throws RenderError, EndlessTemplate
 */
export async function renderMessage<C extends Content | NotificationContent>(
  owner: WorkOwner,
  content: C,
  variables: MessageVariables,
): Promise<C> {
  const [rendered] = await renderTurn(owner, [{ content, variables }]).catch(endless);
  if (rendered instanceof RenderError) throw rendered;
  return rendered as C;
}

/**
 * Renders messages in the worker thread. If the thread must be ended, the messages of that turn are rendered
 * one by one: the endless one fails, and for some time all messages with the same content fail.
 *
 * @returns the results of the first messages; of all messages, unless many of them are endless
 */
export async function renderMessages(
  owner: WorkOwner,
  jobs: readonly RenderJob[],
): Promise<readonly RenderedMessage[]> {
  const done: RenderedMessage[] = [];
  let ended = 0;
  while (done.length < jobs.length && ended < ENDED_MAX) {
    const batch = jobs.slice(done.length, done.length + BATCH);
    const stop = batch.findIndex(({ content }) => isEndless(owner, content));
    const turn = stop < 0 ? batch : batch.slice(0, stop);
    const rendered =
      turn.length === 0 ? [new EndlessTemplate({ isKnown: true })] : await renderBatch(owner, turn);
    done.push(...rendered);
    if (turn.length > 0) ended += rendered.filter((each) => each instanceof EndlessTemplate).length;
  }
  return done;
}

async function renderBatch(
  owner: WorkOwner,
  jobs: readonly RenderJob[],
): Promise<readonly RenderedMessage[]> {
  try {
    return await renderTurn(owner, jobs);
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
  }
  const done: RenderedMessage[] = [];
  for (const job of jobs) {
    const [rendered] = await renderTurn(owner, [job]).catch(endless);
    done.push(rendered!);
    if (!(rendered instanceof EndlessTemplate)) continue;
    endlessContents.set(keyOf(owner, job.content), true);
    break;
  }
  return done;
}

/** Contents that ended a worker thread twice in this process. */
const endlessContents = new LRUCache<string, true>({ max: 1_000, ttl: 600_000 });
const hashes = new WeakMap<AnyContent, string>();

const isEndless = (owner: WorkOwner, content: AnyContent): boolean =>
  endlessContents.size > 0 && endlessContents.has(keyOf(owner, content));

/** The key includes the workspace, because workspaces may share the same content, even the same object. */
function keyOf({ scope }: WorkOwner, content: AnyContent): string {
  const hash =
    hashes.get(content) ?? createHash('sha256').update(JSON.stringify(content)).digest('base64url');
  hashes.set(content, hash);
  return `${scope.workspaceId}:${hash}`;
}

const endless = (error: unknown): readonly RenderedMessage[] => {
  if (error instanceof ThreadEnded) return [new EndlessTemplate({ isKnown: false })];
  throw error;
};

/** Renders the first messages, at least one, within one turn of the worker thread. */
async function renderTurn(owner: WorkOwner, jobs: readonly RenderJob[]): Promise<readonly RenderedMessage[]> {
  const outcomes = await renderWork.run(owner, { kind: 'render', messages: jobs });
  return (outcomes as readonly RenderOutcome[]).map((outcome) => {
    if ('rendered' in outcome) return outcome.rendered;
    const { part, message, ...place } = outcome.failure;
    return new RenderError(part, message, place);
  });
}
