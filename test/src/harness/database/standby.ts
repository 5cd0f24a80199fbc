import { spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@loyalty/prisma/embedded/embedded-postgres';
import { temporaryDataDir } from '@loyalty/prisma/embedded/postgres-data-dir';
import { applyMigrations } from '@loyalty/prisma/migrate/migrate';
import pg from 'pg';
import { eventually } from '../eventually.ts';

/** A migrated database and a streaming replica of it, each on a server of its own. */
export interface ReplicatedDatabase {
  readonly url: string;
  readonly replicaUrl: string;
  /** Pauses the replay: the replica receives changes but does not show them. */
  pause(): Promise<void>;
  /** Resumes the replay, and waits until the replica shows everything that is committed by now. */
  resume(): Promise<void>;
  /** Kills the processes of the replica, as a crash would. */
  killReplica(): void;
  restartReplica(): Promise<void>;
  close(): Promise<void>;
}

/** Copies the directory of a stopped server, which is the simplest base backup, and starts both servers. */
export async function createReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const primaryDir = temporaryDataDir('loyalty-primary-');
  const replicaDir = temporaryDataDir('loyalty-standby-');
  const first = await startEmbeddedPostgres({ dataDir: primaryDir });
  await applyMigrations(first.url);
  await first.stop();
  copy(primaryDir, replicaDir, first);
  const primary = await startEmbeddedPostgres({ dataDir: primaryDir, port: first.port });
  let replica = await startEmbeddedPostgres({ dataDir: replicaDir });
  const { port, url: replicaUrl } = replica;
  const waitFor = (condition: string) =>
    eventually(async () => {
      if (!(await evaluate(replicaUrl, condition))) throw new Error(`not yet: ${condition}`);
    });
  await waitFor(`(SELECT count(*) FROM pg_stat_wal_receiver WHERE status = 'streaming') = 1`);
  return {
    url: primary.url,
    replicaUrl,
    async pause() {
      await evaluate(replicaUrl, 'pg_wal_replay_pause()');
      await waitFor(`pg_get_wal_replay_pause_state() = 'paused'`);
    },
    async resume() {
      await evaluate(replicaUrl, 'pg_wal_replay_resume()');
      const written = await evaluate(primary.url, 'pg_current_wal_flush_lsn()');
      await waitFor(`pg_last_wal_replay_lsn() >= '${written}'`);
    },
    killReplica: () => process.kill(postmaster(replicaDir), 'SIGQUIT'),
    async restartReplica() {
      await replica.stop();
      replica = await startEmbeddedPostgres({ dataDir: replicaDir, port });
    },
    async close() {
      await replica.stop();
      await primary.stop();
      for (const dir of [primaryDir, replicaDir])
        rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function copy(from: string, to: string, { url, port }: EmbeddedPostgres): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to]);
  if (status !== 0) throw new Error(`cp: ${stderr}`);
  const cluster = join(to, 'cluster');
  const { username, password } = new URL(url);
  const primary = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  appendFileSync(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
  const signal = join(cluster, 'standby.signal');
  writeFileSync(signal, '');
  const { uid, gid } = statSync(cluster);
  chownSync(signal, uid, gid);
}

const postmaster = (dir: string): number =>
  Number.parseInt(readFileSync(join(dir, 'cluster', 'postmaster.pid'), 'utf8'), 10);

async function evaluate(url: string, expression: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(`SELECT ${expression} AS value`)).rows[0].value;
  } finally {
    await client.end();
  }
}
