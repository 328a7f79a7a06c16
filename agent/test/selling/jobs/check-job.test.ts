import type { JobRefusal } from '@bowline/core/domain/jobs';
import { describe, expect, test } from 'vitest';
import { checkJob, type JobFacts } from '../../../src/selling/jobs/check-job.ts';
import { address, facts, job, offer, terms } from './jobs.ts';

test('SL-2: a job that is right in everything, at each of its limits, is delivered', () => {
  expect(checkJob(facts, terms)).toEqual({ state: 'deliver', offer });
});

test('SL-2: an offer for a client is good for that client’s job', () => {
  const bound = { ...offer, client: job.client };
  expect(checkJob({ ...facts, offer: bound }, terms)).toEqual({ state: 'deliver', offer: bound });
});

const { policy: _policy, ...withoutPolicy } = job;
const { offer: _offer, ...withoutOffer } = facts;

const wrong: readonly [JobRefusal, JobFacts][] = [
  ['not_our_job', { ...facts, job: { ...job, provider: address('9') } }],
  ['job_number_too_large', { ...facts, job: { ...job, id: 2n ** 53n }, offerUsedBy: 2n ** 53n }],
  ['job_not_funded', { ...facts, job: { ...job, status: 'open' } }],
  ['job_ended', { ...facts, job: { ...job, status: 'rejected' } }],
  ['job_ended', { ...facts, job: { ...job, status: 'expired' } }],
  ['foreign_evaluator', { ...facts, job: { ...job, evaluator: address('9') } }],
  ['foreign_hook', { ...facts, job: { ...job, hook: address('9') } }],
  ['foreign_policy', { ...facts, job: { ...job, policy: address('9') } }],
  ['foreign_policy', { ...facts, job: withoutPolicy }],
  ['no_signed_offer', withoutOffer],
  ['foreign_client', { ...facts, offer: { ...offer, client: address('9') } }],
  ['foreign_token', { ...facts, job: { ...job, token: address('9') } }],
  ['budget_too_low', { ...facts, job: { ...job, budget: 99n } }],
  ['deadline_too_tight', { ...facts, now: 2_001n }],
  ['offer_expired', { ...facts, fundedAt: 1_901n }],
  ['offer_used', { ...facts, offerUsedBy: 6n }],
];

describe('one thing wrong is enough, and is named', () => {
  test.each(wrong)('%s', (reason, given) => {
    expect(checkJob(given, terms)).toEqual({ state: 'refused', reason });
  });
});

test('the largest number that a manifest holds is delivered', () => {
  const id = 2n ** 53n - 1n;
  expect(checkJob({ ...facts, job: { ...job, id }, offerUsedBy: id }, terms)).toEqual({ state: 'deliver', offer });
});

test('what was submitted is delivered, whatever else is wrong with it by now', () => {
  for (const status of ['submitted', 'completed'] as const) {
    expect(checkJob({ ...facts, now: 9_999n, job: { ...job, status } }, terms)).toEqual({ state: 'delivered' });
  }
});

test('where nobody can say when it was funded, an offer that has run out is good for what is asked now', () => {
  const { fundedAt: _fundedAt, ...unknown } = facts;
  expect(checkJob(unknown, terms)).toEqual({ state: 'deliver', offer });
  expect(checkJob(unknown, { ...terms, price: 101n })).toEqual({ state: 'refused', reason: 'offer_expired' });
  expect(checkJob(unknown, { ...terms, currency: address('9') })).toEqual({
    state: 'refused',
    reason: 'offer_expired',
  });
  expect(checkJob({ ...unknown, now: 1_900n }, { ...terms, price: 101n })).toEqual({ state: 'deliver', offer });
});
