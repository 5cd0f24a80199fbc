import { expect, test } from '@jest/globals';
import { field, fieldSet, required } from './import-fields.ts';
import { suggestFields } from './import-suggestions.ts';

const set = fieldSet([
  required('email', 'mail'),
  field('full_name', 'name'),
  field('phone'),
  field('birth_date', 'birthday'),
  field('external_id'),
]);

test.each([
  ['E-mail do cliente', 'email'],
  ['Customer E-Mail Address', 'email'],
  ['NOME COMPLETO', 'full_name'],
  ['Téléphone / Phone', 'phone'],
  ['Telefónο', null],
  ['Data de Nascimento', 'birth_date'],
  ['Código', 'external_id'],
  ['Shoe size', null],
  ['', null],
])('a column called %s is suggested for %s', (header, suggested) => {
  expect(suggestFields(set, [header], [])).toEqual([suggested]);
});

test('no field is suggested twice, nor one that has its column; the better name wins', () => {
  expect(suggestFields(set, ['Work e-mail', 'Correo', 'Telefone', 'Celular'], ['full_name'])).toEqual([
    null,
    'email',
    'phone',
    null,
  ]);
  expect(suggestFields(set, ['Nome'], ['full_name'])).toEqual([null]);
});
