import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { cautionAdvice, cautionTexts } from '@bowline/core/texts/cautions';
import { rulesVersion } from '@bowline/core/verdict/rules';
import { expect, test } from 'vitest';

test('every CAUTION of the corpus says when to check again and what accepting means', () => {
  const reasons = new Set<string>();
  for (const name of ['rules', 'simulated']) {
    const file = new URL(`../../../../test/corpus/${name}-${rulesVersion}.jsonl.gz`, import.meta.url);
    for (const line of gunzipSync(readFileSync(file)).toString().trim().split('\n')) {
      const { findings } = JSON.parse(line).evidence as { findings: { outcome: string; reason?: string }[] };
      for (const { outcome, reason = '' } of findings) if (outcome === 'caution') reasons.add(reason);
    }
  }
  expect(reasons.size).toBeGreaterThanOrEqual(5);
  for (const reason of reasons) {
    expect(cautionAdvice(reason), reason).toMatch(/^Check again .*\. If you accept, .*\.$/);
  }
  expect(cautionAdvice('no_way_back')).toBe('');
  for (const text of Object.values(cautionTexts)) expect(text).not.toContain("'");
});
