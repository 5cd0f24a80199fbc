import './global-setup.ts'; // declares the variable

/** After the last test file: drops what the run made. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.loyaltyTestServer?.stop();
}
