import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compiledMessages } from './src/build/compiled-messages.ts';
import { screenFiles } from './src/build/screen-files.ts';

const gateway = process.env['LOYALTY_URL'] ?? 'http://127.0.0.1:4000';

/** In development, the page answers at every address of a screen, as the server does it. */
const pageAtEveryAddress: Plugin = {
  name: 'page-at-every-address',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (request.headers.accept?.includes('text/html')) request.url = '/app/app.html';
      next();
    });
  },
};

/** In development, Vite serves the sources and passes everything else on to a running gateway. */
export default defineConfig({
  base: '/app/',
  plugins: [compiledMessages(), react(), pageAtEveryAddress, screenFiles()],
  resolve: {
    alias: [
      {
        find: /^@formatjs\/icu-messageformat-parser$/,
        replacement: '@formatjs/icu-messageformat-parser/no-parser.js',
      },
    ],
  },
  html: { cspNonce: 'CSP_NONCE' },
  build: {
    outDir: 'dist',
    rolldownOptions: {
      input: 'app.html',
      output: {
        // One file for what every page needs and one for what most screens share, where there would be a
        // file for each component.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 2 },
            { name: 'screens', minShareCount: 6, priority: 1 },
          ],
        },
      },
    },
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // `src/build/check-budget.ts` judges sizes.
    chunkSizeWarningLimit: 1_000,
  },
  server: {
    port: 5173,
    proxy: {
      '/graphql': { target: gateway, ws: true },
      '/api': { target: gateway },
      '/app/session': { target: gateway },
    },
  },
});
