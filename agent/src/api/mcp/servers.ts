import type { McpServer, McpServerFactory } from '@modelcontextprotocol/server';

/** Idle servers of each kind that are kept. */
const MAX_IDLE = 32;

/**
 * Lends servers to requests and takes them back: a server serves one exchange at a time, and making one costs more than serving
 * most questions. One that a client of 2025's protocols has initialized is not lent again: it would speak that client's version.
 *
 * A server is free again when its exchange has closed, also if its handler still runs because the client has gone: so a handler
 * sends nothing to the client after its signal has been aborted, or the next client would get it.
 */
export function createServers(make: () => McpServer): McpServerFactory {
  const idle = { modern: [] as McpServer[], legacy: [] as McpServer[] };
  return ({ era }) => {
    const server = idle[era].pop() ?? make();
    server.server.onclose = () => {
      const isInitialized = era === 'legacy' && server.server.getNegotiatedProtocolVersion() !== undefined;
      if (!isInitialized && idle[era].length < MAX_IDLE) idle[era].push(server);
    };
    return server;
  };
}
