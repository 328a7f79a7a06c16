import type { Socket } from 'node:net';
import { callerBehind } from '@bowline/http/caller';
import { expect, it } from 'vitest';

const keysOf = (trustedProxies: number, remoteAddress: string, forwarded?: string) =>
  callerBehind(trustedProxies)({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress } as Socket,
  }).map(({ key, weight }) => [key, weight]);

// AG-162
it.each([
  ['192.0.2.7', [['192.0.2.7', 1]]],
  // A dual-stack socket shows IPv4 this way. As one /64, all IPv4 addresses would be one caller.
  ['::ffff:192.0.2.7', [['192.0.2.7', 1]]],
  ['::ffff:c000:207', [['192.0.2.7', 1]]],
  [
    '2001:db8:1:2:3:4:5:6',
    [
      ['2001:db8:1:2::/64', 1],
      ['2001:db8:1::/48', 4],
    ],
  ],
  [
    '2001:0DB8:0001:0002::1',
    [
      ['2001:db8:1:2::/64', 1],
      ['2001:db8:1::/48', 4],
    ],
  ],
  [
    'fe80::1%eth0',
    [
      ['fe80:0:0:0::/64', 1],
      ['fe80:0:0::/48', 4],
    ],
  ],
  [
    '::1',
    [
      ['0:0:0:0::/64', 1],
      ['0:0:0::/48', 4],
    ],
  ],
])('the caller at %s', (address, keys) => {
  expect(keysOf(0, address)).toEqual(keys);
});

// AG-162
it.each([
  ['no proxy: what a caller says of itself is not read', 0, '198.51.100.1', '10.0.0.1'],
  ['one proxy', 1, '198.51.100.1', '198.51.100.1'],
  ['one proxy, and a caller that forges what stands left', 1, '192.0.2.1, 192.0.2.2, 198.51.100.1', '198.51.100.1'],
  ['two proxies', 2, '192.0.2.1,198.51.100.1 , 203.0.113.9', '198.51.100.1'],
  ['a proxy that adds the port', 1, '198.51.100.1:50123', '198.51.100.1'],
  ['fewer addresses than proxies', 2, '198.51.100.1', '10.0.0.1'],
  ['what is no address', 1, 'unknown', '10.0.0.1'],
  ['nothing', 1, undefined, '10.0.0.1'],
])('behind %s', (_, trusted, forwarded, caller) => {
  expect(keysOf(trusted, '10.0.0.1', forwarded)).toEqual([[caller, 1]]);
});

it('takes IPv6 in brackets, with a port', () => {
  const [narrow] = keysOf(1, '10.0.0.1', '[2001:db8::1]:443');
  expect(narrow).toEqual(['2001:db8:0:0::/64', 1]);
});
