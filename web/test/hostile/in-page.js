// @ts-nocheck
// Runs in the page before its own code: a wallet that forwards its requests, a clock that can be moved forward, and one
// function that plays a round without leaving the page. This way thousands of rounds take minutes.
(() => {
  const { owner, chainId, rpcUrl, startMs } = globalThis.bowlineHostileSetup;
  const state = { asked: 0, offset: 0, looks: 0, isStuck: false };
  const [wall, steady] = [Date.now, performance.now.bind(performance)];
  // The page's time matches the chain's: time until the page is loaded counts for neither.
  const loadedAt = wall();
  Date.now = () => startMs + wall() - loadedAt + state.offset;
  performance.now = () => steady() + state.offset;
  // The page's own clocks tick each second; here they also tick when the time is moved forward.
  const ticks = new Set();
  const realInterval = setInterval;
  globalThis.setInterval = (act, ms, ...rest) => {
    if (ms === 1_000) ticks.add(act);
    return realInterval(act, ms, ...rest);
  };
  // Shortens the page's timeouts for a wallet's capabilities and for a reading after a step.
  const realTimeout = setTimeout;
  globalThis.setTimeout = (act, ms, ...rest) => realTimeout(act, ms === 3_000 ? 60 : ms, ...rest);
  const realFetch = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (asked, how) => {
    state.asked += 1;
    const isNode = String(asked?.url ?? asked).startsWith(rpcUrl);
    try {
      const response = await (isNode
        ? realFetch('/node', { method: 'POST', body: how?.body ?? (await asked.text()) })
        : realFetch(asked, how));
      const text = await response.text();
      return new Response(text, { status: response.status, headers: response.headers });
    } finally {
      // Requests that follow from an answer are made in later tasks.
      setTimeout(() => (state.asked -= 1), 0);
    }
  };
  const provider = {
    async request({ method, params = [] }) {
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [owner];
      if (method === 'eth_chainId') return chainId;
      if (method === 'wallet_requestPermissions') return [];
      // The test decides what the wallet does (wallet.ts).
      const response = await fetch('/wallet', { method: 'POST', body: JSON.stringify({ method, params }) });
      const { result, error, isSilent, isStuck } = await response.json();
      if (isStuck) state.isStuck = true;
      if (isSilent) await new Promise(() => {});
      if (error) throw Object.assign(new Error(error.message), { code: error.code });
      return result;
    },
    on() {},
    removeListener() {},
  };
  const info = {
    uuid: '7f1c7f0e-0d0c-4f2e-9f55-0b0b0b0b0b0b',
    name: 'Test wallet',
    icon: 'data:,',
    rdns: 'example.wallet',
  };
  const announce = () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
  addEventListener('eip6963:requestProvider', announce);
  announce();

  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  /** Waits until no request is in flight and the page has drawn what it was told. */
  const rest = async () => {
    for (let quiet = 0; quiet < 2; quiet = state.asked === 0 ? quiet + 1 : 0) await pause(4);
  };
  const until = async (found, most = 1_500) => {
    for (let tries = 0; tries < most; tries++) {
      const value = found();
      if (value) return value;
      await pause(6);
    }
    return undefined;
  };
  const buttons = (pattern) =>
    [...document.querySelectorAll('main button, main summary')].filter(
      (each) => pattern.test(each.textContent.trim()) && !each.disabled && each.checkVisibility(),
    );
  const panel = () => document.querySelector('.stop-panel') ?? { textContent: '' };
  const choose = (value) => document.querySelector(`main form input[type=radio][value=${value}]`)?.click();
  const fill = (text, field = document.querySelector('main form input[inputmode]')) => {
    if (!field) return;
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  /** Closes what is open, reads again, and opens a form. A hostile node's answers may leave nothing to press. */
  const openForm = async (opener) => {
    for (const button of buttons(/^Close$/)) button.click();
    await doings.look();
    (await until(() => buttons(new RegExp(`^${opener}`))[0], 150))?.click();
  };
  const doings = {
    /** Requests a verdict, and presses every button that leads to a signature. */
    async trade(side, amount) {
      state.isStuck = false;
      choose(side === 'buy' ? side : 'sell');
      await rest();
      choose(side === 'bnb' ? 'BNB' : 'BTCB');
      await rest();
      fill('');
      await until(
        () =>
          document.querySelector('main').textContent.includes('No verdict yet') || buttons(/^Show it again/).length > 0,
      );
      fill(amount);
      (await until(() => buttons(/^(Get verdict|Show it again)$/)[0]))?.click();
      await rest();
      // Also ticks boxes that confirm.
      for (const box of document.querySelectorAll('main input[type=checkbox]')) if (!box.checked) box.click();
      for (const button of buttons(/^(Buy BTCB for|Sell [0-9.]+ (BTCB|BNB) for|Prepare swap|Revoke)/)) {
        button.click();
        await pause(0);
        await until(() => state.isStuck || !document.querySelector('main').textContent.includes('Signing'));
        await rest();
      }
    },
    /** Opens the form that pays for the rescues of another account's loan, approves the amount and signs the consent. */
    async fund(opener, amount, borrower) {
      if (!location.search.includes(borrower)) history.pushState(null, '', `/loans?address=${borrower}`);
      await openForm(opener);
      const total = () =>
        [...document.querySelectorAll('main form label')].find((each) => each.textContent === 'With up to');
      fill(amount, (await until(total, 150))?.control);
      await rest();
      (await until(() => buttons(/^Approve$/)[0], 150))?.click();
      await pause(0);
      await until(() => !document.querySelector('main').textContent.includes('Signing'));
      (await until(() => buttons(/^Sign the consent$/)[0], 150))?.click();
      await rest();
    },
    /** Opens a form of the loan, enters the amount if there is one, and presses the button that signs. */
    async loan(opener, amount) {
      await openForm(opener);
      await until(() => document.querySelector('main form'), 150);
      if (amount === '') choose('sale');
      await rest();
      if (amount !== '') fill(amount);
      await rest();
      const signs = await until(() => buttons(/^(Approve and (repay|add|close))$/)[0], 150);
      signs?.click();
      await pause(0);
      await until(() => !document.querySelector('main').textContent.includes('Signing'));
      await rest();
    },
    /** Reads everything shown again, as when the tab becomes visible again. */
    async look() {
      // Wait for requests in flight: a new one would share their answer, dated by the earlier request.
      await rest();
      state.looks += 1;
      state.offset += 31_000;
      for (const tick of ticks) tick();
      document.dispatchEvent(new Event('visibilitychange'));
      window.dispatchEvent(new Event('visibilitychange'));
      await rest();
    },
    /** Reads everything again, including what is still approved, in the stop button's panel. */
    async approvals() {
      const inPanel = [...document.querySelectorAll('.stop-panel button')].filter((each) => each.checkVisibility());
      for (const button of inPanel) if (/^(Not now|Close)$/.test(button.textContent.trim())) button.click();
      await rest();
      await doings.look();
      document.querySelector('header.top button.stop').click();
      await until(() => /approvals are active|[Nn]othing is approved|could be read/.test(panel().textContent));
      await rest();
    },
    /** Goes to another section by its link, and waits for the section's content. */
    async open(path) {
      if (location.search !== '') history.pushState(null, '', location.pathname);
      await rest();
      const link = document.querySelector(`nav a[href="${path}"]`);
      link.click();
      await until(
        () => link.getAttribute('aria-current') === 'page' && document.querySelector('#main h1:not(.unseen)'),
      );
      if (path === '/') await until(() => document.querySelector('.status'));
      if (path === '/trade') await until(() => document.querySelector('main form input[inputmode]'));
      await rest();
    },
    /** Waits until the page is idle. */
    settle: rest,
    async again() {
      for (const button of buttons(/^(Get new verdict|Try again|Check again|Refresh)/).slice(0, 1)) button.click();
      await rest();
    },
  };
  globalThis.bowlineLooks = () => state.looks;
  globalThis.bowlineHostile = async (doing, ...given) => {
    await doings[doing](...given);
    const text = document.body.textContent;
    const badges = [...document.querySelectorAll('.badge')].map((each) => each.textContent.trim());
    const stop = [...document.querySelectorAll('button')].filter(
      (each) => /^Stop everything$/.test(each.textContent.trim()) && each.checkVisibility() && !each.disabled,
    );
    return {
      badges,
      home: document.querySelector('.status')?.textContent ?? '',
      isGreen: document.querySelector('.network .dot.good') !== null,
      hasStop: stop.length > 0,
      hasSections: document.querySelector('nav') !== null,
      saysBought: /is in your wallet/.test(text),
      saysUnsound: /failed our safety check/.test(text),
      saysApproved: /approvals are (active|still active)/.test(text),
      saysNothingApproved: /[Nn]othing is approved/.test(text),
      hasFailed: /cannot be shown/.test(text),
      text: text.match(/.{80}cannot be shown.{60}/)?.[0],
    };
  };
})();
