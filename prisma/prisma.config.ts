import { defineConfig } from 'prisma-cli/config';

/** Used only by `prisma generate` and `prisma format`; migrations are run by src/migrate/migrate.ts. */
export default defineConfig({ schema: 'schema' });
