import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The folder with the files that deploy the product. */
export const deployDir = fileURLToPath(new URL('../../../deploy/', import.meta.url));

/** One service of compose.yaml that runs the product. */
export interface ComposeService {
  readonly name: string;
  /** Arguments of the image's entry point, the `loyalty` command. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly replicas: number;
  /** Whether it belongs to a profile, so that Compose starts it only on request. */
  readonly isOptional: boolean;
}

interface RawService {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly profiles?: readonly string[];
  readonly deploy?: { readonly replicas?: number };
}

/** Reads compose.yaml as Compose does. */
export function readCompose(): { readonly services: Readonly<Record<string, RawService>> } {
  return parse(readFileSync(`${deployDir}compose.yaml`, 'utf8'), { merge: true });
}

/**
 * The services that run the image of the product. The variables are replaced by their values in `given`.
 *
 * @throws Error for a required variable that `given` lacks
 */
export function composeServices(given: Readonly<Record<string, string>>): ComposeService[] {
  const { services } = readCompose();
  return Object.entries(services)
    .filter(([, { image }]) => image?.startsWith('${LOYALTY_IMAGE'))
    .map(([name, { command = [], environment = {}, deploy, profiles }]) => ({
      name,
      command,
      environment: Object.fromEntries(
        Object.entries(environment).map(([variable, value]) => [variable, interpolate(value, given)]),
      ),
      replicas: deploy?.replicas ?? 1,
      isOptional: profiles !== undefined,
    }));
}

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?why it is needed}`. */
function interpolate(text: string, given: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
    const value = given[name];
    if (value) return value;
    if (kind !== '-') throw new Error(`compose.yaml needs ${name}: ${rest}`);
    return rest;
  });
}
