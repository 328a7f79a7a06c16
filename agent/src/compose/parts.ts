import type { WatchedHeads } from '@bowline/chain/head';
import type { Log } from '@bowline/core/domain/log';
import type { TicketSigner } from '@bowline/core/domain/ticket';
import type { Config } from '../config.ts';
import type { LeftOut } from '../loops/left-out.ts';
import type { WaitingRescues } from '../loops/loan-guard/waiting.ts';
import type { createEvidenceStore } from '../process/evidence-store.ts';
import type { Vitals } from '../process/vitals.ts';
import type { Keeper } from '../sending/keeper.ts';
import type { RelayWatch } from '../sending/relay-watch.ts';
import type { Sources } from '../sources/propose.ts';
import type { Workers } from '../workers/workers.ts';
import type { Chain } from './chain.ts';
import type { Telling } from './notices.ts';
import type { Questions, Readers } from './questions.ts';
import type { Selling } from './seller.ts';

/** What a start has opened, for the loops, /ready and the API. */
export interface Parts {
  readonly config: Config;
  readonly chain: Chain;
  readonly log: Log;
  readonly isStopped: () => boolean;
  readonly heads: WatchedHeads;
  readonly keeper: Keeper;
  readonly vitals: Vitals;
  /** Absent: everything is this agent's to do. */
  readonly workers: Workers | undefined;
  /** Of the plans that name them. */
  readonly tickets: readonly TicketSigner[];
  readonly sources: Sources;
  readonly readers: Readers;
  readonly leftOut: LeftOut;
  readonly evidenceStore: ReturnType<typeof createEvidenceStore>;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly questions: Questions;
  readonly selling: Selling | undefined;
  readonly waiting: WaitingRescues;
  /** Absent: runs go to everybody. */
  readonly relays: RelayWatch | undefined;
  /** Absent: no notices. */
  readonly telling: Telling | undefined;
}
