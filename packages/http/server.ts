import type { RequestListener, Server } from 'node:http';

// An import would also load what the module names but a server does not use, its WebSocket above all: 40 ms of a start.
const { createServer } = process.getBuiltinModule('node:http');

const slowSockets = { headersTimeout: 10_000, requestTimeout: 20_000, connectionsCheckingInterval: 2_000 } as const;

/**
 * A server that cuts whoever does not finish asking: headers within ten seconds, all of the request within twenty. How long
 * the answer takes is not limited.
 */
export const createHttpServer = (listener: RequestListener): Server => createServer(slowSockets, listener);
