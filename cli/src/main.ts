import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { ConfigError } from '@loyalty/platform/config/config';
import { EmbeddedPostgresError } from '@loyalty/prisma/embedded/postgres-error';
import { MigrationError } from '@loyalty/prisma/migrate/migrate';
import { Command } from 'commander';
import { DemoError } from './seed/ask.ts';

const say = (line: string): void => console.log(line);

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

const program = new Command('loyalty')
  .version(version, '--version', 'print the version')
  .description(
    'Loyalty Platform: members, points, tiers, coupons and a model service behind one GraphQL federation',
  )
  .showHelpAfterError('(add --help to see what is possible)')
  .configureHelp({ showGlobalOptions: true });

program
  .command('start')
  .description(
    'serve everything from one process on one port, with an embedded PostgreSQL unless DATABASE_URL is set',
  )
  .option('-p, --port <port>', 'port to listen on (PORT, default 4000)')
  .option('--no-demo', 'leave an empty database empty (LOYALTY_DEMO=0)')
  .action(async ({ port, demo }) => {
    const env = { ...withPort(port), ...(!demo && { LOYALTY_DEMO: '0' }) };
    // A wrong setting ends the process at once, before anything else is loaded.
    const config = (await import('./environment.ts')).readConfig(env);
    await (await import('./serve/start.ts')).start(config, say);
  });

const SUBGRAPH_URLS = 'WORKSPACE_URL, LOYALTY_URL, COMMERCE_URL, ENGAGEMENT_URL, MODEL_URL';
const serve = program
  .command('serve')
  .description('serve one part as a process of its own (DATABASE_URL, optionally REDIS_URL)');
serve
  .command('gateway')
  .description(`GraphQL and REST over the subgraphs at ${SUBGRAPH_URLS}`)
  .option('-p, --port <port>', 'port to listen on (PORT, default 4000)')
  .option('--open', "serve anybody's supergraph: no credentials, no limits, GraphQL only")
  .option('--supergraph <file>', 'with --open: a composed supergraph')
  .option(
    '--subgraph <name=url...>',
    'with --supergraph: where a subgraph is, if not where the file says',
    [],
  )
  .option('--introspect <name=url...>', 'with --open: compose from running subgraphs and follow them', [])
  .option('--poll-ms <ms>', 'with --introspect: how often to look for changes', Number, 5_000)
  .action(async ({ port, open, ...options }) =>
    open
      ? (await import('./serve/serve-open.ts')).serveOpenGateway(withPort(port), options, say)
      : (await import('./serve/serve.ts')).serveGateway(withPort(port), say),
  );
serve
  .command('subgraph <name>')
  .description('workspace, loyalty, commerce, engagement or model')
  .option('-p, --port <port>', 'port to listen on (PORT, default: that of <NAME>_URL)')
  .action(async (name, { port }) =>
    (await import('./serve/serve.ts')).serveSubgraph(withPort(port), name, say),
  );
serve
  .command('rest-adapter')
  .description('REST only, in front of the gateway at GATEWAY_URL')
  .option('-p, --port <port>', 'port to listen on (PORT, default 4000)')
  .action(async ({ port }) => (await import('./serve/serve-rest.ts')).serveRestAdapter(withPort(port), say));
serve
  .command('worker')
  .description('relay events, run jobs and keep the schedule')
  .option('-p, --port <port>', 'port for health and metrics (PORT, default 4006)')
  .action(async ({ port }) => (await import('./serve/serve.ts')).serveWorker(withPort(port), say));
serve
  .command('scorer')
  .description('the standard model, for processes whose MODEL_URL_SCORE names it; needs no database')
  .option('-p, --port <port>', 'port to listen on (PORT, default 4007)')
  .action(async ({ port }) => (await import('./serve/serve-scorer.ts')).serveScorer(withPort(port), say));

program
  .command('migrate')
  .description('bring the database of DATABASE_URL (or the embedded one) to the newest schema')
  .action(async () => {
    const { openEnvironment, readConfig } = await import('./environment.ts');
    const environment = await openEnvironment(readConfig(process.env), say);
    say('The database is up to date.');
    await environment.close();
  });

program
  .command('distribution')
  .description('print the statements that distribute the database of DATABASE_URL by workspace, with Citus')
  .action(async () => (await import('./commands/distribution.ts')).distribution(process.env, say));

program
  .command('seed')
  .description('add the demo workspace to an empty database')
  .action(async () => (await import('./seed/seed-command.ts')).seed(process.env, say));

const keys = program.command('keys').description('master keys, which wrap every other secret');
keys
  .command('new')
  .description('print a new entry for LOYALTY_MASTER_KEYS')
  .option('--id <id>', 'name of the key', `k${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`)
  .action(({ id }) => say(`${id}:${randomBytes(32).toString('base64')}`));
keys
  .command('rewrap')
  .description(
    'wrap every stored key with the first of LOYALTY_MASTER_KEYS; afterwards the others may be dropped',
  )
  .action(async () => (await import('./commands/rewrap.ts')).rewrap(process.env, say));

const wallet = program.command('wallet').description("a workspace's credits, as the operator sets them");
wallet
  .command('contract <workspaceId>')
  .description('set what the paid contract says of scores that come with a decision')
  .requiredOption('--decision-scores <how>', "included: in the decision's price; separate: charged beside it")
  .action(async (workspaceId, { decisionScores }) =>
    (await import('./commands/wallet-contract.ts')).setContract(
      process.env,
      workspaceId,
      decisionScores,
      say,
    ),
  );
wallet
  .command('quote <workspaceId>')
  .description('offer a brand service, which its owner accepts or declines')
  .requiredOption('--title <title>', 'what the ledger will say was bought')
  .requiredOption('--credits <credits>', 'what accepting it debits; 10,000 credits are 1 USD', Number)
  .option('--days <days>', 'how long it may be accepted', Number, 30)
  .action(async (workspaceId, { title, credits, days }) => {
    const { offerQuote } = await import('./commands/wallet-quote.ts');
    await offerQuote(process.env, workspaceId, { title, credits, days }, say);
  });

program
  .command('webhooks')
  .description('webhooks of a workspace, for developers of integrations')
  .command('listen')
  .description(
    'post the events of a workspace, from now on, to a local address, signed as deliveries are; an API key' +
      ' with webhooks:manage decides whose events, and a test key gets those of test mode',
  )
  .requiredOption('--forward <url>', 'where to post to, such as http://127.0.0.1:3000/hooks')
  .option('--events <keys>', 'keys of the catalog, separated by commas. Default: all')
  .option('--url <url>', 'address of the platform', 'http://127.0.0.1:4000')
  .option('--key <key>', 'API key (LOYALTY_API_KEY, which other users of the machine do not see)')
  .option('--secret <secret>', 'signing secret to use again (LOYALTY_WEBHOOK_SECRET). Default: a new one')
  .action(async (options) =>
    (await import('./commands/webhooks-listen.ts')).listenToWebhooks(process.env, options, say),
  );

const withPort = (port?: string): NodeJS.ProcessEnv => ({ ...process.env, ...(port && { PORT: port }) });

/**
 * Returns whether a user can correct the error. Only the message of such an error is printed; other errors
 * are printed with their stack.
 */
const isForUsers = (error: unknown): error is Error =>
  [ConfigError, MigrationError, EmbeddedPostgresError, DemoError].some((kind) => error instanceof kind);

try {
  await program.parseAsync();
} catch (error) {
  console.error(isForUsers(error) ? error.message : error);
  process.exit(1);
}
