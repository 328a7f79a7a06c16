import { asking, newestBlock } from '@bowline/chain/chain-client';
import { nodeLooks } from '@bowline/chain/node-looks';
import { timers } from '@bowline/http/clock';
import { maxUnreadMsOf, rescuesLook } from '../loops/loan-guard/waiting.ts';
import type { LoopName } from '../process/conditions.ts';
import { readFeedAges } from '../process/feed-ages.ts';
import { dependenciesOf } from '../process/readiness.ts';
import type { Vitals } from '../process/vitals.ts';
import type { Watched } from '../process/watched.ts';
import { gasLooks } from '../sending/keeper.ts';
import { sourceLooks } from '../sources/source-looks.ts';
import type { Chain } from './chain.ts';
import { signerLook } from './keys.ts';
import type { Parts } from './parts.ts';

/** What /ready lists of this process. */
export function openReadiness(parts: Parts, watched: Watched) {
  const { config, chain, sources, readers, keeper, vitals, waiting, evidenceStore } = parts;
  const { guardBlockPollMs, guardIntervalSeconds, gasBounds, servingPolicy, limits, isDry, seller } = config;
  const served = chain.book.assets.filter(({ symbol }) => servingPolicy.tokens.includes(symbol));
  const isSelling = parts.selling !== undefined;
  const loops: LoopName[] = [...(keeper.isOperator ? (['executor'] as const) : []), 'loan-guard'];
  return dependenciesOf(
    watched,
    {
      head: () => readHead(chain, vitals),
      payers: gasLooks(chain.client, keeper, vitals.payerSeen),
      nodes: nodeLooks(chain, chain.book),
      sources: sourceLooks(sources, vitals.sourceSeen),
      signer: signerLook(config),
      feeds: () => readFeedAges(served, limits, readers.prices, vitals),
      rescues: rescuesLook(waiting, maxUnreadMsOf(guardBlockPollMs, guardIntervalSeconds), () => {
        const [funds] = vitals.read().payers.values();
        return funds && { askedWei: funds.gasPriceWei, maxWei: gasBounds.rescueMaxGasPriceWei };
      }),
      served: parts.leftOut.look,
      evidence: evidenceStore.look,
      relays: parts.relays?.look,
      model: parts.questions.modelLook,
    },
    { loops: isSelling ? [...loops, 'jobs'] : loops, isSellingOff: !isDry && seller !== undefined && !isSelling },
    timers,
  );
}

async function readHead({ client }: Chain, vitals: Vitals): Promise<string> {
  const head = await asking(() => newestBlock(client));
  vitals.headSeen(head);
  return `block ${head.number}`;
}
