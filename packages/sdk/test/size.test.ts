import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { bundledBytes, limits } from './bundled.ts';

// Measures the sources. test/local/examples.test.ts measures the packed SDK.

it.each(limits)('SD-9: %s is small', (_name, entry, bytes) => {
  const size = bundledBytes(entry, fileURLToPath(new URL('.', import.meta.url)), '--conditions=source');
  expect(size).toBeGreaterThan(1_000);
  expect(size).toBeLessThanOrEqual(bytes);
});
