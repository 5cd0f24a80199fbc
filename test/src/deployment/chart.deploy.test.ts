import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { deployDir } from './compose-file.ts';

const run = promisify(execFile);
const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'loyalty-chart-'));
const renderer = join(directory, 'render-chart');

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  // biome-ignore lint/suspicious/noExplicitAny: the compiler checks it below
  readonly spec: any;
}

beforeAll(async () => {
  const source = fileURLToPath(new URL('render-chart.go', import.meta.url));
  const environment = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(directory, 'cache') };
  await run('go', ['build', '-o', renderer, source], { env: { ...process.env, ...environment } });
}, 300_000);
afterAll(() => rmSync(directory, { recursive: true }));

async function render(values: object): Promise<Manifest[]> {
  const { stdout } = await run(renderer, [`${deployDir}helm/loyalty`, JSON.stringify(values)]);
  const documents = parseAllDocuments(stdout);
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  return documents.map((document) => document.toJS() as Manifest | null).filter((each) => each !== null);
}

const secrets = Object.fromEntries(
  ['DATABASE_URL', 'REDIS_URL', 'LOYALTY_MASTER_KEYS', 'MAIL_URL', 'METRICS_TOKEN'].map((name) => [
    name,
    'x',
  ]),
);
const everything = {
  secrets,
  imagePullSecrets: [{ name: 'registry' }],
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'spot', operator: 'Exists' }],
  autoscaling: { enabled: false },
  ingress: { enabled: true, className: 'nginx', annotations: { a: 'b' }, tlsSecret: 'certificate' },
  networkPolicy: { metricsFrom: [{ namespaceSelector: {} }] },
  serviceMonitor: { enabled: true },
  roles: { scorer: { enabled: true } },
};

/** The module of kubernetes-types that has the type of a manifest. */
const moduleOf = ({ apiVersion }: Manifest): string =>
  apiVersion.includes('/') ? apiVersion.replace('.k8s.io', '') : `core/${apiVersion}`;

describe.each([
  ['a Secret that exists', { existingSecret: 'own' }],
  ['everything that is optional', everything],
])('the chart with %s', (_, values) => {
  test('makes manifests of the types of Kubernetes', async () => {
    const manifests = (await render(values)).filter(({ kind }) => kind !== 'ServiceMonitor');
    const lines = manifests.map((manifest, index) => {
      const type = `import('kubernetes-types/${moduleOf(manifest)}').${manifest.kind}`;
      return `export const m${index}: ${type} = ${JSON.stringify(manifest)};`;
    });
    writeFileSync(join(directory, 'manifests.ts'), lines.join('\n'));
    const compilerOptions = {
      strict: true,
      noEmit: true,
      types: [],
      module: 'nodenext',
      paths: { 'kubernetes-types/*': [`${modules}kubernetes-types/*.d.ts`] },
    };
    writeFileSync(
      join(directory, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['manifests.ts'] }),
    );
    const compiled = await run(`${modules}.bin/tsc`, ['--project', directory]).catch((error) => error);
    expect(compiled.stdout).toBe('');
    expect(manifests.length).toBeGreaterThan(30);
  });

  test('stops pods no earlier than they stop by themselves, and starts them with probes', async () => {
    const deployments = (await render(values)).filter(({ kind }) => kind === 'Deployment');
    expect(deployments).toHaveLength('roles' in values ? 9 : 8);
    for (const { spec } of deployments) {
      const { containers, terminationGracePeriodSeconds } = spec.template.spec;
      const [{ env, startupProbe, livenessProbe, readinessProbe }] = containers;
      const delayMs = env.find(({ name }: { name: string }) => name === 'SHUTDOWN_DELAY_MS').value;
      expect(terminationGracePeriodSeconds).toBeGreaterThan(Number(delayMs) / 1_000 + 20);
      const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path);
      expect(paths).toEqual(['/healthz', '/healthz', '/readyz']);
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    }
  });
});

test('the migration runs before anything else, with secrets that are there by then', async () => {
  const hooks = (await render(everything)).filter(({ metadata }) => metadata.annotations?.['helm.sh/hook']);
  const weights = hooks.map(({ kind, metadata }) => [kind, metadata.annotations!['helm.sh/hook-weight']]);
  expect(Object.fromEntries(weights)).toEqual({ Secret: '-10', Job: '0' });
  const [container] = hooks.find(({ kind }) => kind === 'Job')!.spec.template.spec.containers;
  expect(container.args).toEqual(['migrate']);
  expect(container.envFrom).toEqual([
    { secretRef: { name: hooks.find(({ kind }) => kind === 'Secret')!.metadata.name } },
  ]);
});

test('the chart refuses to render without a secret that is needed, and names it', async () => {
  const refused = await render({ secrets: { ...secrets, MAIL_URL: '' } }).catch((error) => error);
  expect(refused.stderr).toContain('Set secrets.MAIL_URL, or existingSecret.');
});
