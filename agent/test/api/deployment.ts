import { addressBookOf, recordOf } from '@bowline/core/registry/address-book';
import type { Serving } from '@bowline/core/serving';
import { type Address, getAddress, isAddress } from 'viem';

const at = (digit: string): Address => getAddress(`0x${digit.repeat(40)}`);

const record = {
  chainId: 31_337,
  revocations: at('1'),
  venusMarket: at('2'),
  loanGuard: at('3'),
  venusPriceSource: at('4'),
  chainlinkPriceSource: at('5'),
  planRegistry: at('6'),
  swapExecutor: at('7'),
  quoteDesk: at('8'),
  verdictSigners: [at('9')],
  escrow: {
    commerce: at('a'),
    router: at('b'),
    policy: at('c'),
    token: { address: at('d'), decimals: 18, name: 'Local Dollar', version: '1' },
  },
};

/** A deployment as an agent states it: its record, parsed and serialized again. */
export const deployment = recordOf(31_337, addressBookOf(31_337, { name: 'a record', content: record }, isAddress));

/** What the agent says it serves while everything is healthy. */
export const serves: Serving = {
  chainId: 31_337,
  ...{ planRegistry: deployment.planRegistry, swapExecutor: deployment.swapExecutor, loanGuard: deployment.loanGuard },
  at: '1800000000',
  block: { number: '7', timestamp: '1799999999' },
  plans: {
    ...{ reason: null, everySeconds: 900, lastRoundAt: '1799999700' },
    ...{
      tokens: [at('e')],
      verdictSigners: [at('9')],
      owner: null,
      minPeriodSeconds: '3600',
      minRunUsdWad: '5000000000000000000',
    },
  },
  guards: {
    ...{ reason: null, everySeconds: 300, lastRoundAt: '1799999999' },
    ...{ tokens: [at('e')], maxTriggerHealthWad: '2000000000000000000', owner: null },
    minRepayUsdWad: '5000000000000000000',
  },
  quotes: { desk: at('8') },
  selling: null,
};
