import { createHash } from 'node:crypto';
import { inTurns } from '@loyalty/platform/base/batches';
import { addMs } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import type { WorkspaceKeyring } from '@loyalty/platform/crypto/keyring';
import { publishMoved } from '../limits/message-queue.ts';
import { getMessageSettings } from '../limits/message-settings.service.ts';
import type { MessageSettings } from '../limits/message-settings.store.ts';
import { linksFor, trackedHtml, trackedLink } from '../links/links.service.ts';
import type { MessageAttempt } from '../messages/message.ts';
import { attemptsOf } from '../messages/message-events.service.ts';
import { messageKeys, sealRecipient } from '../messages/message-personal.ts';
import { holdMessages } from '../messages/source-messages.service.ts';
import type { OutgoingMail } from '../providers/send-mail.service.ts';
import type { CheckedNotification } from '../push/notification.ts';
import {
  type Content,
  finishedNotification,
  type NotificationContent,
  NotificationError,
  RenderError,
  type RenderJob,
} from '../templates/render.ts';
import { EndlessTemplate, type RenderedMessage, renderMessages } from '../templates/render-messages.ts';
import { type AllowedMessage, guardMessages } from './guards.service.ts';
import { heldObstacle, type Obstacle } from './obstacles.ts';
import { type ClaimedMessage, type MessageMove, moveMessages } from './sending.store.ts';

/** The data that all messages of a group need. */
interface Preparation {
  readonly keys: WorkspaceKeyring;
  readonly settings: MessageSettings;
}

/** A mail that may be sent, in the form for a provider. */
export interface PreparedMessage {
  readonly message: ClaimedMessage;
  readonly mail: OutgoingMail;
  readonly history: AttemptHistory;
  /** Blind index of the address. */
  readonly emailIndex: string;
  /** The current address of the member; null if the message has its own. */
  readonly recipientSealed: Uint8Array | null;
}

/** A notification that may be sent, in the form for the browsers of its member. */
export interface PreparedPush {
  readonly message: ClaimedMessage;
  readonly notification: CheckedNotification;
  /** Ids of browsers; at least one. */
  readonly browsers: readonly string[];
}

/** Messages that may be sent, rendered. */
export interface PreparedMessages {
  readonly mails: ReadonlyMap<string, PreparedMessage>;
  readonly pushes: readonly PreparedPush[];
}

/**
 * Delay of messages that were not rendered, because an endless template of the workspace took all the time.
 */
const LATER_MS = 5_000;

/**
 * Decides which messages may be sent now, and renders them. Writes the obstacles of the others.
 *
 * @throws AppError PEER_UNAVAILABLE (503), before anything is written
 */
export async function prepareMessages(
  ctx: Context,
  messages: readonly ClaimedMessage[],
): Promise<PreparedMessages> {
  const [keys, settings] = await Promise.all([messageKeys(ctx), getMessageSettings(ctx)]);
  const { allowed, refused } = await guardMessages(ctx, keys, settings, messages);
  const moves = refused.map(({ message, obstacle }) => moveOf(message, obstacle));
  const drafts = await Promise.all(allowed.map((each) => draftOf(ctx, each)));
  const going = drafts.filter(({ history }) => !history.isOver);
  for (const { message, history } of drafts)
    if (history.isOver) moves.push(moveOf(message, { status: 'FAILED', reason: 'OUTCOME_UNKNOWN' }));
  const rendered = await renderMessages(
    ctx,
    going.map(({ job }) => job),
  );
  const mails = new Map<string, PreparedMessage>();
  const pushes: PreparedPush[] = [];
  for await (const [place, draft] of inTurns(going.entries())) {
    const outcome = await finish(ctx, draft, rendered[place], { keys, settings });
    if ('mail' in outcome) mails.set(draft.message.id, outcome);
    else if ('notification' in outcome) pushes.push(outcome);
    else moves.push(moveOf(draft.message, outcome));
  }
  await moveMessages(ctx, moves);
  await holdEndless(
    ctx,
    going.filter((_, place) => rendered[place] instanceof EndlessTemplate),
  );
  const moved = new Set(moves.map(({ id }) => id));
  publishMoved(
    ctx,
    messages.flatMap(({ id, sourceId }) => (moved.has(id) ? [sourceId] : [])),
  );
  return { mails, pushes };
}

/** A message that may be sent, with the data for its template. */
interface Draft extends AllowedMessage {
  readonly history: AttemptHistory;
  readonly job: RenderJob;
  readonly headers: Record<string, string>;
}

async function draftOf(ctx: Context, allowed: AllowedMessage): Promise<Draft> {
  const { message, content, data, recipient } = allowed;
  const { id, category, memberId, channel } = message;
  const history = await earlierAttempts(ctx, message);
  const known = { member: recipient.member?.member ?? null, data };
  if (channel !== 'EMAIL') return { ...allowed, history, job: { content, variables: known }, headers: {} };
  const { emailIndex } = recipient;
  const { headers, ...links } = await linksFor(ctx, { id, category, emailIndex, memberId });
  return { ...allowed, history, job: { content, variables: { ...known, ...links } }, headers };
}

async function finish(
  ctx: Context,
  draft: Draft,
  rendered: RenderedMessage | undefined,
  preparation: Preparation,
): Promise<PreparedMessage | PreparedPush | Obstacle> {
  if (!rendered) return { status: 'QUEUED', reason: null, dueAt: addMs(ctx.clock.now(), LATER_MS) };
  if (rendered instanceof RenderError) return renderObstacle(draft, rendered);
  if (draft.message.channel === 'EMAIL') return finishMail(ctx, draft, rendered as Content, preparation);
  try {
    return await finishPush(ctx, draft, rendered as NotificationContent, preparation);
  } catch (error) {
    if (!(error instanceof NotificationError)) throw error;
    return { status: 'FAILED', reason: 'NOTIFICATION_INVALID', detail: error.message };
  }
}

