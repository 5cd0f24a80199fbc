import { maskEmail, maskName, maskPhone } from '@loyalty/platform/base/masks';

type Mask = (text: string) => string | null;
type Fields = Readonly<Record<string, unknown>>;
const none = () => null;

/** The fields with personal data, by type. */
const PERSONAL: Readonly<Record<string, Readonly<Record<string, Mask>>>> = {
  Member: { name: maskName, email: maskEmail, phone: maskPhone, birthOn: none },
  Capture: { email: maskEmail },
};

/** The fields with JSON of unknown shape, by type. */
const FREE: Readonly<Record<string, readonly string[]>> = {
  Member: ['customAttributes'],
  AuditEntry: ['before', 'after'],
  CapabilityResult: ['data'],
  ImportColumn: ['examples'],
  ImportPreviewRow: ['values'],
};

/** Names of fields with personal data in such JSON. */
const NAMED: readonly (readonly [RegExp, Mask])[] = [
  [/e-?mail/i, maskEmail],
  [/phone|mobile|whatsapp|telef|telem/i, maskPhone],
  [/address|street|post(al)?[_ -]?code|birth|morada|nascimento/i, none],
];
const NAME = /^(full|first|last|given|family|middle|member|customer|nick|sur)?[_ -]?name$|^nome|apelido/i;
const EMAIL = /[^\s@<>"',;:()]+@[^\s@<>"',;:()]+\.[^\s@<>"',;:().]+/g;
/** A phone number with a country code. The code is required, so that no id or amount matches. */
const PHONE = /\+\d[\d ()-]{6,}\d/g;

/** Masks the personal data of a response. The type of an object determines its personal fields. */
export function masked<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(masked) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = { ...value } as Fields;
  const type = String(fields['__typename']);
  // The name of a tier or a pool in the audit log is not personal.
  const hasNames = type !== 'AuditEntry' || /^Member/.test(String(fields['resourceType']));
  return mapped(fields, (name, held) => {
    const mask = PERSONAL[type]?.[name];
    if (mask && typeof held === 'string') return mask(held);
    if (!FREE[type]?.includes(name)) return masked(held);
    // Examples of a column have the field of the column as their name.
    return maskedJson(held, hasNames, String(fields['field'] ?? fields['header'] ?? ''));
  }) as Value;
}

/** Masks JSON of unknown shape: fields by their names, e-mail addresses and phone numbers by their form. */
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
