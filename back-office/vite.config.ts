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

/** Plots, and what draws nothing else. */
const PLOTS =
  /app\/plots\/[\w.-]+\.(tsx|css)|node_modules\/(@visx|d3-\w+|reduce-|math-expression-|balanced-)/;

/** In development, Vite serves the sources and passes everything else on to a running gateway. */
export default defineConfig({
  base: '/app/',
  plugins: [compiledMessages(), react(), pageAtEveryAddress, screenFiles()],
  resolve: {
    // The axes would bring copies of their own.
    dedupe: ['@visx/group', '@visx/point', '@visx/scale', '@visx/shape', '@visx/vendor'],
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
        // One file for what every page needs, one for plots, and one for what most screens share, where
        // there would be a file for each component.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 3 },
            // Without what plots share with others.
            { name: 'plots', test: PLOTS, priority: 2, includeDependenciesRecursively: false },
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
