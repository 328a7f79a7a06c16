// The part of PromQL that ops/alerts.yml is written in: selectors, numbers, + and -, one comparison, `or`, `absent` and
// `increase`. An expression outside it throws. Where promtool is installed, it checks the same file.

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Samples of one scrape, taken at this second. */
export interface Scrape {
  readonly at: number;
  readonly samples: readonly Sample[];
}

/** Samples of a text in the Prometheus format. */
export const samplesIn = (text: string): Sample[] =>
  [...text.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/gim)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', text = '']) => [key, text])),
    value: Number(value?.replace('Inf', 'Infinity')),
  }));

type Element = Omit<Sample, 'name'>;
type Value = number | readonly Element[];

const compare: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};
const token = /\s*(?:(\d+(?:\.\d+)?)|([a-z_]\w*)|("[^"]*")|(=~|[<>=!]=|[-+<>(){}[\],=]))/giy;

/** The expression's result at the last of the scrapes; an empty vector: nothing fires. */
export function evaluate(expression: string, scrapes: readonly Scrape[]): readonly Element[] {
  const tokens =
    expression
      .trim()
      .match(token)
      ?.map((each) => each.trim()) ?? [];
  if (tokens.join('').replaceAll(' ', '') !== expression.replaceAll(/\s/g, '')) throw new Error(`Read: ${tokens}`);
  let at = 0;
  const peek = () => tokens[at];
  const take = (expected?: string): string => {
    const next = tokens[at++];
    if (next === undefined || (expected !== undefined && next !== expected)) {
      throw new Error(`Expected ${expected ?? 'more'} and found ${next} in ${expression}`);
    }
    return next;
  };
  const last = scrapes.at(-1) ?? { at: 0, samples: [] };

  function selector(name: string): (sample: Sample) => boolean {
    const tests: ((sample: Sample) => boolean)[] = [(sample) => sample.name === name];
    if (peek() === '{') {
      while (take() !== '}' && peek() !== '}') {
        const [key, operator, text] = [take(), take(), take().slice(1, -1)];
        const pattern = new RegExp(`^(?:${text})$`);
        tests.push(({ labels: { [key]: label = '' } }) => (operator === '=~' ? pattern.test(label) : label === text));
      }
    }
    return (sample) => tests.every((test) => test(sample));
  }

  const vector = (chosen: (sample: Sample) => boolean): Element[] =>
    last.samples.filter(chosen).map(({ labels, value }) => ({ labels, value }));

  /** Without Prometheus's extrapolation to the ends of the range. */
  function increase(): Element[] {
    const chosen = selector(take());
    take('[');
    const seconds = Number(take()) * { s: 1, m: 60, h: 3_600 }[take() as 's' | 'm' | 'h'];
    take(']');
    const range = scrapes.filter((scrape) => scrape.at >= last.at - seconds);
    return vector(chosen).map(({ labels, value }) => {
      for (const { samples } of range) {
        const first = samples.find((sample) => chosen(sample) && isSame(sample.labels, labels));
        if (first !== undefined) return { labels, value: value - first.value };
      }
      return { labels, value: 0 };
    });
  }

  function term(): Value {
    const next = take();
    if (next === '-') return negated(term());
    if (/^\d/.test(next)) return Number(next);
    if (peek() !== '(') return vector(selector(next));
    take('(');
    const inner = next === 'increase' ? increase() : any();
    take(')');
    if (next === 'increase') return inner;
    if (next !== 'absent') throw new Error(`${next} is not read here: ${expression}`);
    return typeof inner !== 'number' && inner.length === 0 ? [{ labels: {}, value: 1 }] : [];
  }

  function sum(): Value {
    let left = term();
    while (peek() === '+' || peek() === '-') {
      const isMinus = take() === '-';
      const right = isMinus ? negated(term()) : term();
      left = combine(left, right, (a, b) => a + b);
    }
    return left;
  }

  function comparison(): Value {
    const left = sum();
    const test = compare[peek() ?? ''];
    if (test === undefined) return left;
    take();
    return combine(left, sum(), (a, b) => (test(a, b) ? a : undefined));
  }

  function any(): Value {
    let found = comparison();
    while (peek() === 'or') {
      take();
      found = [...(found as Element[]), ...(comparison() as Element[])];
    }
    return found;
  }

  const value = any();
  if (at < tokens.length || typeof value === 'number') throw new Error(`Not a vector to the end: ${expression}`);
  return value;
}

const negated = (value: Value): Value => combine(value, 0, (a) => -a);

const isSame = (a: Element['labels'], b: Element['labels']): boolean =>
  Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);

/** Elements of two vectors match by equal labels. `undefined` leaves an element out. */
function combine(left: Value, right: Value, apply: (a: number, b: number) => number | undefined): Value {
  if (typeof left === 'number') {
    if (typeof right === 'number') return apply(left, right) ?? Number.NaN;
    throw new Error('Write the number on the right.');
  }
  return left.flatMap(({ labels, value }) => {
    const other = typeof right === 'number' ? right : right.find((each) => isSame(each.labels, labels))?.value;
    const result = other === undefined ? undefined : apply(value, other);
    return result === undefined ? [] : [{ labels, value: result }];
  });
}
