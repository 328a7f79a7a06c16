import { type AddressInfo, type WebSocket, WebSocketServer } from 'ws';

// A WalletConnect relay on loopback. It forwards encrypted messages by topic and queues those without a reader yet.

interface Request {
  readonly id: number;
  /** Absent in a client's answer. */
  readonly method?: string;
  readonly params: Readonly<Record<string, string>> & { readonly topics?: readonly string[] };
}

export async function startRelay() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const readers = new Map<string, Set<WebSocket>>();
  const unread = new Map<string, object[]>();
  let lastId = 1;

  const push = (socket: WebSocket, data: object) =>
    socket.send(
      JSON.stringify({ id: lastId++, jsonrpc: '2.0', method: 'irn_subscription', params: { id: 'any', data } }),
    );

  function read(socket: WebSocket, topic: string) {
    readers.set(topic, (readers.get(topic) ?? new Set()).add(socket));
    for (const data of unread.get(topic) ?? []) push(socket, data);
    unread.delete(topic);
  }

  function publish(from: WebSocket, topic: string, message: string, tag: number, attestation?: string) {
    const data = { topic, message, tag, attestation, publishedAt: Date.now() };
    const others = [...(readers.get(topic) ?? [])].filter((each) => each !== from && each.readyState === each.OPEN);
    for (const each of others) push(each, data);
    if (others.length === 0) unread.set(topic, [...(unread.get(topic) ?? []), data]);
  }

  function answer(socket: WebSocket, { method, params }: Request): unknown {
    const { topic = '', message = '', pairingTopic = '', sessionTopic = '' } = params;
    switch (method) {
      case 'irn_subscribe':
        read(socket, topic);
        return 'any';
      case 'irn_batchSubscribe':
        for (const each of params.topics ?? []) read(socket, each);
        return (params.topics ?? []).map(() => 'any');
      case 'irn_batchFetchMessages':
        return { messages: [], hasMore: false };
      case 'irn_publish':
        publish(socket, topic, message, Number(params.tag), params.attestation);
        return true;
      case 'wc_proposeSession':
        read(socket, pairingTopic);
        publish(socket, pairingTopic, params.sessionProposal ?? '', 1100, params.attestation);
        return true;
      case 'wc_approveSession':
        read(socket, sessionTopic);
        publish(socket, pairingTopic, params.sessionProposalResponse ?? '', 1101);
        publish(socket, sessionTopic, params.sessionSettlementRequest ?? '', 1102);
        return true;
      default:
        return true;
    }
  }

  server.on('connection', (socket) => {
    socket.on('message', (text) => {
      const request = JSON.parse(String(text)) as Request;
      if (request.method === undefined) return;
      socket.send(JSON.stringify({ id: request.id, jsonrpc: '2.0', result: answer(socket, request) }));
    });
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const each of server.clients) each.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
