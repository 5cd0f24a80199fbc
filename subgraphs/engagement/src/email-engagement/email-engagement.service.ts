/** What became of mail to one member. */
export interface EmailEngagement {
  readonly sent: number;
  readonly opened: number;
  readonly clicked: number;
  readonly lastClickAt: Date | null;
}

/** Nothing: no message is sent by anything yet. */
export const emailEngagement = (): EmailEngagement => ({ sent: 0, opened: 0, clicked: 0, lastClickAt: null });
