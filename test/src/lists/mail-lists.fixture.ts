import { NO_ID } from '@loyalty/platform/base/ids';

/** Mail of the platform's own provider in the development mailbox, and addresses that are suppressed. */
export async function mailLists(
  graph: (mutation: string) => Promise<unknown>,
  places: readonly number[],
): Promise<void> {
  for (const place of places) {
    await graph(`testEmailProvider(id: "${NO_ID}", to: "kept${place}@example.com") { outcome }`);
    await graph(`unsubscribe(email: "left${place}@example.com") { email }`);
  }
}
