import type { Log } from '@bowline/core/domain/log';
import { clock, timers } from '@bowline/http/clock';
import type { Config } from '../config.ts';
import type { LastReads } from '../loops/left-out.ts';
import { createWaitingRescues } from '../loops/loan-guard/waiting.ts';
import { createEvidenceStore } from '../process/evidence-store.ts';
import { createStopFile } from '../process/stop-file.ts';
import { checkVerdictKey } from '../process/ticket-signer.ts';
import { createVitals } from '../process/vitals.ts';
import { heldBy } from '../sending/signing-policy.ts';
import { openChain, openHeads } from './chain.ts';
import { formerTicketSigners, openKeys, ticketSigner, verdictAddress } from './keys.ts';
import { openLeftOut } from './left-out.ts';
import { openNotices } from './notices.ts';
import { hash, openQuestions, openReaders } from './questions.ts';
import { openRelayWatch, openSending } from './sending.ts';
import { openSources, warnOfVerdictSettings } from './verdict.ts';
import { noting } from './vitals.ts';
import { openWorkers } from './workers.ts';

/** What a start has opened, for the loops, /ready and the API. */
export type Parts = Awaited<ReturnType<typeof openParts>>;

/** @param port that the agent listens on. */
export async function openParts(config: Config, log: Log, port: number) {
  warnOfVerdictSettings(config, log);
  await openKeys(config, log);
  const chain = await openChain(config, log);
  const isVerdictKeyUnnamed = !checkVerdictKey(verdictAddress(config), chain.book.verdictSigners, config);
  const sources = openSources(config, chain, log);
  const isStopped = createStopFile(config.stopFile, log);
  const heads = openHeads(config, chain, log);
  const keys = await openSending(config, chain, heads, log);
  const keeper = { ...keys, sender: heldBy(keys.sender, isStopped) };
  const vitals = createVitals(clock, timers);
  const waiting = createWaitingRescues(timers, heads);
  /** Absent: this agent does all work itself. */
  const workers = await openWorkers(config, chain, keeper, { isStopped, waiting, vitals }, log);
  heads.onHead(vitals.headSeen);
  const newest = ticketSigner(config, chain.book);
  /** Signers for the plans that name them. */
  const tickets = [...(newest ? [newest] : []), ...formerTicketSigners(config, chain.book)];
  const read = openReaders(chain, keeper);
  const reads: LastReads = {};
  const leftOut = openLeftOut(config, chain, keeper, read, reads, tickets);
  const readers = noting(read, vitals, reads, workers);
  const evidenceStore = createEvidenceStore({ folder: config.evidence, hash, log });
  const asked = { sources, readers, tickets: newest, heads, evidence: evidenceStore, leftOut, log };
  const questions = openQuestions(config, chain, asked);
  /** Without a trailing slash. */
  const publicUrl = config.publicUrl ?? `http://${config.host}:${port}`;
  const sold = { call: questions.call, publicUrl, heads, isStopped, log };
  // Not even loaded where nothing is sold.
  const selling = config.seller && (await (await import('./seller.ts')).openSelling(config, chain, sold));
  /** Absent: runs are sent publicly. */
  const relays = openRelayWatch(config);
  /** Absent: no notices. */
  const telling = await openNotices(config, chain, readers, log);
  return {
    ...{
      config,
      chain,
      log,
      isStopped,
      isVerdictKeyUnnamed,
      heads,
      keeper,
      vitals,
      workers,
      sources,
      readers,
      leftOut,
    },
    ...{ evidenceStore, publicUrl, questions, selling, waiting, relays, telling, tickets },
  };
}
