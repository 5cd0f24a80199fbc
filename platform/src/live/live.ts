/**
 * Notifies other parts, in this process or another, of a change. A message contains only an id; the receiver
 * loads the row. Delivery is at most once: after `onGap`, any message may have been lost.
 */
export interface Live {
  /**
   * Resolves when the carrier has accepted the message.
   *
   * @param channel - for example `bulk-job`, 1 to 200 characters of `A-Z a-z 0-9 _ . : / -`
   * @param id - the same length and characters
   * @throws RangeError for other text, so that personal data is never transported
   * @throws Error if the carrier was unreachable for 5 s; receivers of `onGap` have missed this message, too
   */
  publish(channel: string, id: string): Promise<void>;
  /**
   * Calls the listeners of this process only, before it returns. For changes that this process must apply
   * before it answers, although the message will arrive again.
   */
  deliver(channel: string, id: string): void;
  /** Calls the listener for every id on the channel. Returns a function that unsubscribes. */
  subscribe(channel: string, listener: (id: string) => void): () => void;
  /** Calls the listener after every interruption. Receivers must reload data and clear caches. */
  onGap(listener: () => void): () => void;
  /** Resolves when messages can arrive. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface LiveOptions {
  /** Called with connection failures and errors of listeners, which are not reported otherwise. */
  onError?: (error: unknown) => void;
}
