import { maskEmail, maskName, maskPhone } from '@loyalty/platform/base/masks';

type Mask = (text: string) => string | null;
type Fields = Readonly<Record<string, unknown>>;
const none = () => null;

/** The fields with personal data of each type. */
const PERSONAL: Readonly<Record<string, Readonly<Record<string, Mask>>>> = {
  Member: { name: maskName, email: maskEmail, phone: maskPhone, birthOn: none },
  Capture: { email: maskEmail },
};

/** The fields with JSON that nobody declares. */
const FREE: Readonly<Record<string, readonly string[]>> = {
  Member: ['customAttributes'],
  AuditEntry: ['before', 'after'],
  CapabilityResult: ['data'],
  ImportColumn: ['examples'],
  ImportPreviewRow: ['values'],
};

/** What such JSON calls the fields of a person. */
const NAMED: readonly (readonly [RegExp, Mask])[] = [
  [/e-?mail/i, maskEmail],
  [/phone|mobile|whatsapp|telef|telem/i, maskPhone],
  [/address|street|post(al)?[_ -]?code|birth|morada|nascimento/i, none],
];
const NAME = /^(full|first|last|given|family|middle|member|customer|nick|sur)?[_ -]?name$|^nome|apelido/i;
const EMAIL = /[^\s@<>"',;:()]+@[^\s@<>"',;:()]+\.[^\s@<>"',;:().]+/g;
/** With its country, so that neither an id nor an amount is taken for one. */
const PHONE = /\+\d[\d ()-]{6,}\d/g;

/** An answer without personal data; objects are known by their types. */
export function masked<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(masked) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = { ...value } as Fields;
  const type = String(fields['__typename']);
  // A tier or a pool that was changed keeps its name.
  const hasNames = type !== 'AuditEntry' || /^Member/.test(String(fields['resourceType']));
  return mapped(fields, (name, held) => {
    const mask = PERSONAL[type]?.[name];
    if (mask && typeof held === 'string') return mask(held);
    if (!FREE[type]?.includes(name)) return masked(held);
    // Examples of a column are what the column is.
    return maskedJson(held, hasNames, String(fields['field'] ?? fields['header'] ?? ''));
  }) as Value;
}

/** JSON in which personal data are known by the names of fields, and by how addresses and phones look. */
function maskedJson(value: unknown, hasNames: boolean, name: string): unknown {
  if (Array.isArray(value)) return value.map((each) => maskedJson(each, hasNames, name));
  if (typeof value === 'object' && value !== null)
    return mapped({ ...value }, (key, held) => maskedJson(held, hasNames, key));
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  if (hasNames && NAME.test(name)) return maskName(String(value));
  const mask = NAMED.find(([pattern]) => pattern.test(name))?.[1];
  if (mask) return mask(String(value));
  return typeof value === 'string' ? value.replaceAll(EMAIL, maskEmail).replaceAll(PHONE, maskPhone) : value;
}

const mapped = (fields: Fields, map: (name: string, held: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, held]) => [name, map(name, held)]));
