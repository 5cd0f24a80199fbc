import { defineConfig } from 'prisma-cli/config';

/** Only `prisma generate` and `prisma format` read this; migrations go through src/migrate/migrate.ts. */
export default defineConfig({ schema: 'schema' });
