/** The two documented REST APIs. They share the paths below /api, but differ in errors and credentials. */
export type Api = 'v1' | 'v2';

/** Returns the API of an address; addresses outside of v1 belong to the loyalty platform. */
export const apiOf = (url: string): Api => (/^\/api\/v1(?![^/?])/.test(url) ? 'v1' : 'v2');

/** The parts of a request that determine its route. */
interface Routed {
  readonly url: string;
  /** `url` is the path of the matched route; missing if no route matched. */
  readonly routeOptions: { readonly url?: string | undefined };
}

/**
 * Returns the path of the matched route; the address of the request if no route, or a wildcard route,
 * matched.
 */
export const routeOf = ({ url, routeOptions: { url: route } }: Routed): string =>
  route === undefined || route.includes('*') ? plainPath(url) : route;

/**
 * Returns the API of a request. It uses the matched route, because a route matches several spellings of an
 * address.
 */
export const apiOfRequest = (request: Routed): Api => apiOf(routeOf(request));

/** Normalizes an address without a route: removes the origin and decodes letters that needed no escape. */
const plainPath = (url: string): string =>
  url
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
