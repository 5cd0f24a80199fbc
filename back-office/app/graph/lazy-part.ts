import { type ComponentType, lazy } from 'react';
import { loadPart } from './connection.ts';

/** A component in a file of its own, which is asked for again where it could not be loaded. */
// biome-ignore lint/suspicious/noExplicitAny: as React's own, for components of any properties
export const lazyPart = <Component extends ComponentType<any>>(load: () => Promise<{ default: Component }>) =>
  lazy(() => loadPart(load));
