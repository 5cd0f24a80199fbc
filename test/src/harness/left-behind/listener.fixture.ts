import { test } from '@jest/globals';

test('listens to a signal', () => void process.on('SIGUSR2', () => {}));
