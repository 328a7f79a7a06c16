import type { Subscribe } from '../head.ts';
import { headOf } from './node-health.ts';

const question = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] });
/** Error for a socket that answers, but not with blocks. */
export const DELIVERS_NONE = 'It delivers no blocks.';
/** A block's header takes two thousand. */
const MAX_CHARACTERS = 100_000;

/**
 * Subscribes once, without a library: viem keeps a hanging socket for the next caller, and opens another one to close
 * one that it could not open.
 * @param url of a node's WebSocket, which announces new blocks immediately.
 */
export const subscribeTo =
  (url: string): Subscribe =>
  (onHead, onLost) => {
    const socket = new WebSocket(url);
    const lose = (why: string) => onLost(new Error(why));
    socket.addEventListener('open', () => socket.send(question));
    socket.addEventListener('message', ({ data }: { data: unknown }) => {
      const message = messageIn(data);
      if (message === undefined || message.error !== undefined) return lose(DELIVERS_NONE);
      const head = headOf(message.params?.result);
      if (head !== undefined) onHead(head);
    });
    // The system's error may contain the URL, and with it a key.
    socket.addEventListener('error', () => lose('The connection failed.'));
    socket.addEventListener('close', () => lose('The connection was closed.'));
    return () => socket.close();
  };

interface Message {
  readonly error?: unknown;
  /** Absent in the answer to the question. */
  readonly params?: { readonly result?: unknown };
}

function messageIn(data: unknown): Message | undefined {
  if (typeof data !== 'string' || data.length > MAX_CHARACTERS) return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
