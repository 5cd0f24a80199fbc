import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import NodeRuntime from 'jest-runtime';
import './mutant.mjs';

/** What `@jest/globals` and graphql's `instanceOf` are to test files that run natively. */
const globals = new URL('./globals.mjs', import.meta.url).href;
const instanceOf = new URL('./instance-of.cjs', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
    if (specifier.endsWith('/jsutils/instanceOf.js')) return { url: instanceOf, shortCircuit: true };
    return next(specifier, context);
  },
});

let filesSoFar = 0;

/**
 * Runs a test file with Node's own modules: what it imports is loaded once for all files of the process, only
 * the file itself and the setup files are evaluated each time.
 */
class NativeRuntime {
  #place = ++filesSoFar;
  #require = createRequire(import.meta.url);
  #environment;

  constructor(environment) {
    this.#environment = environment;
  }

  /** Jest's own state of a run is a module of its own for each file. */
  requireInternalModule(path) {
    delete this.#require.cache[path];
    return this.#require(path);
  }

  requireModule(path) {
    return this.#require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(`${pathToFileURL(path).href}?run=${this.#place}`);
  }

  setGlobalsForRuntime(given) {
    this.#environment.globals = given;
  }

  enterTestCode() {}
  leaveTestCode() {}
  getSourceMaps() {
    return null;
  }
  getAllCoverageInfoCopy() {
    return undefined;
  }
  teardown() {}
}

/**
 * Jest calls it with `new`. A file whose docblock says `@jest-environment node` keeps Jest's modules, which
 * are loaded for it alone.
 */
function Runtime(config, environment, ...rest) {
  return environment.isNative
    ? new NativeRuntime(environment)
    : new NodeRuntime(config, environment, ...rest);
}

export { Runtime as 'module.exports' };
