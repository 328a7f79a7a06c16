import { webSocket } from 'viem';
import type { Subscribe } from '../head.ts';
import { headOf } from './standing.ts';

/** @param url of a node's WebSocket, which tells a new block at once. */
export const subscribeTo =
  (url: string): Subscribe =>
  (onHead, onLost) => {
    // The caller subscribes again: a socket that viem opens again itself may come without its subscription.
    const socket = webSocket(url, { reconnect: false, keepAlive: true, timeout: 3_000 })({ retryCount: 0 });
    const { value } = socket;
    if (value === undefined) throw new TypeError('viem has no socket');
    const subscribing = value.subscribe({
      params: ['newHeads'],
      onData: ({ result }) => {
        const head = headOf(result);
        if (head !== undefined) onHead(head);
      },
      onError: onLost,
    });
    subscribing.catch(onLost);
    return () => {
      const close = async () => (await value.getRpcClient()).close();
      close().catch(() => {});
    };
  };
