import type { CheckedNotification } from './notification.ts';

/** What a batch says: each notification once, and which of them each browser gets. */
export interface BatchContent {
  readonly notifications: readonly CheckedNotification[];
  /** Places in that list, by the id of the browser. */
  readonly places: Readonly<Record<string, number>>;
}

/** A browser, and what it gets. */
interface AddressedBrowser {
  readonly id: string;
  readonly notification: CheckedNotification;
}

/** Parts of bounded size in which no browser is twice. */
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

/** What a browser of a batch gets; an older batch says the same to all. */
export const notificationFor = (
  content: BatchContent | CheckedNotification,
  subscriptionId: string,
): CheckedNotification =>
  'payload' in content ? content : content.notifications[content.places[subscriptionId]!]!;
