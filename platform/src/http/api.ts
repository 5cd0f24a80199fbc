/** The documented REST APIs: what they share are the paths below /api, not how errors and keys look. */
export type Api = 'v1' | 'v2';

/** Which API an address belongs to; what is not the model's is the loyalty platform's. */
export const apiOf = (url: string): Api => (/^\/api\/v1(?![^/?])/.test(url) ? 'v1' : 'v2');

/** The parts of a request that say where it goes. */
interface Routed {
  readonly url: string;
  /** `url` is the path of the route that was found, absent where there is none. */
  readonly routeOptions: { readonly url?: string | undefined };
}

/** The path of the matched route; the address as it was sent where there is none, or one for any address. */
export const routeOf = ({ url, routeOptions: { url: route } }: Routed): string =>
  route === undefined || route.includes('*') ? plainPath(url) : route;

/** Which API a request is for: one route is found under many spellings of its address. */
export const apiOfRequest = (request: Routed): Api => apiOf(routeOf(request));

/** An address that leads to no route, without origin and with letters that needed no escape as themselves. */
const plainPath = (url: string): string =>
  url
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
