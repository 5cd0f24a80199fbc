import { startProduct } from './product.ts';

/**
 * Runs the product, without a worker, with members and a key. Prints the values that the bench needs as one
 * line of JSON.
 */
const MEMBERS = 100;

// PostgreSQL waits for the disk, as in production.
const product = await startProduct({ fsync: true });
await product.run('mutation { setModule(key: "tracking", enabled: true) { key } }', {});
const ids: string[] = [];
for (let index = 0; index < MEMBERS; index += 1) {
  const { createMember } = await product.run(
    'mutation ($input: CreateMemberInput!) { createMember(input: $input) { id } }',
    { input: { email: `member.${index}@example.com` } },
  );
  ids.push((createMember as { id: string }).id);
}
const secret = await product.key(['tracking:write', 'metrics:read']);
const { url, databaseUrl, workspaceId } = product;
const { pid } = process;
process.stdout.write(`${JSON.stringify({ product: url, databaseUrl, workspaceId, secret, ids, pid })}\n`);

process.once('SIGTERM', async () => {
  await product.close();
  process.exit(0);
});
