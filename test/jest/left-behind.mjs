// All of it: whoever asks for this module first opens the standard streams.
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What is closed may take a moment until it is gone. */
const GONE_WITHIN_MS = 3_000;

/** Resources that are steps of the event loop. */
const STEPS = new Set(['Immediate', 'TickObject', 'CloseReq', 'FSReqPromise', 'FSReqCallback']);

/** Events to which Jest listens while a file runs, and modules from when they are loaded on. */
const HEARD = new Set(['unhandledRejection', 'rejectionHandled', 'uncaughtException', 'exit']);

/** What Node gives a process; `console` is Jest's while a file runs. */
const GLOBALS = Object.getOwnPropertyNames(globalThis).filter((name) => name !== 'console');

/** What the process has: variables, globals, listeners, its folder, and what keeps it alive. */
export function seen() {
  return {
    environment: { ...process.env },
    globals: valuesOfGlobals(),
    listeners: new Map(process.eventNames().map((name) => [name, process.listenerCount(name)])),
    folder: process.cwd(),
    resources: resources(),
  };
}

/** What has come since then and is still there, and puts globals, variables and the folder back. */
export async function leftBehind(before) {
  const left = [...changedGlobals(before), ...changedVariables(before), ...addedListeners(before)];
  if (process.cwd() !== before.folder) {
    process.chdir(before.folder);
    left.push('another working directory');
  }
  return [...left, ...(await addedResources(before))];
}

/** Node fills in some of them when they are first asked for. */
function valuesOfGlobals() {
  const held = (name) => Object.getOwnPropertyDescriptor(globalThis, name)?.value;
  return new Map(GLOBALS.map((name) => [name, held(name)]));
}

function* changedGlobals({ globals }) {
  for (const [name, value] of valuesOfGlobals()) {
    const had = globals.get(name);
    if (had === undefined || Object.is(had, value)) continue;
    globalThis[name] = had;
    yield `another ${name}`;
  }
}

function* changedVariables({ environment }) {
  for (const name of new Set([...Object.keys(environment), ...Object.keys(process.env)])) {
    if (process.env[name] === environment[name]) continue;
    if (environment[name] === undefined) delete process.env[name];
    else process.env[name] = environment[name];
    yield `another value of the variable ${name}`;
  }
}

function* addedListeners({ listeners }) {
  for (const name of process.eventNames()) {
    const added = process.listenerCount(name) - (listeners.get(name) ?? 0);
    if (added > 0 && !HEARD.has(name)) yield `${added} listeners of the process for ${String(name)}`;
  }
}

async function addedResources({ resources: had }) {
  // In one process with Jest itself (`--runInBand`) its own timers come and go.
  if (!process.send) return [];
  const added = () => [...resources()].filter(([name, count]) => count > (had.get(name) ?? 0));
  const isGone = async (withinMs) => {
    for (const end = performance.now() + withinMs; added().length > 0; await delay(10)) {
      if (performance.now() > end) return false;
    }
    return true;
  };
  if (await isGone(GONE_WITHIN_MS / 3)) return [];
  // The socket of an answer that nobody has read is closed with the answer.
  collectGarbage();
  if (await isGone(GONE_WITHIN_MS)) return [];
  return added().map(([name, count]) => `${count - (had.get(name) ?? 0)} ${name}`);
}

function collectGarbage() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

function resources() {
  const counts = new Map();
  for (const name of process.getActiveResourcesInfo()) {
    if (!STEPS.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
