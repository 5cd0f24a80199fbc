import { type ComponentType, lazy } from 'react';
import { loadPart } from './connection.ts';

/** A component in a chunk of its own. The chunk is requested again if it could not be loaded. */
// biome-ignore lint/suspicious/noExplicitAny: as React's own, for components of any properties
export const lazyPart = <Component extends ComponentType<any>>(load: () => Promise<{ default: Component }>) =>
  lazy(() => loadPart(load));
