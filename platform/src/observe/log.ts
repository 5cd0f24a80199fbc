import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';

/** A structured log: `log.info({ job, workspaceId }, 'sentence')`. Personal data are masked by field name. */
export type Log = Logger;

/**
 * Creates the log of a process: JSON lines on standard output. Fields whose name indicates a secret or
 * personal data (`email`, `name`, `token`, `key`, `newPassword` …) are masked at any depth, also in child
 * loggers. Errors are reduced to type, code, a masked message and the stack. In the sentence, only addresses
 * and credentials are recognized: never build it from data.
 *
 * @param options.level - pino's: trace, debug, info, warn, error, fatal, silent
 * @param options.name - name of the process, written as `service`, because `name` is masked
 * @param options.destination - replaces standard output in tests
 */
export function createLog(options: { level: string; name: string; destination?: DestinationStream }): Log {
  const settings = {
    level: options.level,
    base: { service: options.name, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => maskFields(fields, 0),
    },
    serializers: { err: serializeError, error: serializeError },
    hooks: { logMethod: writeMasked },
  };
  const log = options.destination ? pino(settings, options.destination) : pino(settings);
  const { child } = log;
  // Pino does not pass the fields of a child through its formatters. Children inherit this method.
  log.child = function maskedChild(this: Log, fields: Record<string, unknown>, childOptions) {
    return child.call(this, maskFields(fields, 0), childOptions);
  } as Log['child'];
  return log;
}

// Pino uses the message of an error as the sentence if none is given, and writes sentences unmasked.
function writeMasked(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [first, sentence, ...rest] = args as unknown[];
  if (typeof first === 'string') {
    method.apply(this, [maskText(first), sentence, ...rest] as Parameters<LogFn>);
    return;
  }
  const error = Error.isError(first) ? first : (first as { err?: unknown } | null | undefined)?.err;
  const fields = Error.isError(first) ? { err: first } : first;
  const reason = Error.isError(error) ? safeMessage(error) : undefined;
  const text = typeof sentence === 'string' ? sentence : reason;
  method.apply(this, [fields, text && maskText(text), ...rest] as Parameters<LogFn>);
}

/** An error in its logged form. */
export interface LoggedError {
  type: string;
  message: string;
  code?: string | number;
  /** Only the calls, because the message in front of them would repeat the masked parts. */
  stack: string;
  cause?: LoggedError;
  errors?: LoggedError[];
}

/**
 * Reduces an error to its safe parts. PostgreSQL's `detail`, `query` and `parameters` contain values of rows,
 * and Prisma writes the arguments of a call into the message; both are omitted.
 */
function serializeError(error: unknown): LoggedError {
  return describe(error, 0);
}

const MASK = '[masked]';
const DEPTH_MAX = 8;

// Compared with whole words of a camelCase, kebab-case or snake_case name, so that `tokens` and `keyId` stay
// readable.
const secretWords = new Set([
  ...[
    'authorization',
    'cookie',
    'cookies',
    'password',
    'passwd',
    'secret',
    'token',
    'jwt',
    'credential',
    'credentials',
  ],
  ...['email', 'phone', 'name', 'birthday', 'birthdate', 'address', 'street', 'latitude', 'longitude'],
]);
const secretNames = new Set([
  ...[
    'key',
    'apikey',
    'xapikey',
    'masterkey',
    'masterkeys',
    'privatekey',
    'signingkey',
    'fullname',
    'firstname',
  ],
  ...[
    'lastname',
    'username',
    'plaintext',
    'connectionstring',
    'databaseurl',
    'redisurl',
    'mailurl',
    'sealed',
  ],
]);
// Names that contain such a word but no secret.
const plainNames = new Set([
  ...[
    'operationname',
    'hostname',
    'fieldname',
    'typename',
    'jobname',
    'eventname',
    'tablename',
    'filename',
    'toolname',
  ],
  ...['remoteaddress', 'subgraphname', 'queuename', 'tokenversion', 'emailproviderid', 'addresscount'],
]);
const isSecretByField = new Map<string, boolean>();

function isSecret(field: string): boolean {
  const known = isSecretByField.get(field);
  if (known !== undefined) return known;
  const words = field
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const name = words.join('');
  const secret =
    !plainNames.has(name) && (secretNames.has(name) || words.some((word) => secretWords.has(word)));
  // The cache is limited, because field names may come from requests.
  if (isSecretByField.size < 5_000) isSecretByField.set(field, secret);
  return secret;
}

// Pino and Fastify have their own serializers for these, which receive the whole object.
const serialized = new Set(['req', 'res', 'err', 'error']);

function maskFields(fields: object, depth: number): Record<string, unknown> {
  const masked: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields)) {
    if (depth === 0 && serialized.has(field)) masked[field] = value;
    else if (isSecret(field) && value !== null && value !== undefined) masked[field] = MASK;
    else masked[field] = mask(value, depth + 1);
  }
  return masked;
}

function mask(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (Error.isError(value)) return describe(value, 0);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= DEPTH_MAX) return '[deep]';
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => mask(item, depth + 1));
  if ('toJSON' in value && typeof value.toJSON === 'function') return mask(value.toJSON(), depth + 1);
  return maskFields(value, depth);
}

function describe(error: unknown, depth: number): LoggedError {
  if (!Error.isError(error)) return { type: typeof error, message: maskText(String(error)), stack: '' };
  const { code, cause, errors } = error as Error & { code?: unknown; errors?: unknown };
  const described: LoggedError = {
    type: error.name || error.constructor.name,
    message: maskText(safeMessage(error)),
    stack: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
  };
  if (typeof code === 'string' || typeof code === 'number') described.code = code;
  if (depth >= 4) return described;
  if (cause !== undefined) described.cause = describe(cause, depth + 1);
  if (Array.isArray(errors)) described.errors = errors.slice(0, 5).map((inner) => describe(inner, depth + 1));
  return described;
}

function safeMessage(error: Error): string {
  const { name, message } = error;
  if (name === 'PrismaClientValidationError') return 'The arguments of a Prisma call are not valid.';
  // The last line contains the error; earlier lines quote the call.
  if (name.startsWith('PrismaClient')) return message.trim().split('\n').at(-1) ?? '';
  // PostgreSQL's messages quote values only in class 22 (data exceptions); in other classes they quote names.
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)) return message.replace(/".*"/s, `"${MASK}"`);
  return message;
}

function maskText(text: string): string {
  return text
    .slice(0, 2_000)
    .replace(/[^\s@"'<>():,;]+@[^\s@"'<>():,;]+\.[^\s@"'<>():,;]+/g, MASK)
    .replace(/\blk_(live|test)_\w+/g, MASK)
    .replace(/\b(postgres(?:ql)?|rediss?|smtps?|https?):\/\/[^\s/@]*@/g, `$1://${MASK}@`);
}
