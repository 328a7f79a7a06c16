import { asking, newestBlock } from '@bowline/chain/chain-client';
import { agreementLook, nodeLooks } from '@bowline/chain/node-looks';
import { createPriceReader } from '@bowline/chain/price-reader';
import { timers } from '@bowline/http/clock';
import { unservedOf } from '../loops/executor/plan.ts';
import { maxUnreadMsOf, rescuesLook } from '../loops/loan-guard/waiting.ts';
import type { Loop } from '../loops/runner.ts';
import type { LoopName } from '../process/conditions.ts';
import { dependenciesOf, readFeedAges } from '../process/readiness.ts';
import type { Vitals } from '../process/vitals.ts';
import type { Watched } from '../process/watched.ts';
import { maxRescuePriceWei, rescueGasOf } from '../sending/calls.ts';
import { gasLooks } from '../sending/keeper.ts';
import { sourceLooks } from '../sources/propose.ts';
import { buildOf } from './build.ts';
import type { Chain } from './chain.ts';
import { signerLook } from './keys.ts';
import type { Parts } from './parts.ts';

/** While nothing happens, blocks are polled every five seconds. */
const QUIET_SECONDS = 10;

/** What /ready lists of this process, and what /metrics shows. @param loops filled when they start. */
export function openReadiness(parts: Parts, loops: readonly Loop[]) {
  const watched = watchedOf(parts, loops);
  const { config, chain, sources, keeper, vitals, waiting, evidenceStore } = parts;
  const { guardBlockPollMs, guardIntervalSeconds, gasBounds, servingPolicy, seller } = config;
  const served = chain.book.assets.filter(({ symbol }) => servingPolicy.tokens.includes(symbol));
  // Reads requested together go in one request.
  const prices = createPriceReader(chain.connect(true), chain.book);
  const isSelling = parts.selling !== undefined;
  const names: LoopName[] = [...(keeper.isOperator ? (['executor'] as const) : []), 'loan-guard'];
  const { dependencies, stop } = dependenciesOf(
    watched,
    {
      head: () => readHead(chain, vitals),
      payers: gasLooks(chain.connect(true), keeper, vitals.payerSeen),
      nodes: nodeLooks(chain, chain.book),
      agreement: chain.nodes.count > 1 ? agreementLook(chain.nodes) : undefined,
      sources: sourceLooks(sources, vitals.sourceSeen),
      signer: signerLook(config),
      feeds: () => readFeedAges(served, prices, vitals),
      rescues: rescuesLook(waiting, maxUnreadMsOf(guardBlockPollMs, guardIntervalSeconds), () => {
        const [funds] = vitals.read().payers.values();
        return funds && { askedWei: funds.gasPriceWei, maxWei: maxRescuePriceWei(gasBounds) };
      }),
      served: parts.leftOut.look,
      evidence: evidenceStore.look,
      relays: parts.relays?.look,
      model: parts.questions.modelLook,
    },
    { loops: isSelling ? [...names, 'jobs'] : names, isSellingOff: seller !== undefined && !isSelling },
    timers,
  );
  return { watched, dependencies, stop };
}

/** Blocks arrive on their own; the node is asked only if none has recently. */
async function readHead({ client }: Chain, vitals: Vitals): Promise<string> {
  const { head: told } = vitals.read();
  if (told !== undefined && told.lagSeconds < QUIET_SECONDS) return `block ${told.number}`;
  const head = await asking(() => newestBlock(client));
  vitals.headSeen(head);
  return `block ${head.number}`;
}

function watchedOf(parts: Parts, loops: readonly Loop[]): Watched {
  const { config, chain, vitals, waiting, keeper, isStopped, isVerdictKeyUnnamed, workers, leftOut } = parts;
  const { gasBounds } = config;
  const states = () => loops.map((loop) => loop.state());
  return {
    build: buildOf(),
    vitals,
    loops: states,
    rescues: waiting,
    runs: () => {
      const last = states().find(({ name }) => name === 'executor')?.last ?? {};
      return { due: last.due ?? 0, unserved: unservedOf(last) };
    },
    open: keeper.open,
    isGasDayUsed: keeper.isGasDayUsed,
    isKeyShared: keeper.isKeyShared,
    isVerdictKeyUnnamed,
    leftOut: leftOut.counts,
    isStopped,
    ...(workers && {
      workers: () => {
        return { count: workers.count(), redisMs: workers.silentMs(), isKeyShared: workers.isKeyShared() };
      },
    }),
    bounds: {
      ...gasBounds,
      rescueGas: rescueGasOf(chain.book.own),
      rescueMaxGasPriceWei: maxRescuePriceWei(gasBounds),
    },
  };
}
