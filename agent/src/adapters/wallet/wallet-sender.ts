import type { Call, Sender, Sent } from '../../domain/ports.ts';
import { createRoutedSender } from '../routed-sender.ts';
import { createLane, type LaneOptions } from './lane.ts';

export interface WalletOptions extends Omit<LaneOptions, 'key'> {
  /** What cannot wait for a bundler, whose second is several blocks: our own key carries it at once. */
  readonly isUrgent: (call: Call) => boolean;
  /** Carries what is urgent, with a key and a queue of its own. Absent: `carrier` does, after what it has under way. */
  readonly urgentCarrier?: Sender;
}

export interface WalletSender extends Sender {
  /** Makes the account exist. */
  create(): Promise<Sent>;
}

/** The agentic wallet: what it does, its ERC-4337 account does. Behind the same port as the plain key. */
export function createWalletSender({ isUrgent, bundler, urgentCarrier, ...options }: WalletOptions): WalletSender {
  const calm = createLane({ ...options, key: 0n, ...(bundler && { bundler }) });
  const urgent = createLane({ ...options, key: 1n, carrier: urgentCarrier ?? options.carrier });
  const { address, send, outcome } = createRoutedSender(options.account.address, (call) =>
    isUrgent(call) ? urgent : calm,
  );
  return { address, send, outcome, create: urgent.create };
}
