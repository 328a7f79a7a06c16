import { createHealthReader } from '@bowline/chain/health-reader';
import { lensesOf } from '@bowline/chain/lending/lenses';
import type { TicketSigner } from '@bowline/core/domain/ticket';
import type { Config } from '../config.ts';
import { createLeftOut, type LastReads, type LeftOut } from '../loops/left-out.ts';
import type { Keeper } from '../sending/keeper.ts';
import type { Chain } from './chain.ts';
import type { Readers } from './questions.ts';

/** Plans with any other source are not served. */
export const priceSourcesOf = ({ chainlinkPriceSource, venusPriceSource }: Chain['book']['own']) => [
  chainlinkPriceSource,
  venusPriceSource,
];

/** What this agent leaves out, by the settings, keys and readers of its loops. */
export function openLeftOut(
  { servingPolicy, guardServingPolicy }: Config,
  { client, book }: Chain,
  { isOperator, sender }: Keeper,
  { prices, calls, previewer, router }: Readers,
  reads: LastReads,
  tickets: readonly TicketSigner[],
): LeftOut {
  const { own, assets, lending } = book;
  const plans = {
    executor: own.swapExecutor,
    policy: servingPolicy,
    priceSources: priceSourcesOf(own),
    verdictSigners: tickets.map(({ address }) => address),
  };
  return createLeftOut({
    reads,
    plans: isOperator ? plans : undefined,
    guards: guardServingPolicy,
    assets,
    keeper: sender.address,
    prices,
    loans: createHealthReader(client, lensesOf(client, lending)),
    ...{ calls, previewer, router },
  });
}
