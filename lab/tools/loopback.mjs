// Requests to this machine bypass any proxy in the environment: a remote proxy would look for them on its own machine.

const loopback = ['127.0.0.1', 'localhost', '::1', '[::1]'];

/**
 * Sets both spellings, because programs read one or the other, and keeps the hosts that either already names.
 * @param {Readonly<Record<string, string | undefined>>} [env]
 * @returns {{ NO_PROXY: string, no_proxy: string }}
 */
export function withoutProxy(env = process.env) {
  const named = [env.NO_PROXY, env.no_proxy].flatMap((list) => list?.split(',') ?? []).map((host) => host.trim());
  const hosts = [...new Set([...named.filter(Boolean), ...loopback])].join(',');
  return { NO_PROXY: hosts, no_proxy: hosts };
}
