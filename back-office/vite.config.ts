import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compiledMessages, screenFiles } from './src/build/vite-plugins.ts';

const gateway = process.env['LOYALTY_URL'] ?? 'http://127.0.0.1:4000';

/** Serves the page at the address of every screen, as the server does. Only for development. */
const pageAtEveryAddress: Plugin = {
  name: 'page-at-every-address',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      if (request.headers.accept?.includes('text/html')) request.url = '/app/app.html';
      next();
    });
  },
};

/** The plots, and the packages that only plots use. */
const PLOTS =
  /app\/plots\/[\w.-]+\.(tsx|css)|node_modules\/(@visx|d3-\w+|reduce-|math-expression-|balanced-)/;

/** In development, Vite serves the sources and proxies all other requests to a running gateway. */
export default defineConfig({
  base: '/app/',
  plugins: [compiledMessages(), react(), pageAtEveryAddress, screenFiles()],
  resolve: {
    // The axes would bundle their own copies.
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
        // One chunk for the first load, one for plots, and one for the components that most screens share.
        // Otherwise each component would be a chunk.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 3 },
            // Without dependencies that plots share with other chunks.
            { name: 'plots', test: PLOTS, priority: 2, includeDependenciesRecursively: false },
            { name: 'screens', minShareCount: 6, priority: 1 },
          ],
        },
      },
    },
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // `src/build/check-budget.ts` checks the sizes.
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
