/**
 * Notifies other parts, in this process or another, that something changed. It carries an id only; who gets
 * it loads the row. Delivery is at most once: after `onGap` assume that any message may have been lost.
 */
export interface Live {
  /**
   * Resolves when the carrier has accepted the message.
   *
   * @param channel - for example `bulk-job`, 1 to 200 characters of `A-Z a-z 0-9 _ . : / -`
   * @param id - likewise
   * @throws RangeError for anything else, so that no personal data is ever carried
   * @throws Error when the carrier was out of reach for 5 s; who gets `onGap` has missed this message too
   */
  publish(channel: string, id: string): Promise<void>;
  /**
   * Calls the listeners of this process alone, before it returns: what this process must know
   * before it answers, although the message will arrive again.
   */
  deliver(channel: string, id: string): void;
  /** Calls the listener for every id on the channel until the returned function is called. */
  subscribe(channel: string, listener: (id: string) => void): () => void;
  /** Calls the listener after every interruption: reload what is shown, clear what is cached. */
  onGap(listener: () => void): () => void;
  /** Resolves once messages arrive. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface LiveOptions {
  /** Called with lost connections and what listeners throw; nothing else reports them. */
  onError?: (error: unknown) => void;
}
