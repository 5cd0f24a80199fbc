import { NO_ID } from '@loyalty/platform/base/ids';

/** Sends mails by the platform's own provider to the development mailbox, and suppresses addresses. */
export async function mailLists(
  graph: (mutation: string) => Promise<unknown>,
  places: readonly number[],
): Promise<void> {
  for (const place of places) {
    await graph(`testEmailProvider(id: "${NO_ID}", to: "kept${place}@example.com") { outcome }`);
    await graph(`unsubscribe(email: "left${place}@example.com") { email }`);
  }
}
