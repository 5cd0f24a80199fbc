/**
 * A stream whose values are each the whole state of one thing. A late or slow reader needs only the newest
 * value. Several readers may receive the same object, so it must not be changed.
 */
export interface Snapshots<T> extends AsyncIterableIterator<T, undefined> {
  readonly areSnapshots: true;
}

export const asSnapshots = <T>(stream: AsyncIterableIterator<T, undefined>): Snapshots<T> =>
  Object.assign(stream, { areSnapshots: true } as const);

export const areSnapshots = (stream: object): boolean =>
  (stream as Partial<Snapshots<unknown>>).areSnapshots === true;
