import { invalid } from '@loyalty/platform/base/errors';
import { checkText } from '@loyalty/platform/base/input';
import { between, inputRule } from '@loyalty/platform/base/input-rules';

/** A notification that a browser shows. */
export interface Notification {
  readonly title: string;
  readonly body?: string | null;
  /** URL that a click opens. */
  readonly url?: string | null;
  /** URL of an image. */
  readonly icon?: string | null;
  /** A later notification of the same topic replaces this one. */
  readonly topic?: string | null;
  /**
   * Time for which the push service keeps the notification for an offline browser, in seconds. Default: one
   * day.
   */
  readonly ttlSeconds?: number;
}

/** A validated notification in the form in which it is sent. */
export interface CheckedNotification {
  /** JSON. */
  readonly payload: string;
  readonly topic: string | null;
  readonly ttlSeconds: number;
}

const TITLE_LENGTH_MAX = 200;

const BODY_LENGTH_MAX = 1_000;

const DAY_SECONDS = 86_400;

const TTL_SECONDS_MAX = 28 * DAY_SECONDS;

/** Push services accept 4,096 bytes, including the overhead of encryption (RFC 8030, section 7.2). */
const PAYLOAD_BYTES_MAX = 3_000;

/** @throws AppError VALIDATION_FAILED naming the field */
export function checkNotification(notification: Notification): CheckedNotification {
  const { body, topic = null, ttlSeconds = DAY_SECONDS } = notification;
  const shown = {
    title: checkText('title', notification.title, TITLE_LENGTH_MAX),
    ...(body && { body: checkText('body', body, BODY_LENGTH_MAX) }),
    ...(notification.url && { url: checkAddress('url', notification.url) }),
    ...(notification.icon && { icon: checkAddress('icon', notification.icon) }),
    ...(topic && { tag: topic }),
  };
  if (topic !== null && !/^[\w-]{1,32}$/.test(topic))
    throw invalid('topic', 'must have 1 to 32 letters, digits, - or _');
  if (!Number.isInteger(ttlSeconds) || ttlSeconds < 0 || ttlSeconds > TTL_SECONDS_MAX)
    throw invalid('ttlSeconds', between(0, TTL_SECONDS_MAX));
  const payload = JSON.stringify(shown);
  if (Buffer.byteLength(payload) > PAYLOAD_BYTES_MAX)
    throw invalid('body', `must be shorter: a notification has at most ${PAYLOAD_BYTES_MAX} bytes`);
  return { payload, topic, ttlSeconds };
}

function checkAddress(field: string, address: string): string {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw invalid(field, inputRule('WEB_ADDRESS', 'must be a web address'));
  return url.href;
}

/** The content of a batch: distinct notifications, and the notification of each browser. */
export interface BatchContent {
  readonly notifications: readonly CheckedNotification[];
  /** Index in that list, by browser id. */
  readonly places: Readonly<Record<string, number>>;
}

/** A browser with its notification. */
interface AddressedBrowser {
  readonly id: string;
  readonly notification: CheckedNotification;
}

/** Splits browsers into batches of limited size. A batch contains a browser only once. */
export function batchesOf(
  addressed: readonly AddressedBrowser[],
  size: number,
): readonly (readonly AddressedBrowser[])[] {
  const batches: Map<string, AddressedBrowser>[] = [];
  for (const each of addressed) {
    const last = batches.at(-1);
    if (last && last.size < size && !last.has(each.id)) last.set(each.id, each);
    else batches.push(new Map([[each.id, each]]));
  }
  return batches.map((batch) => [...batch.values()]);
}

/** @param batch - of `batchesOf` */
export function contentOf(batch: readonly AddressedBrowser[]): BatchContent {
  const texts = batch.map(({ notification }) => JSON.stringify(notification));
  const places = new Map([...new Set(texts)].map((text, place) => [text, place]));
  return {
    notifications: [...places.keys()].map((text) => JSON.parse(text) as CheckedNotification),
    places: Object.fromEntries(batch.map(({ id }, index) => [id, places.get(texts[index]!)!])),
  };
}

/** Returns the notification of a browser of a batch. Older batches have one notification for all browsers. */
export const notificationFor = (
  content: BatchContent | CheckedNotification,
  subscriptionId: string,
): CheckedNotification =>
  'payload' in content ? content : content.notifications[content.places[subscriptionId]!]!;
