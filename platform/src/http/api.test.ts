import { expect, test } from '@jest/globals';
import { type Api, apiOfRequest } from './api.ts';

test.each<[string, string | undefined, Api]>([
  ['/api/v1/data', '/api/v1/data', 'v1'],
  ['/api/%76%31/data', '/api/v1/data', 'v1'],
  ['http://host/api/v1/data', '/api/v1/data', 'v1'],
  ['/api/v2/%76%31', '/api/v2/members', 'v2'],
  ['/api/%76%31/nothing', undefined, 'v1'],
  ['/%61pi/v1?x=/', undefined, 'v1'],
  ['http://host/api/v1', undefined, 'v1'],
  ['/api/v1/%zz', undefined, 'v1'],
  ['/api/v1/data', '/*', 'v1'],
  ['/api/%2576%31/data', undefined, 'v2'],
  ['/api/v10/data', undefined, 'v2'],
  ['/x/api/v1/data', undefined, 'v2'],
])('%s, matched by %s, is of API %s %s', (url, route, api) => {
  expect(apiOfRequest({ url, routeOptions: { url: route } })).toBe(api);
});
