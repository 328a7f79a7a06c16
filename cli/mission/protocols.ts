import { localChainId } from '@bowline/core/domain/chains';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { A2AClient } from 'a2a-sdk-03/client';
import { Absent, ask, good, must, type Promised, post, type World } from './promise.ts';

// MCP and A2A, by the clients that others use.

/** What both clients have in common, as far as it is used here. */
interface McpClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

async function played(client: McpClient, { priceUsd }: World): Promise<string> {
  try {
    const names = (await client.listTools()).tools.map(({ name }) => name);
    must(names.includes('check_asset') && names.includes('preview_rescue'), `has the tools ${names.join(', ')}`);
    const { structuredContent, isError } = (await client.callTool({
      name: 'check_asset',
      arguments: { asset: 'BTCB', amount_usd: 100 },
    })) as { structuredContent?: { verdict?: string; x402Version?: number }; isError?: boolean };
    if (priceUsd > 0) {
      must(isError === true && structuredContent?.x402Version === 2, 'check_asset asks for no payment');
      return `${names.length} tools, a verdict has its price`;
    }
    must(isError !== true && structuredContent?.verdict, 'check_asset gives no verdict');
    return `${names.length} tools, BTCB is ${structuredContent.verdict}`;
  } finally {
    await client.close();
  }
}

// Free where verdicts have a price.
const text = 'Which assets do you know?';
const modern = { messageId: '1', role: 'ROLE_USER', parts: [{ text }] };
const old = { kind: 'message', messageId: '1', role: 'user', parts: [{ kind: 'text', text }] };

export const protocolPromises: readonly Promised[] = [
  {
    that: '/mcp serves the tools to a client of revision 2026-07-28',
    keep: async (world) => {
      const client = new ModernClient({ name: 'mission', version: '1' });
      await client.connect(new ModernTransport(new URL(`${world.agentUrl}/mcp`)));
      return played(client as unknown as McpClient, world);
    },
  },
  {
    that: '/mcp serves the same tools to a client of the legacy revisions',
    keep: async (world) => {
      const client = new LegacyClient({ name: 'mission', version: '1' });
      await client.connect(new LegacyTransport(new URL(`${world.agentUrl}/mcp`)) as Transport);
      return played(client as unknown as McpClient, world);
    },
  },
  {
    that: 'the agent card is valid for clients of A2A 1.0 and 0.3, and offers negotiate and notify_funded',
    keep: async ({ agentUrl, chainId }) => {
      const { skills, protocolVersion, supportedInterfaces } = good(
        await ask(`${agentUrl}/.well-known/agent-card.json`),
      );
      const ids: string[] = skills.map(({ id }: { id: string }) => id);
      must(supportedInterfaces?.length > 0 && protocolVersion === '0.3', 'is not valid for both');
      const client = await A2AClient.fromCardUrl(`${agentUrl}/.well-known/agent-card.json`);
      must((await client.getAgentCard()).skills.length === ids.length, 'is read otherwise by a client of 0.3');
      const sells = ids.includes('negotiate') && ids.includes('notify_funded');
      if (!sells && chainId !== localChainId)
        throw new Absent(`The card is valid, but this agent sells nothing. It offers ${ids.length} skills.`);
      must(sells, `offers ${ids.join(', ')}`);
      return `${ids.length} skills`;
    },
  },
  ...['/a2a', '/'].map(
    (path): Promised => ({
      that: `POST ${path} answers SendMessage (1.0) and message/send (0.3) by one Message whose first part is data`,
      keep: async ({ agentUrl }) => {
        const call = (method: string, message: object) =>
          post(`${agentUrl}${path}`, { jsonrpc: '2.0', id: 1, method, params: { message } });
        const { result: now } = good(await call('SendMessage', modern));
        must(now?.message?.parts?.[0]?.data !== undefined, 'gives no data to SendMessage');
        const { result: then } = good(await call('message/send', old));
        must(then?.kind === 'message' && then.parts[0]?.kind === 'data', 'gives no data to message/send');
        return 'both';
      },
    }),
  ),
];
