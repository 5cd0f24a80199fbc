import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** The folder of everything that deploys the product. */
export const deployDir = fileURLToPath(new URL('../../../deploy/', import.meta.url));

/** One service of compose.yaml that runs the product. */
export interface ComposeService {
  readonly name: string;
  /** Arguments of the image's entry point, the `loyalty` command. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly replicas: number;
  /** It belongs to a profile, which is not started unless it is named. */
  readonly isOptional: boolean;
}

interface RawService {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly profiles?: readonly string[];
  readonly deploy?: { readonly replicas?: number };
}

/** compose.yaml as Compose reads it. */
export function readCompose(): { readonly services: Readonly<Record<string, RawService>> } {
  return parse(readFileSync(`${deployDir}compose.yaml`, 'utf8'), { merge: true });
}

/**
 * The services that run the product's image, with the variables of `given` filled in.
 *
 * @throws Error for a variable that is needed and not given
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

/** `${NAME}`, `${NAME:-default}` and `${NAME:?why it is needed}`. */
function interpolate(text: string, given: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, rest = '') => {
    const value = given[name];
    if (value) return value;
    if (kind !== '-') throw new Error(`compose.yaml needs ${name}: ${rest}`);
    return rest;
  });
}
