import { readFileSync } from 'node:fs';
import { accessMap, apiSchemaOf, supergraphFile } from '@loyalty/gateway/supergraph/supergraph-sdl';
import type { Api } from '@loyalty/platform/http/api';
import { type OpenApiDocument, openApi } from '@loyalty/rest-adapter/openapi/openapi';
import { rows } from '@loyalty/rest-adapter/table/rows';

const sdl = readFileSync(supergraphFile, 'utf8');
const options = {
  rows,
  schema: apiSchemaOf(sdl),
  access: accessMap(sdl),
  url: 'https://loyalty.test',
};

/** The OpenAPI documents as the product serves them. */
export const documents: Readonly<Record<Api, OpenApiDocument>> = {
  v1: openApi('v1', options),
  v2: openApi('v2', options),
};
