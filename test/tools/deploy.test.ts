import { expect, test } from 'vitest';
import { withKeystores } from '../../tools/deploy.mjs';

test("an account's name means the keystore in the user's own home", () => {
  const file = '/home/ada/.foundry/keystores/deployer';
  const url = ['--rpc-url', 'http://127.0.0.1:8545'];
  expect(withKeystores([...url, '--account', 'deployer'], '/home/ada')).toEqual([...url, '--keystore', file]);
  expect(withKeystores(['--account=deployer', ...url], '/home/ada')).toEqual(['--keystore', file, ...url]);
  expect(withKeystores([...url, '--ledger'], '/home/ada')).toEqual([...url, '--ledger']);
});
