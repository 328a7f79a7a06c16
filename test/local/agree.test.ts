import { expect, test } from 'vitest';
import { disagreementsOf } from '../../lab/agree/cases.ts';

test('page, notices, tools and executor give one answer about 500 random accounts, which is the contracts’', async () => {
  for (let seed = 1; seed <= 500; seed++) expect(await disagreementsOf(seed), `case ${seed}`).toEqual([]);
});
