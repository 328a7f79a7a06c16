import type { Environment } from './environment.ts';

/** What was a setting, and where its value comes from now. */
const former: Readonly<Record<string, string>> = {
  ...{ RPC_URLS: 'RPC_URL', RPC_WS_URLS: 'RPC_URL', SEND_URLS: 'RPC_URL', BUNDLER_URLS: 'BUNDLER_URL' },
  ...{ VERDICT_FORMER_PRIVATE_KEYS: 'VERDICT_PRIVATE_KEY', UNNAMED_VERDICT_SIGNER: 'KEEPER_PRIVATE_KEY (off)' },
  ...{ RESCUE_MAX_GAS_PRICE_GWEI: 'MAX_GAS_PRICE_GWEI', PLAN_MAX_GAS_PER_OWNER_PER_DAY: 'MAX_GAS_BNB_PER_DAY' },
  ...{ GUARD_INTERVAL_SECONDS: 'EXECUTOR_INTERVAL_SECONDS', PLAN_MIN_PERIOD_SECONDS: 'EXECUTOR_INTERVAL_SECONDS' },
  ...{ DOOR_LIMIT: 'CALLER_LIMIT', REFUSAL_LIMIT: 'CALLER_LIMIT', STOP_FILE: 'DATA_DIR (the file stop in it)' },
  ...{ WEB_ALLOWED_HOSTS: 'ALLOWED_HOSTS', WEB_TRUSTED_PROXIES: 'TRUSTED_PROXIES' },
  ...{ PRIVATE_SEND_BUMP_AFTER_BLOCKS: '', VERDICT_LIMITS: '', LENDING_OFF: '', PAGE_URL: '', SECURITY_CONTACT: '' },
  ...{ PLAN_TOKENS: '', PLAN_MIN_RUN_USD: '', GUARD_MAX_TRIGGER: '', GUARD_MIN_COOLDOWN_SECONDS: '' },
  ...{ GUARD_MIN_REPAY_USD: '', WEB_FILES: '' },
};

/** A line for each that is set, itself or by its file: whoever sets one believes that it holds. */
export const formerSettings = (environment: Environment): string[] =>
  Object.entries(former)
    .filter(([name]) => [name, `${name}_FILE`].some((each) => environment[each]?.trim()))
    .map(([name, now]) => `${name} is no setting any more: ${now ? `set ${now} instead` : 'unset it'}.`);
