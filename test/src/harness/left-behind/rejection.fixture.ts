import { expect, test } from '@jest/globals';

test('lets a promise reject', () => void Promise.reject(new Error('nobody handles this')));

test('is the next one', () => expect(1).toBe(1));
