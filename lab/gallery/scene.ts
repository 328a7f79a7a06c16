import type { Transaction } from '../../web/app/transactions/transaction.ts';
import type { AgentAnswer, BuyAnswer } from '../../web/wire.ts';
import type { Answers, waiting } from './facts.ts';

/** Every state that a section is shown in. */
export const states = [
  'loading',
  'empty',
  'good',
  'refused',
  'unreadable',
  'wrong network',
  'signing',
  'unknown',
] as const;
export type State = (typeof states)[number];

/** What a person does, by accessible names: presses a button, or types into a field. */
export type Doing =
  | { readonly press: string }
  | { readonly fill: string; readonly with: string }
  /** Waits for a text. */
  | { readonly see: string };

/** The server's answer to a person's request. */
type Served<Answer> = Answer | { readonly code: string; readonly detail: string } | typeof waiting;

/** One section in one state. */
export interface Scene {
  readonly path: string;
  /** `silent`: connected, never signs. `refuses`: to sign. `elsewhere`: on another chain. `declines`: to connect. */
  readonly wallet: 'none' | 'silent' | 'refuses' | 'elsewhere' | 'declines';
  /** Whether the chain's node has answered. */
  readonly node: 'waiting' | 'answers' | 'silent';
  readonly answers: Answers;
  /** Earlier requests to the wallet. */
  readonly transactions: readonly Transaction[];
  readonly buy: Served<BuyAnswer>;
  readonly agent: Served<AgentAnswer>;
  readonly doing: readonly Doing[];
}

/** Why a section has no such state. */
export interface Impossible {
  readonly impossible: string;
}
