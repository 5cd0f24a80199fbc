import { test } from '@jest/globals';

test('starts a timer', () => void setInterval(() => {}, 60_000));
