import { type FieldSet, normalized } from './import-fields.ts';

/** Other common names of fields, in the languages of the back office and in Spanish. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  email: ['correo', 'correo electronico', 'endereco de email', 'email do cliente', 'mail address'],
  member_email: ['correo', 'endereco de email', 'email do cliente', 'member mail'],
  full_name: ['nome', 'nome completo', 'nombre', 'customer', 'customer name', 'member name', 'cliente'],
  phone: ['telefone', 'telefono', 'celular', 'telemovel', 'tel', 'cell', 'cell phone', 'whatsapp'],
  birth_date: ['data de nascimento', 'nascimento', 'aniversario', 'fecha de nacimiento', 'dob', 'born'],
  external_id: ['id', 'codigo', 'code', 'customer number', 'member number', 'numero do cliente', 'ref'],
  member_external_id: ['cliente', 'customer', 'customer number', 'codigo do cliente', 'member number'],
  member_id: ['member', 'membro'],
  store_id: ['loja', 'id da loja', 'tienda', 'shop', 'branch'],
  program_id: ['programa'],
  locale: ['idioma', 'lingua', 'lang'],
  time_zone: ['fuso horario', 'zona horaria'],
  external_order_id: [
    'pedido',
    'numero do pedido',
    'id do pedido',
    'order',
    'order no',
    'invoice',
    'receipt',
  ],
  occurred_at: ['data', 'data do pedido', 'fecha', 'created at', 'purchased at', 'purchase date', 'paid at'],
  currency: ['moeda', 'moneda'],
  total: ['valor', 'valor total', 'total do pedido', 'order total', 'total amount', 'importe', 'price'],
  discount: ['desconto', 'descuento'],
  tax: ['imposto', 'impuesto', 'vat', 'iva'],
  shipping: ['frete', 'envio', 'delivery'],
  status: ['situacao', 'estado', 'state'],
  items: ['itens', 'produtos', 'products'],
  name: ['nome', 'nome do produto', 'nombre', 'product', 'produto'],
  description: ['descricao', 'descripcion', 'details'],
  price: ['preco', 'precio', 'valor', 'unit price'],
  category: ['categoria', 'department'],
  brand: ['marca', 'manufacturer'],
  image_url: ['imagem', 'foto', 'picture', 'photo', 'image link'],
};

/** Removes accents: Endereço and endereco are the same word. */
const plain = (name: string): string => normalized(name.normalize('NFD').replace(/\p{M}/gu, ''));

/** Minimum length of a name that is searched within others; shorter ones would match too often. */
const PART_LENGTH_MIN = 4;

/**
 * Suggests a field for each of these headers; null if none matches. No field is suggested twice, or if a
 * column already fills it.
 *
 * @param filled - fields that already have a column
 */
export function suggestFields(
  set: FieldSet,
  headers: readonly string[],
  filled: readonly string[],
): (string | null)[] {
  const names = set.fields
    .filter(({ name }) => !filled.includes(name))
    .flatMap(({ name, aliases }) =>
      [name, ...aliases, ...(synonyms[name] ?? [])].map((each) => ({ field: name, name: plain(each) })),
    )
    .toSorted((a, b) => b.name.length - a.name.length);
  const taken = new Set<string>();
  const suggested = new Map<string, string>();
  const take = (fits: (header: string, name: string) => boolean): void => {
    for (const header of headers) {
      if (suggested.has(header)) continue;
      const found = names.find(({ field, name }) => !taken.has(field) && fits(plain(header), name));
      if (!found) continue;
      taken.add(found.field);
      suggested.set(header, found.field);
    }
  };
  take((header, name) => header === name);
  take((header, name) => name.length >= PART_LENGTH_MIN && header.includes(name));
  return headers.map((header) => suggested.get(header) ?? null);
}
