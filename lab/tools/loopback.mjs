// What is on this machine is asked directly, also where the environment names a proxy. A proxy elsewhere would look for it there.

const loopback = ['127.0.0.1', 'localhost', '::1', '[::1]'];

/**
 * Both spellings, since some programs read one of them and some the other, and what either of them names already.
 * @param {Readonly<Record<string, string | undefined>>} [env]
 * @returns {{ NO_PROXY: string, no_proxy: string }}
 */
export function withoutProxy(env = process.env) {
  const named = [env.NO_PROXY, env.no_proxy].flatMap((list) => list?.split(',') ?? []).map((host) => host.trim());
  const hosts = [...new Set([...named.filter(Boolean), ...loopback])].join(',');
  return { NO_PROXY: hosts, no_proxy: hosts };
}
