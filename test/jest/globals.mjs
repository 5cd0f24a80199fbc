/**
 * `@jest/globals` for files that run natively. Modules that are loaded once call these for every test file,
 * so each leads to the function of the file that runs now.
 */
const forward = (name) =>
  new Proxy(() => {}, {
    apply: (_target, _self, args) => globalThis.jestGlobals[name](...args),
    get: (_target, key) => globalThis.jestGlobals[name][key],
  });

export const afterAll = forward('afterAll');
export const afterEach = forward('afterEach');
export const beforeAll = forward('beforeAll');
export const beforeEach = forward('beforeEach');
export const describe = forward('describe');
export const expect = forward('expect');
export const it = forward('it');
export const test = forward('test');
