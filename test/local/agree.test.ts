import { expect, test } from 'vitest';
import { firstDisagreement } from '../../lab/agree/cases.ts';

test('page, notices, tools, executor, keeper, audit and SDK give one answer about 500 random accounts: the contracts’', async () => {
  expect(await firstDisagreement(500, 1)).toBeUndefined();
});
