import { SettingsRefused } from '../../../web/app/api/pinned.ts';
import { JudgeFailed } from '../../../web/app/replay/judge.ts';
import { waiting } from '../facts.ts';
import type { Doing, Impossible } from '../scene.ts';
import * as account from './account.ts';
import * as audits from './audits.ts';
import { moment, now, quoteOfNothing, silence } from './basics.ts';
import { noProofs } from './proofs.ts';
import { section, unfold, unknownTransaction } from './states.ts';
import * as trade from './trade.ts';

const noWallet: Impossible = { impossible: 'nothing is signed without a wallet' };

const fillPlan: readonly Doing[] = [{ fill: 'Amount per buy', with: '25' }];
const askVerdict: readonly Doing[] = [{ fill: 'Amount', with: '1000' }, { press: 'Get verdict' }];
const askAgent: readonly Doing[] = [{ press: 'Is my loan safe?' }];
const openForm: readonly Doing[] = [{ press: 'New plan' }];
const verify: readonly Doing[] = [
  { fill: 'Ticket, or the answer that contains it, as JSON', with: '{"ticket": {"verdict": 3}}' },
  { press: 'Verify' },
];

/** Every section of the page, and what opens over or within it. */
export const scenes = {
  home: section(
    { path: '/' },
    {
      empty: { answers: { overview: account.overviewOfNothing } },
      refused: { answers: { overview: account.overviewInNeed }, doing: unfold },
      unreadable: { answers: { overview: account.overviewUnread, time: waiting } },
      unknown: { answers: { overview: account.overviewInPart } },
    },
  ),
  newcomer: section(
    { path: '/', wallet: 'none' },
    {
      empty: { answers: { proofs: noProofs } },
      refused: { wallet: 'declines', transactions: [], doing: [{ press: 'Connect wallet' }] },
      'wrong network': noWallet,
      signing: noWallet,
      unknown: noWallet,
    },
  ),
  portfolio: section(
    { path: '/portfolio' },
    {
      empty: { answers: { worth: account.worthOfNothing, native: 0n } },
      good: { doing: [{ press: 'Price chart of BTCB' }] },
      refused: { transactions: [], doing: [{ press: 'Verdict on ETH' }] },
      unreadable: { answers: { worth: account.worthUnread } },
      unknown: { answers: { quote: quoteOfNothing, worth: account.worthInPart } },
    },
  ),
  plans: section(
    { path: '/plans' },
    {
      empty: { answers: { plans: account.noPlans } },
      refused: { answers: { plans: account.plansThatWait, runs: account.runsOfLate }, doing: unfold },
      unknown: { answers: { plans: account.plansInPart } },
    },
  ),
  'plan form': section(
    { path: '/plans', doing: openForm, answers: { plans: account.noPlans } },
    {
      loading: {
        answers: { plans: account.noPlans, time: { timestamp: now, at: { wall: 0, steady: 0 } } },
        doing: fillPlan,
      },
      empty: {},
      good: { doing: fillPlan },
      refused: {
        answers: {
          simulation: {
            run: {
              state: 'refused',
              failure: { kind: 'refused', words: 'The simulation failed without a reason. Nothing was sent.' },
            },
            cost: undefined,
            readAt: moment,
          },
        },
        doing: fillPlan,
      },
      unreadable: { answers: { plans: account.noPlans }, doing: fillPlan },
      'wrong network': { doing: fillPlan },
      signing: { doing: [...fillPlan, { press: 'Approve and create' }, { see: 'your wallet' }] },
      unknown: {
        answers: { simulation: { run: { state: 'no_run', failure: 'no_pool' }, cost: undefined, readAt: moment } },
        doing: [...fillPlan, ...unfold],
      },
    },
  ),
  guard: section(
    { path: '/loans' },
    {
      empty: { answers: { guarded: account.guardedNothing } },
      refused: { answers: { guarded: account.guardedPoorly } },
      unreadable: { answers: { guarded: account.guardedUnread } },
      unknown: { answers: { guarded: account.guardedInPart } },
    },
  ),
  'guard form': section(
    { path: '/loans', answers: { guarded: account.unguarded }, doing: [{ press: 'Set a guard' }] },
    {
      loading: { impossible: 'the form opens once the loan is read' },
      empty: { doing: [{ fill: 'Protect below', with: '' }] },
      refused: { doing: [{ press: 'More options' }, { fill: 'Restore to', with: '1.01' }] },
      unreadable: { impossible: 'the form opens once the loan is read' },
      signing: { doing: [{ press: 'Approve and set' }, { see: 'your wallet' }] },
      unknown: { doing: unfold },
    },
  ),
  'one guard': section(
    { path: '/loans/1' },
    {
      empty: { answers: { rescues: [] } },
      refused: { doing: unfold },
      unknown: { answers: { guard: { ...account.guardById, loan: undefined } } },
    },
  ),
  buy: section(
    { path: '/trade', doing: askVerdict },
    {
      empty: { doing: [{ fill: 'Amount', with: '' }] },
      refused: { buy: trade.refused, transactions: [] },
      unreadable: { buy: trade.bought, doing: [{ see: 'could not be checked' }] },
      signing: { doing: [{ press: 'Buy BTCB for' }, { see: 'your wallet' }] },
      unknown: { buy: trade.unsure, transactions: [unknownTransaction] },
    },
  ),
  ask: section(
    { path: '/ask' },
    {
      loading: { doing: askAgent },
      empty: {},
      good: { doing: askAgent },
      refused: { agent: trade.unanswerable, transactions: [], doing: askAgent },
      unreadable: { doing: askAgent },
      'wrong network': { doing: askAgent },
    },
  ),
  'audit of a plan': section(
    { path: '/check/plan/3' },
    {
      empty: { answers: { auditPlan: audits.newPlanAudit } },
      refused: { answers: { auditPlan: audits.irregularAudit }, transactions: [] },
      unknown: { answers: { auditPlan: audits.noSuchPlan } },
    },
  ),
  'audit of a guard': section(
    { path: '/check/guard/1' },
    {
      empty: { answers: { auditGuard: audits.newGuardAudit } },
      refused: { answers: { auditGuard: audits.irregularGuardAudit }, transactions: [] },
      unknown: { answers: { auditGuard: audits.guardAuditInPart } },
    },
  ),
  executor: section(
    { path: '/check/executor' },
    {
      empty: { answers: { auditExecutor: audits.idleExecutor } },
      refused: { answers: { auditExecutor: audits.irregularExecutor }, transactions: [] },
      unknown: { answers: { auditExecutor: audits.executorInPart } },
    },
  ),
  verify: section(
    { path: '/check/ticket' },
    {
      loading: { doing: verify },
      empty: {},
      good: { doing: verify },
      refused: { answers: { ticket: audits.forgedTicket }, transactions: [], doing: verify },
      unreadable: { answers: { ticket: new JudgeFailed('unread') }, doing: verify },
      'wrong network': { answers: { ticket: audits.expiredTicket }, doing: verify },
      unknown: { answers: { ticket: audits.bareTicket, time: silence }, doing: [...verify, ...unfold] },
    },
  ),
  stop: section(
    { path: '/portfolio', doing: [{ press: 'Stop everything' }] },
    {
      empty: { answers: { approvals: { ...account.approvals, left: [] } } },
      refused: {
        wallet: 'refuses',
        transactions: [],
        doing: [{ press: 'Stop everything' }, { see: 'You declined it' }],
      },
      unreadable: {
        answers: {
          approvals: {
            ...account.approvals,
            left: [],
            unread: ['USDT', 'BTCB'],
            unsearched: ['your plans', 'your loan'],
          },
        },
      },
      signing: { doing: [{ press: 'Stop everything' }, { see: 'Check your wallet' }] },
    },
  ),
  'settings refused': section(
    { path: '/portfolio', answers: { agreed: new SettingsRefused('contracts_not_pinned') } },
    {
      loading: { answers: { agreed: waiting } },
      empty: { answers: { agreed: new SettingsRefused('answer_malformed') } },
      refused: { answers: { agreed: new SettingsRefused('server_error') } },
      unreadable: { answers: { agreed: new SettingsRefused('server_unavailable') } },
    },
  ),
};

export type SectionName = keyof typeof scenes;
