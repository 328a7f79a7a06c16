// @ts-nocheck
// Runs in the page before its own code: a provider that announces itself (EIP-6963) and forwards requests to the test.
(() => {
  const ask = globalThis.bowlineTestWallet;
  const listeners = new Map();
  const provider = {
    async request({ method, params = [] }) {
      const answer = await ask(method, params);
      if (answer?.code !== undefined) throw Object.assign(new Error(answer.message), { code: answer.code });
      if (method === 'wallet_switchEthereumChain') {
        for (const told of listeners.get('chainChanged') ?? []) told(await ask('eth_chainId', []));
      }
      return answer;
    },
    on(event, listener) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
    },
    removeListener() {},
  };
  const info = {
    uuid: '5d1c7f0e-0d0c-4f2e-9f55-0b0b0b0b0b0b',
    name: 'Test wallet',
    icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
    rdns: 'example.test.wallet',
  };
  const announce = () =>
    globalThis.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
    );
  globalThis.addEventListener('eip6963:requestProvider', announce);
  announce();
})();
