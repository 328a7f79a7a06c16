import { rulesLine } from '@bowline/core/replay/rules-in-force';
import { rulesVersion } from '@bowline/core/verdict/rules';
import { describe, expect, it } from 'vitest';

// RP-3
describe('the rules that evidence names', () => {
  const old = rulesVersion - 1;
  const rulings = [
    { version: old, from: 100, until: 200, release: '1.0.0' },
    { version: rulesVersion, from: 200, release: '1.1.0' },
  ];
  const differs = (version: number, issuedAt: bigint, of = rulings) => {
    const { said, found } = rulesLine(version, issuedAt, of);
    return said !== found;
  };

  it('are the newest where the record lists none', () => {
    expect(rulesLine(rulesVersion, 1n, [])).toEqual({
      ...{ what: 'rules in force', said: `${rulesVersion}`, found: `${rulesVersion}` },
    });
    expect(differs(old, 1n, [])).toBe(true);
    expect(differs(rulesVersion + 1, 1n, [])).toBe(true);
  });

  it('are replayed by their release if they were in force when it was issued', () => {
    expect(rulesLine(old, 199n, rulings)).toMatchObject({
      found: `${old}`,
      unchecked: `judged_by_rules_${old}: replay it with release 1.0.0.`,
    });
    expect('unchecked' in rulesLine(rulesVersion, 200n, rulings)).toBe(false);
  });

  it('differ before and after that: earlier rules are no way round the newest', () => {
    expect(differs(old, 200n)).toBe(true);
    expect(differs(old, 99n)).toBe(true);
    expect(differs(rulesVersion, 199n)).toBe(true);
    expect(rulesLine(1, 50n, rulings).found).toBe('none');
    expect(rulesLine(1, 250n, rulings).found).toBe(`${rulesVersion}`);
  });
});
