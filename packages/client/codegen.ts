import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { accessMap } from '@loyalty/gateway/supergraph/access-map';
import { apiSchemaOf } from '@loyalty/gateway/supergraph/api-schema';
import { supergraphFile } from '@loyalty/gateway/supergraph/supergraph-file';
import { openApi } from '@loyalty/rest-adapter/openapi/openapi';
import { rows } from '@loyalty/rest-adapter/table/rows';
import { isEnumType } from 'graphql';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';

// Writes the types of both REST APIs and the reasons of errors, from what the platform serves.
const sdl = readFileSync(supergraphFile, 'utf8');
const schema = apiSchemaOf(sdl);
const folder = new URL('./generated/', import.meta.url);
mkdirSync(folder, { recursive: true });

for (const api of ['v1', 'v2'] as const) {
  const document = openApi(api, { rows, schema, access: accessMap(sdl) });
  const types = await openapiTypescript(JSON.stringify(document) as unknown as OpenAPI3);
  writeFileSync(new URL(`${api}.ts`, folder), astToString(types));
}

const reasons = schema.getType('ErrorReason');
if (!isEnumType(reasons)) throw new Error('The graph has no enum ErrorReason.');
const names = reasons.getValues().map(({ name }) => `  | '${name}'`);
writeFileSync(new URL('reasons.ts', folder), `export type ErrorReason =\n${names.join('\n')};\n`);
