import { expect, test } from 'vitest';
import { isPublicAddress, isWebhookUrl } from '../../src/notify/addresses.ts';

// AG-80.

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '172.15.255.255',
  '172.32.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001:830::200e',
])('%s is an address of the public internet', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
  ...['172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.1'],
  ...['203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::7f00:1', '64:ff9b::7f00:1', '64:ff9b:1::1', '100::1'],
  ...['fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0', '2606:4700::1111%lo', 'fec0::1', 'ff02::1'],
  ...['2001::1', '2001:0:7f00:1::', '2001:db8::1', '2002:7f00:1::', '3fff::1', '4000::1'],
  ...['', 'localhost', '127.1', '0x7f000001', '2130706433', '8.8.8.8 ', '8.8.8'],
])('%s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  ['https://hook.example/a?b=c', true, true],
  ['https://hook.example:8443/', true, true],
  ['https://8.8.8.8/', true, true],
  ['http://127.0.0.1:9000/hook', false, true],
  ['http://localhost:9000/', false, true],
  ['http://[::1]:9000/', false, true],
  ['http://hook.example/', false, false],
  ['http://127.0.0.1.hook.example/', false, false],
  ['http://localhost.hook.example/', false, false],
  ['https://user:secret@hook.example/', false, false],
  ['https://hook.example@10.0.0.1/', false, false],
  ['https://hook.example/#part', false, false],
  ['https://hook.example/#', false, false],
  ['https://HOOK.example/', false, false],
  ['https://hook.example', false, false],
  ['https://0x7f.1/', false, false],
  ['https://hook.example/a\nAccount: 0x1', false, false],
  ['https://hook.example/\u00e9', false, false],
  ['ftp://hook.example/', false, false],
  ['file:///etc/passwd', false, false],
  ['gopher://127.0.0.1/', false, false],
  [`https://hook.example/${'a'.repeat(480)}`, false, false],
  ['', false, false],
])('%j may be a webhook: %s, of a local chain: %s', (url, isOne, isLocalOne) => {
  expect([isWebhookUrl(url, false), isWebhookUrl(url, true)]).toEqual([isOne, isLocalOne]);
});
