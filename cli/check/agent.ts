import type { Finding } from '@bowline/chain/preflight';

interface Ready {
  readonly status: string;
  readonly dependencies: Readonly<
    Record<string, { readonly ok: boolean; readonly detail: string; readonly needed: boolean }>
  >;
}

/** What a running agent says of itself, by /ready: one line, and one for each account that pays for gas. */
export async function agentFindings(url: string): Promise<Finding[]> {
  const remedy = 'See its row in docs/operations.md, "Reasons of /ready".';
  let ready: Ready;
  try {
    const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(10_000) });
    ready = (await response.json()) as Ready;
  } catch {
    const found = `${url}/ready does not answer.`;
    return [{ check: 'agent', ok: false, found, without: 'Nobody knows whether it works.', remedy: 'Restart it.' }];
  }
  const failing = Object.entries(ready.dependencies).filter(([, { ok }]) => !ok);
  const isPayer = (detail: string) => / holds .* BNB/.test(detail);
  return [
    { check: 'agent', ok: ready.status === 'READY', found: `${ready.status}.`, ...notReady(ready, remedy) },
    ...failing
      .filter(([, { detail }]) => !isPayer(detail))
      .map(([name, { detail, needed }]) => ({
        check: `agent.${name}`,
        ok: false,
        found: detail,
        without: needed ? 'The agent cannot do its work.' : 'Some of the agent’s work is not done.',
        remedy,
      })),
    ...Object.entries(ready.dependencies)
      .filter(([, { detail }]) => isPayer(detail))
      .map(([name, { ok, detail }]) => ({
        check: `gas.${name}`,
        ok,
        found: detail.endsWith('.') ? detail : `${detail}.`,
        ...(!ok && {
          without: 'What this account pays for is not sent.',
          remedy: `Send BNB to ${detail.slice(0, 42)}: 0.05 pay for about 200 rescues at 0.05 gwei.`,
        }),
      })),
  ];
}

const notReady = ({ status }: Ready, remedy: string) =>
  status === 'READY' ? {} : { without: 'The agent cannot do its work.', remedy };
