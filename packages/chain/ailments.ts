import { HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import { causesOf, nodeFailure } from './errors.ts';

/** What is wrong with an address that was queried: each needs a different fix. */
export type Ailment =
  | 'unreachable'
  | 'silent'
  | 'rate_limited'
  | 'key_refused'
  | 'place_refused'
  | 'wrong_path'
  | 'server_failing'
  | 'web_page'
  | 'method_missing'
  | 'answer_refused'
  | 'malformed';

/** JSON-RPC codes for a missing method: EIP-1474's, and that of nodes that check the caller's subscription. */
const missingCodes: ReadonlySet<number> = new Set([-32_601, -32_004]);
/** Redis errors about credentials. */
const keyWords = /\b(NOAUTH|WRONGPASS|NOPERM)\b/;
const silentCodes: ReadonlySet<unknown> = new Set(['ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT']);

/** Classifies an error of viem or of fetch, or one that carries the HTTP status of a response. */
export function ailmentOf(error: unknown): { readonly ailment: Ailment; readonly code?: number } {
  const causes = causesOf(error);
  const answer = causes.find((cause) => cause instanceof RpcRequestError);
  if (answer !== undefined) {
    const { code } = answer;
    if (nodeFailure(error) === 'limited') return { ailment: 'rate_limited', code };
    return { ailment: missingCodes.has(code) ? 'method_missing' : 'answer_refused', code };
  }
  const status = causes.map((cause) => ('status' in cause ? cause.status : undefined)).find(Number.isInteger);
  if (typeof status === 'number') return { ailment: ofStatus(status), code: status };
  if (causes.some((cause) => cause instanceof SyntaxError)) return { ailment: 'web_page' };
  if (causes.some(isLate)) return { ailment: 'silent' };
  if (causes.some(({ message }) => keyWords.test(message))) return { ailment: 'key_refused' };
  return { ailment: causes.some(isCut) ? 'unreachable' : 'malformed' };
}

/** Whether there was no connection, by system or TLS error codes, or by the message of clients that omit them. */
const isCut = (cause: Error): boolean =>
  cause instanceof HttpRequestError ||
  ('code' in cause && typeof cause.code === 'string' && /^(E[A-Z]|UND_ERR|.*CERT)/.test(cause.code)) ||
  /fetch failed|connection|network|ECONN/i.test(cause.message);

const isLate = (cause: Error): boolean =>
  cause instanceof TimeoutError ||
  /timeout|timed out/i.test(`${cause.name} ${cause.message}`) ||
  ('code' in cause && silentCodes.has(cause.code));

function ofStatus(status: number): Ailment {
  if (status === 429 || status === 418) return 'rate_limited';
  if (status === 401 || status === 403) return 'key_refused';
  if (status === 451) return 'place_refused';
  if (status === 408) return 'silent';
  if (status >= 500) return 'server_failing';
  return status < 400 ? 'web_page' : 'wrong_path';
}

/** Diagnosis and remedy. @param setting names the address. @param keys names the key, if kept in another setting. */
export function tell(
  { ailment, code }: ReturnType<typeof ailmentOf>,
  setting: string,
  keys = setting,
): { readonly found: string; readonly remedy: string } {
  const said = code === undefined ? '' : ` (${code})`;
  const put =
    keys === setting
      ? `Set ${setting} to the address with your key in it, as its operator shows it to you.`
      : `Set ${keys} to what its operator gave you, or correct the address in ${setting}.`;
  const other = `name another one in ${setting}`;
  return {
    unreachable: {
      found: 'cannot be reached.',
      remedy: `Check the address in ${setting}, that something listens there, and this machine’s DNS, proxy and firewall.`,
    },
    silent: {
      found: 'accepts the request but does not respond in time.',
      remedy: `Use another node or server: ${other}.`,
    },
    rate_limited: {
      found: `refuses because of too many requests${said}.`,
      remedy: `Ask its operator for a plan with more requests, or ${other}.`,
    },
    key_refused: { found: `rejects the key, or requires one${said}.`, remedy: put },
    place_refused: {
      found: `does not serve this machine's location${said}.`,
      remedy: `Set ${setting} to an address that serves it, or do without.`,
    },
    wrong_path: { found: `has nothing at this path${said}.`, remedy: `Correct the path of the address in ${setting}.` },
    server_failing: {
      found: `fails${said}: its gateway or server is down.`,
      remedy: `Wait until its operator has fixed it, or ${other}.`,
    },
    web_page: {
      found: `returns a web page or a redirect${said}, as to a visitor without a key.`,
      remedy: put,
    },
    method_missing: { found: `does not have this method${said}.`, remedy: `Ask for a plan that has it, or ${other}.` },
    malformed: {
      found: 'returns something that cannot be read.',
      remedy: `Check what is behind the address in ${setting}: it is not the expected service.`,
    },
    answer_refused: { found: `refuses the request${said}.`, remedy: `Ask for a plan that allows it, or ${other}.` },
  }[ailment];
}
