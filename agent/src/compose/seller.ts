import { connectEscrow } from '@bowline/chain/escrow';
import { untilAnswered } from '@bowline/chain/node-wait';
import type { Heads } from '@bowline/core/domain/heads';
import type { Log } from '@bowline/core/domain/log';
import { clock, steadyClock, timers } from '@bowline/http/clock';
import { createDeliverables } from '../api/http/documents.ts';
import { verdictRequest } from '../ask/verdict-request.ts';
import type { Config } from '../config.ts';
import { createJobFinder } from '../loops/jobs/finder.ts';
import { createJobsLoop } from '../loops/jobs/tick.ts';
import { type Loop, startLoop } from '../loops/runner.ts';
import { createJobNotes } from '../process/job-notes.ts';
import { unlessStopped } from '../process/stop-file.ts';
import { WORK_SECONDS } from '../selling/jobs/check-job.ts';
import { openDeliverables } from '../selling/jobs/deliverables.ts';
import { createJobs } from '../selling/jobs/jobs.ts';
import { createNegotiate, createNotifyFunded } from '../selling/jobs/negotiate.ts';
import { createOffers, priceIn } from '../selling/jobs/offers.ts';
import { sellerCalls } from '../sending/calls.ts';
import { createSender } from '../sending/eoa/sender.ts';
import { patience } from '../sending/keeper.ts';
import { heldBy } from '../sending/signing-policy.ts';
import type { CallTool } from '../tools/call.ts';
import type { Chain } from './chain.ts';
import { sellerAccount } from './keys.ts';
import { openBroadcast } from './sending.ts';

export type Selling = NonNullable<Awaited<ReturnType<typeof open>>>;

/**
 * Sells the agent's work to other agents (ERC-8183). Undefined if the chain has no escrow, no seller key is set, or if selling fails to
 * start: rescues never wait for it.
 */
export async function openSelling(config: Config, chain: Chain, deps: SellingDeps): Promise<Selling | undefined> {
  const { log } = deps;
  try {
    return await untilAnswered({ log, timers }, () => open(config, chain, deps));
  } catch (error) {
    log.error('selling.off', { error, remedy: 'Fix the cause and restart. Rescues and runs continue.' });
    return undefined;
  }
}

interface SellingDeps {
  readonly call: CallTool;
  readonly publicUrl: string;
  readonly heads: Heads;
  readonly isStopped: () => boolean;
  readonly log: Log;
}

async function open(config: Config, { client, book }: Chain, { call, publicUrl, heads, isStopped, log }: SellingDeps) {
  if (config.seller === undefined || book.escrow === undefined) return undefined;
  const { token, ...contracts } = book.escrow;
  const account = sellerAccount(config.seller, config);
  const price = priceIn(token.decimals, config.seller.priceWad);
  const currency = token.address;
  const { chainId } = config;
  const offers = createOffers({ account, chainId, commerce: contracts.commerce, currency, price, clock });
  const escrow = await connectEscrow(client, contracts);
  const { disputeWindowSeconds } = escrow;
  const provider = account.address;
  const terms = { provider, contracts, disputeWindowSeconds, workSeconds: WORK_SECONDS, price, currency };
  const interpret = (task: string) => verdictRequest(task, book.assets);
  const store = await openDeliverables(config.deliverables);
  const jobs = createJobs(escrow, offers, terms, store);
  const identity = `${chainId} ${contracts.commerce} ${provider}`.toLowerCase();
  const notebook = createJobNotes(config.jobNotes, identity);
  const finder = createJobFinder({ escrow, provider, workSeconds: WORK_SECONDS, notebook, log });
  const policy = { chainId, calls: sellerCalls(contracts, config.gasBounds) };
  const sender = createSender({
    client,
    account,
    policy,
    broadcast: openBroadcast(config, book, log),
    heads,
    log,
    clock: steadyClock,
    timers,
    ...patience,
  });
  let loop: Loop | undefined;
  const { tick, inbox } = createJobsLoop({
    jobs,
    finder,
    escrow,
    deliver: { call, interpret, store, chainId, contracts },
    sender: heldBy(sender, isStopped),
    publicUrl,
    onWork: () => loop?.trigger(),
    log,
  });
  return {
    seller: { negotiate: createNegotiate(offers, interpret), notifyFunded: createNotifyFunded(jobs, inbox) },
    /** For buyers who wait. */
    jobs: { jobs, store },
    /** Serves deliverables. */
    routes: createDeliverables(store, escrow),
    startJobs: (intervalSeconds: number) =>
      (loop = startLoop('jobs', unlessStopped(isStopped, 'jobs', tick), intervalSeconds, timers, log)),
    /** Signs nothing more. */
    stop: () => sender.stop(),
  };
}
