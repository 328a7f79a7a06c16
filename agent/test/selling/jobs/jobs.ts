import type { Job, SignedOffer } from '@bowline/core/domain/jobs';
import type { JobFacts, SellerTerms } from '../../../src/selling/jobs/check-job.ts';

export const address = (digit: string) => `0x${digit.repeat(40)}` as const;
const hash = (digit: string) => `0x${digit.repeat(64)}` as const;

export const terms: SellerTerms = {
  provider: address('a'),
  contracts: { commerce: address('1'), router: address('2'), policy: address('3') },
  disputeWindowSeconds: 600n,
  workSeconds: 60n,
  price: 100n,
  currency: address('c'),
};
export const offer: SignedOffer = {
  hash: hash('f'),
  task: 'Is BTCB fair?',
  price: 100n,
  currency: address('c'),
  madeAt: 1_000n,
  expiresAt: 1_900n,
};
export const job: Job = {
  id: 7n,
  client: address('b'),
  provider: address('a'),
  evaluator: address('2'),
  hook: address('2'),
  policy: address('3'),
  token: address('c'),
  budget: 100n,
  description: 'signed',
  status: 'funded',
  expiresAt: 2_660n,
  submittedAt: 0n,
  deliverable: hash('0'),
};
export const facts: JobFacts = { now: 2_000n, job, offer, fundedAt: 1_900n, offerUsedBy: 7n };
