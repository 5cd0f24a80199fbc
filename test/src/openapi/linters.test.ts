import { createRequire } from 'node:module';
import { describe, expect, test } from '@jest/globals';
import type { Api } from '@loyalty/platform/http/api';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { documents } from './documents.fixture.ts';

// Both packages are CommonJS, so they are loaded with `require`; the types come from the packages.
const require = createRequire(import.meta.url);
const { Spectral } = require('@stoplight/spectral-core') as typeof import('@stoplight/spectral-core');
const { oas } = require('@stoplight/spectral-rulesets') as typeof import('@stoplight/spectral-rulesets');

/** Rules of Redocly that do not apply, each with its reason. */
const exceptions = {
  // The documented paths `/members/import/{id}` and `/members/{id}/tags` could match the same request. The
  // router prefers the literal segment, so no request is ambiguous.
  'no-ambiguous-paths': 'off',
} as const;

describe.each(['v1', 'v2'] as const)('the OpenAPI document of %s', (api: Api) => {
  const source = JSON.stringify(documents[api]);

  test('has no report of Redocly, but for the listed rules', async () => {
    const config = await createConfig({ extends: ['recommended'], rules: exceptions });
    const reports = await lintFromString({ source, config, absoluteRef: `${api}.json` });
    expect(reports.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('has no report of Spectral', async () => {
    const spectral = new Spectral();
    spectral.setRuleset({ extends: [oas] } as never);
    const reports = await spectral.run(source);
    expect(reports.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)).toEqual([]);
  });
});
