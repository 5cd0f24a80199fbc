/** The documented REST APIs: what they share are the paths below /api, not how errors and keys look. */
export type Api = 'v1' | 'v2';

/** Which API an address belongs to; what is not the model's is the loyalty platform's. */
export const apiOf = (url: string): Api => (/^\/api\/v1(?![^/?])/.test(url) ? 'v1' : 'v2');
