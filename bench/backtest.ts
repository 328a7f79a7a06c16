import { readBars, slotsOfBars } from './backtest/bars.ts';
import { slotsOfCrypto } from './backtest/crypto.ts';
import { type Slot, scorecard } from './backtest/scorecard.ts';

// `npm run bench:backtest`: measures what deferrals would have saved and cost, over real daily prices of an index and
// over simulated hourly crypto prices with attacks.

const USD = 100;
const SEED = 1;
const HOURS = 20_000;
const ATTACKED = 0.02;

const usd = (amount: number) => amount.toFixed(2).padStart(11);

function print(title: string, slots: readonly Slot[]): void {
  const { bought, rows } = scorecard(slots, USD);
  console.log(`${title}\n${slots.length} slots of ${USD} USD, ${bought} bought at once, seed ${SEED}`);
  console.log(
    `${'deferred for'.padEnd(24)}${'slots'.padStart(7)}${'saved USD'.padStart(11)}${'lost USD'.padStart(11)}        net`,
  );
  const all = { reason: 'all', deferrals: 0, saved: 0, lost: 0 };
  for (const row of rows) {
    all.deferrals += row.deferrals;
    all.saved += row.saved;
    all.lost += row.lost;
  }
  for (const { reason, deferrals, saved, lost } of [...rows, all]) {
    console.log(`${reason.padEnd(24)}${String(deferrals).padStart(7)}${usd(saved)}${usd(lost)}${usd(saved - lost)}`);
  }
  console.log('');
}

const bars = await readBars();
print(`S&P 500, ${bars.at(0)?.date} to ${bars.at(-1)?.date}, real daily closes`, slotsOfBars(bars, SEED));
print('Crypto, simulated, by the hour, nobody attacks', slotsOfCrypto(HOURS, 0, SEED));
print(`The same, attacked in ${ATTACKED * 100} % of the hours`, slotsOfCrypto(HOURS, ATTACKED, SEED));