/**
 * The obstacle of a message that could not be rendered. The first message of a campaign with an endless
 * template fails. The others are held together with the campaign.
 */
const renderObstacle = ({ message }: Draft, error: RenderError): Obstacle =>
  error instanceof EndlessTemplate && error.isKnown && message.sourceKind === 'CAMPAIGN'
    ? heldObstacle(false)
    : { status: 'FAILED', reason: 'RENDER_FAILED', detail: error.message };

/** Holds campaigns whose template is endless, because each of their messages would end a worker thread. */
async function holdEndless(ctx: Context, endless: readonly Draft[]): Promise<void> {
  const campaigns = endless.flatMap(({ message: { sourceKind, sourceId } }) =>
    sourceKind === 'CAMPAIGN' && sourceId ? [sourceId] : [],
  );
  for (const id of new Set(campaigns)) await ctx.transaction((tx) => holdMessages(tx, id));
}

const simulated: Obstacle = { status: 'SIMULATED', reason: null };

async function finishMail(
  ctx: Context,
  { message, recipient, history, headers }: Draft,
  rendered: Content,
  { keys, settings }: Preparation,
): Promise<PreparedMessage | Obstacle> {
  const { address, emailIndex } = recipient;
  if (ctx.scope.mode === 'TEST') return simulated;
  const { id } = message;
  const html = await trackedHtml(ctx, rendered.html, id, settings);
  const mail = { ...rendered, html, messageId: id, idempotencyKey: id, to: address!, headers };
  const recipientSealed = message.recipientSealed ? null : sealRecipient(keys, address!);
  return { message, mail, history, emailIndex, recipientSealed };
}

async function finishPush(
  ctx: Context,
  { message, recipient }: Draft,
  rendered: NotificationContent,
  { settings }: Preparation,
): Promise<PreparedPush | Obstacle> {
  const topic = topicOf(message);
  const notification = finishedNotification(rendered, topic);
  if (ctx.scope.mode === 'TEST') return simulated;
  const browsers = recipient.browsers!;
  if (!rendered.url) return { message, notification, browsers };
  const url = await trackedLink(ctx, rendered.url, message.id, settings);
  return { message, notification: finishedNotification({ ...rendered, url }, topic), browsers };
}

/** Maximum length of a topic (RFC 8030, section 5.4). */
const TOPIC_LETTERS = 32;

/**
 * The topic of a notification. A later notification of the same campaign, or node of a journey, replaces this
 * one.
 */
const topicOf = ({ id, sourceId, nodeId }: ClaimedMessage): string =>
  createHash('sha256')
    .update(sourceId ? `${sourceId} ${nodeId}` : id)
    .digest('base64url')
    .slice(0, TOPIC_LETTERS);

const moveOf = ({ id, claim, rounds }: ClaimedMessage, obstacle: Obstacle): MessageMove => ({
  detail: null,
  dueAt: null,
  ...obstacle,
  id,
  claim,
  rounds,
});

/** Kinds of providers that send a mail once if they receive it twice with the same idempotency key. */
const IDEMPOTENT_KINDS: readonly string[] = ['RESEND'];

const isIdempotentKind = (kind: string): boolean => IDEMPOTENT_KINDS.includes(kind);

/** Maximum number of attempts without a known outcome. Then the message fails. */
const UNKNOWN_MAX = 3;

/** The same for providers that are not idempotent, where each attempt may have sent the message. */
const UNKNOWN_AT_OTHERS_MAX = 2;

/**
 * The consequences of earlier attempts whose outcome is unknown, because their workers ended, for the next
 * attempt.
 */
export interface AttemptHistory {
  readonly isOver: boolean;
  /**
   * Providers that had refused the message before the last attempt, so that the next attempt begins with the
   * same provider.
   */
  readonly skip: ReadonlySet<string>;
  /** A warning that an attempt at this provider may send the message twice; null if it cannot. */
  readonly warningAt: (providerId: string | null, kind: string) => string | null;
}

/** @param attempts - of one message, oldest first */
function historyOf(attempts: readonly MessageAttempt[]): AttemptHistory {
  const unknown = attempts.filter(({ outcome }) => outcome === 'UNKNOWN');
  const atOthers = unknown.filter(({ providerKind }) => !isIdempotentKind(providerKind));
  const last = attempts.at(-1);
  return {
    isOver: unknown.length >= UNKNOWN_MAX || atOthers.length >= UNKNOWN_AT_OTHERS_MAX,
    skip: last?.outcome === 'UNKNOWN' ? refusedBefore(attempts) : new Set(),
    warningAt: (providerId, kind) => {
      const isSame = (attempt: MessageAttempt) =>
        attempt.providerId === providerId && attempt.providerKind === kind && isIdempotentKind(kind);
      const uncertain = unknown.find((attempt) => !isSame(attempt));
      return uncertain
        ? `The message may be sent twice: how attempt ${uncertain.number} ended is not known.`
        : null;
    },
  };
}

function refusedBefore(attempts: readonly MessageAttempt[]): ReadonlySet<string> {
  const known = attempts.slice(0, -1);
  const first = known.findLastIndex(({ outcome }) => outcome === 'UNKNOWN') + 1;
  const ids = known.slice(first).flatMap(({ providerId }) => (providerId ? [providerId] : []));
  return new Set(ids.filter((id) => id !== attempts.at(-1)!.providerId));
}

const NO_HISTORY = historyOf([]);

const earlierAttempts = async (ctx: Context, { id, attempts }: ClaimedMessage): Promise<AttemptHistory> =>
  attempts === 0 ? NO_HISTORY : historyOf(await attemptsOf(ctx, id));
