import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  type JSONRPCResponse,
  type McpServer,
  type MessageClassification,
  PerRequestHTTPServerTransport,
} from '@modelcontextprotocol/server';

interface Waiting {
  /** The ID that the caller gave its request. Callers’ IDs may be equal. */
  readonly id: JSONRPCRequest['id'];
  readonly answer: (response: JSONRPCResponse) => void;
}

/** A server that stays connected and serves the requests of many callers at once. */
interface KeptServer {
  /**
   * Asks the server.
   * @param http the HTTP request, for handlers that read its headers.
   * @param answer gets the response, with the caller's own ID, unless the request is cancelled first.
   * @returns what cancels the request; undefined if the server does not take it, and then no handler has run.
   */
  ask(request: JSONRPCRequest, http: Request, answer: Waiting['answer']): (() => void) | undefined;
}

/**
 * Connects a server once, where the SDK connects one for each request: that costs as much as serving most requests.
 * @param classification the protocol that all requests speak. The SDK binds a server to a revision after 2025 by its own
 * transport for single requests, so ours is one.
 */
export function keep(
  server: McpServer,
  classification: MessageClassification,
  onerror: (error: Error) => void,
): KeptServer {
  const kept = new KeptTransport(classification);
  server.server.onerror = onerror;
  server.connect(kept).then(() => kept.open(), onerror);
  return kept;
}

class KeptTransport extends PerRequestHTTPServerTransport implements KeptServer {
  readonly #classification: MessageClassification;
  readonly #waiting = new Map<unknown, Waiting>();
  #isOpen = false;
  #last = 0;
  /** The request that the server is being given. What it refuses before a handler runs, it refuses now. */
  #given: number | undefined;

  constructor(classification: MessageClassification) {
    super({ classification });
    this.#classification = classification;
  }

  open(): void {
    this.#isOpen = true;
  }

  ask(request: JSONRPCRequest, http: Request, answer: Waiting['answer']): (() => void) | undefined {
    if (!this.#isOpen) return undefined;
    const id = ++this.#last;
    this.#waiting.set(id, { id: request.id, answer });
    this.#given = id;
    try {
      const { era } = this.#classification;
      const extra = era === 'modern' ? { classification: this.#classification, request: http } : { request: http };
      this.onmessage?.({ ...request, id }, extra);
    } finally {
      this.#given = undefined;
    }
    if (!this.#waiting.has(id)) return undefined;
    return () => {
      if (!this.#waiting.delete(id)) return;
      this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    };
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    // What these requests may send before their result, nobody has asked for.
    if ('method' in message) return;
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    if (message.id !== this.#given) waiting.answer({ ...message, id: waiting.id });
  }

  override async close(): Promise<void> {
    this.#isOpen = false;
    this.onclose?.();
  }
}
