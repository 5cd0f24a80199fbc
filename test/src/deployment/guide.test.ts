import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadConfig } from '@loyalty/platform/config/config';
import { parse } from 'yaml';
import { compileCache } from '../processes/compile-cache.ts';
import { composeServices, deployDir, readCompose } from './compose-file.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const main = join(repository, 'cli/src/main.ts');
const guide = readFileSync(`${deployDir}README.md`, 'utf8');
const blocks = [...guide.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code]) => code!);
/** Every line of every block. A command over several lines counts as one line. */
const lines = blocks.flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loyalty-guide-'));
  mkdirSync(join(folder, 'deploy'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/docker'), DOCKER);
  chmodSync(join(folder, 'bin/docker'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * A substitute for Docker without containers: it knows the images that were built, and runs the product's
 * command.
 */
const DOCKER = `#!/usr/bin/env bash
set -eu
echo "$*" >> calls
case "$1" in
  build) [[ " $* " =~ ' --tag '([^ ]+) ]] && echo "\${BASH_REMATCH[1]}" >> images ;;
  run) grep -qx "$3" images || { echo "Unable to find image '$3' locally" >&2; exit 125; }
       exec "${process.execPath}" "${main}" "\${@:4}" ;;
esac
`;

/** Runs a block of the guide, as a reader does who pastes it into a shell. */
const paste = (block: string) =>
  promisify(execFile)('bash', ['--norc', '-c', block], {
    cwd: folder,
    env: {
      ...compileCache,
      NODE_ENV: 'production',
      PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
    },
  });

test('the steps for one machine, as they are written, make settings that every process accepts, once', async () => {
  const block = blocks.find((code) => code.includes('> deploy/.env'))!;
  const { stderr } = await paste(block);
  expect(stderr).toBe('');
  const text = readFileSync(join(folder, 'deploy/.env'), 'utf8');
  const services = composeServices(parseEnv(text) as Record<string, string>);
  expect(services).not.toHaveLength(0);
  for (const { environment } of services) expect(loadConfig(environment, '/nowhere').isProduction).toBe(true);
  expect(readFileSync(join(folder, 'calls'), 'utf8')).toMatch(/^build .*\nrun .*\ncompose .* up --detach\n$/);

  await paste(block);
  expect(readFileSync(join(folder, 'deploy/.env'), 'utf8')).toBe(text);
});

test('every block is valid for the shell', async () => {
  expect(blocks.length).toBeGreaterThan(3);
  for (const block of blocks) await promisify(execFile)('bash', ['--norc', '-n', '-c', block]);
});

test('an image is built before it is run, under the name by which Compose and the chart find it', () => {
  for (const block of blocks.filter((code) => /docker run/.test(code))) {
    const [, image] = /docker run --rm (\S+)/.exec(block)!;
    const built = block.indexOf(`--tag ${image} `);
    expect({ image, isBuiltBefore: built >= 0 && built < block.indexOf('docker run') }).toEqual({
      image,
      isBuiltBefore: true,
    });
  }
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    version: string;
  };
  const { appVersion } = parse(readFileSync(`${deployDir}helm/loyalty/Chart.yaml`, 'utf8'));
  expect(String(appVersion)).toBe(version);
  expect(guide).toContain(`docker push registry.example.com/loyalty-platform:${appVersion}`);
});

test('services, files and values that a command names are there', () => {
  const { services } = readCompose();
  const compose = lines.filter((line) => line.includes('docker compose'));
  expect(compose.length).toBeGreaterThan(5);
  const named = lines.flatMap((line) => [
    ...[...line.matchAll(/compose\.yaml (?:build|run --rm|exec -T) (\S+)/g)].map(([, name]) => name!),
    ...[...line.matchAll(/\b(\w+)=(\d)\b/g)].map(([, name]) => name!),
  ]);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !services[name])).toEqual([]);
  const profiles = Object.values(services).flatMap((service) => service.profiles ?? []);
  const wanted = [...guide.matchAll(/--profile (\w+)/g)].map(([, name]) => name!);
  expect(wanted.filter((name) => !profiles.includes(name))).toEqual([]);
  const files = [...guide.matchAll(/\bdeploy\/[\w./-]*\w/g)].map(([path]) => path);
  expect(files.filter((path) => path !== 'deploy/.env' && !existsSync(join(repository, path)))).toEqual([]);
  const values = parse(readFileSync(`${deployDir}helm/loyalty/values.yaml`, 'utf8'));
  const keys = [...guide.matchAll(/--set ([\w.]+)=/g)].map(([, key]) => key!);
  const valueAt = (key: string) => key.split('.').reduce((at, part) => at?.[part], values);
  expect(keys.filter((key) => valueAt(key) === undefined)).toEqual([]);
});

test('while a role is replaced, twice as many replicas run as before', () => {
  const doubled = [...guide.matchAll(/\b(\w+)=(\d)(?=[ ;])/g)].map(([, name, count]) => [
    name,
    Number(count),
  ]);
  const replicas = composeServices(GIVEN)
    .filter(({ name, isOptional }) => name !== 'migrate' && !isOptional)
    .map((service) => [service.name, 2 * service.replicas]);
  expect(Object.fromEntries(doubled)).toEqual(Object.fromEntries(replicas));
});

const GIVEN = {
  POSTGRES_PASSWORD: 'x',
  LOYALTY_MASTER_KEYS: 'x',
  PUBLIC_URL: 'x',
  MAIL_URL: 'x',
  METRICS_TOKEN: 'x',
};

test('commands and scripts of the product that the guide names exist', async () => {
  const scripts = (
    JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
      scripts: Readonly<Record<string, string>>;
    }
  ).scripts;
  const named = [...guide.matchAll(/`(?:npm run )?((?:test|bench):[\w-]+)`/g)].map(([, name]) => name!);
  expect(named.filter((name) => !scripts[name])).toEqual([]);
  const commands = [
    ...guide.matchAll(/(?:`loyalty|loyalty-platform(?::[\d.]+)?|--rm migrate) ((?:[a-z]+ ?)+)[`)"\n]/g),
  ].map(([, command]) => command!.trim());
  expect(commands).toEqual(expect.arrayContaining(['keys new', 'keys rewrap', 'migrate', 'distribution']));
  for (const command of new Set(commands)) {
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...command.split(' '), '--help'], {
      env: { ...compileCache },
    });
    expect(stdout).toContain(`Usage: loyalty ${command} `);
  }
});
