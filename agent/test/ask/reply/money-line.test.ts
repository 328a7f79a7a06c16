import { expect, test } from 'vitest';
import { moneyLine, sizeLine } from '../../../src/ask/reply/words.ts';
import type { Checked } from '../../../src/tools/check-asset.ts';

const money: Pick<Checked, 'verdict' | 'pay' | 'receive' | 'cost' | 'ticket'> = {
  verdict: 'GO',
  pay: { symbol: 'USDT', amount: '1000' },
  receive: { symbol: 'ETH', amount: '0.333' },
  cost: {
    paid_usd: '1000',
    received_usd: '999.056',
    total_usd: '0.944',
    fee_usd: '0.5',
    distance_usd: '0.44',
    impact_usd: '0.004',
    total_bps: '10',
  },
  ticket: { expires_at: '1800000120' } as Checked['ticket'],
};
const said = (changes: Partial<typeof money>): string => moneyLine({ ...money, ...changes } as Checked);

test('what is paid, received and lost, and until when the ticket holds', () => {
  expect(said({})).toBe(
    ': you pay 1,000 USDT and get 0.333 ETH, worth 999.05 USD, a cost of 0.94 USD in all (0.1 %: fee 0.50 USD, price impact ' +
      'under 0.01 USD, distance from the reference 0.44 USD); the ticket holds until 2027-01-15 08:02:00 UTC',
  );
});

test('a size that is too large is told the largest that is GO', () => {
  const sized = (go_up_to: Checked['go_up_to']) => sizeLine({ ...money, go_up_to } as Checked);
  expect(sized({ symbol: 'USDT', amount: '84000', slots: '6' })).toBe(' GO up to 84,000 USDT, or in 6 slots.');
  expect(sized(null)).toBe('');
});

test('a gain is said to be one', () => {
  const cost = money.cost && { ...money.cost, total_usd: '-2.5', distance_usd: '-3.004', total_bps: '-25' };
  expect(said({ cost })).toContain(
    'a gain of 2.50 USD in all (0.25 %: fee 0.50 USD, price impact under 0.01 USD, distance from the reference -3 USD)',
  );
});

test('only a GO or a CAUTION has a ticket to hold, and only a GO is to be paid', () => {
  expect(said({ verdict: 'CAUTION' })).toMatch(/^: you would pay .*; the ticket holds until /);
  for (const verdict of ['NO_GO', 'NO_DATA'] as const)
    expect(said({ verdict })).toMatch(/^: you would pay (?!.*ticket)/);
  expect(said({ ticket: null })).not.toContain('ticket');
  expect(said({ cost: null })).toBe(
    ': you pay 1,000 USDT and get 0.333 ETH; the ticket holds until 2027-01-15 08:02:00 UTC',
  );
  expect(said({ pay: null })).toBe('');
});
