/**
 * A stream of which every value is the whole state of one thing. Who comes late, or takes slowly, needs only
 * the newest value. Several readers may get the same value: none of them may change it.
 */
export interface Snapshots<T> extends AsyncIterableIterator<T, undefined> {
  readonly areSnapshots: true;
}

export const asSnapshots = <T>(stream: AsyncIterableIterator<T, undefined>): Snapshots<T> =>
  Object.assign(stream, { areSnapshots: true } as const);

export const areSnapshots = (stream: object): boolean =>
  (stream as Partial<Snapshots<unknown>>).areSnapshots === true;
