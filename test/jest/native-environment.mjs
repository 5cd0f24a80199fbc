import { leftBehind, seen } from './left-behind.mjs';

const HANDLERS = Symbol.for('EVENT_HANDLERS');

/** The process itself, for test files that share its modules. What a file leaves behind fails it by name. */
export default class NativeEnvironment {
  isNative = true;
  global = globalThis;
  moduleMocker = null;
  fakeTimers = null;
  fakeTimersModern = null;
  #exit = process.exit;
  #console = globalThis.console;
  #before;

  set globals(given) {
    globalThis.jestGlobals = given;
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  async setup() {
    delete globalThis[HANDLERS];
    this.#before = seen();
  }

  async handleTestEvent({ name }, state) {
    if (name !== 'run_finish') return;
    const left = await leftBehind(this.#before);
    if (left.length > 0) {
      state.unhandledErrors.push(new Error(`The tests of this file left behind: ${left.join(', ')}.`));
    }
  }

  async teardown() {
    process.exit = this.#exit;
    globalThis.console = this.#console;
    delete globalThis.jestGlobals;
    for (const key of Object.getOwnPropertySymbols(globalThis)) {
      if (key.description === 'JEST_STATE_SYMBOL') delete globalThis[key];
    }
  }
}
