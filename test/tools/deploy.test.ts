import { describe, expect, test } from 'vitest';
import { problemsOf, withKeystores } from '../../cli/deploy.ts';

test("an account's name means the keystore in the user's own home", () => {
  const file = '/home/ada/.foundry/keystores/deployer';
  const url = ['--rpc-url', 'http://127.0.0.1:8545'];
  expect(withKeystores([...url, '--account', 'deployer'], '/home/ada')).toEqual([...url, '--keystore', file]);
  expect(withKeystores(['--account=deployer', ...url], '/home/ada')).toEqual(['--keystore', file, ...url]);
  expect(withKeystores([...url, '--ledger'], '/home/ada')).toEqual([...url, '--ledger']);
});

// DP-1
describe('settings of a deployment', () => {
  const [operator, rotator] = [
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  ];
  const of = (settings: Record<string, string>, chainId: number | undefined = 56) => problemsOf(settings, { chainId });
  const sound = { OPERATOR: operator, ROTATOR: rotator };

  test('are sound, or each problem is a sentence', () => {
    expect(of(sound)).toEqual([]);
    expect(
      of({ ...sound, DEPLOYMENTS_DIR: '.cache/deployments/mine', VERDICT_SIGNERS: `${operator}, ${rotator}` }),
    ).toEqual([]);
    expect(of({})).toEqual(['OPERATOR is required on chain 56.', 'ROTATOR is required on chain 56.']);
    expect(of({}, 31_337)).toEqual([]);
    expect(of(sound, 97)).toEqual(['DESK_MAKER is required on chain 97.']);
    expect(of(sound, 1)).toEqual([expect.stringMatching(/^Chain 1 is not one that script\/Deploy\.s\.sol knows/)]);
    expect(of({ OPERATOR: operator.toUpperCase().replace('0X', '0x'), ROTATOR: `0x${'0'.repeat(40)}` })).toEqual([
      'OPERATOR must be an address, with its checksum if it has capital letters.',
      'ROTATOR must be an address, with its checksum if it has capital letters.',
    ]);
  });

  // DP-19
  test('refuse a key on the command line on BNB Chain, and never repeat it', () => {
    const secret = `0x${'ab'.repeat(32)}`;
    const by = (options: string[], settings: Record<string, string> = {}, chainId = 56) =>
      problemsOf({ ...sound, ...settings }, { chainId, options: withKeystores(options, '/home/ada') });
    for (const options of [['--private-key', secret], [`--private-key=${secret}`], ['--mnemonics', 'test test']]) {
      const [problem, ...more] = by(options);
      expect([problem, more]).toEqual([expect.stringMatching(/^--(private-key|mnemonics) shows a key/), []]);
      expect(problem).not.toMatch(/abab|test test/);
      expect(by(options, { RAW_KEYS: 'accepted' })).toEqual([]);
      expect(by(options, {}, 31_337)).toEqual([]);
    }
    expect(by(['--account', 'deployer', '--password-file', 'pass'])).toEqual([]);
  });

  test.each(['/tmp/records', 'script/deployments-of-mine', 'script/deployments/../..', '.cache'])(
    'name the folder %s, where forge may not write',
    (folder) => {
      expect(of({ ...sound, DEPLOYMENTS_DIR: folder })).toEqual([
        expect.stringContaining(`DEPLOYMENTS_DIR is ${folder},`),
      ]);
    },
  );
});
