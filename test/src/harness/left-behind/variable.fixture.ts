import { test } from '@jest/globals';

test('sets a variable', () => {
  process.env['LEFT_BEHIND'] = 'yes';
});
