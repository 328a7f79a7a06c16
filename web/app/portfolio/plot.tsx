import { formatUnits } from '@bowline/core/domain/units';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { scaleOf } from '../parts/price-chart.tsx';
import { language } from '../words/language.ts';
import { dayTick, hourTick } from '../words/times.ts';
import type { Band } from './chart-facts.ts';

interface Props {
  /** Unix seconds and US dollars, oldest first; two at least. */
  readonly history: readonly (readonly [number, string])[];
  /** Start of the chart, unix seconds: marks may be earlier than the first price. */
  readonly from: number;
  readonly band: Band | undefined;
  readonly marks: readonly { readonly kind: 'run' | 'skip'; readonly time: number }[];
  /** Description of the picture for screen readers. */
  readonly label: string;
}

const HEIGHT = 240;

/** The chart itself. Floats are precise enough for pixels. */
export function Plot({ history, from, band, marks, label }: Props) {
  const place = useRef<HTMLDivElement>(null);
  // Redrawn only on a change, because the page renders every second.
  const edges = band && [toNumber(band.fromWad), toNumber(band.toWad)];
  const drawn = JSON.stringify([history, from, edges, marks, language()]);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const [points, start, edges, own] = JSON.parse(drawn) as [
      Props['history'],
      number,
      [number, number] | null,
      Props['marks'],
    ];
    const plot = draw(element, points, start, edges ?? undefined, own);
    const resize = () => plot.setSize({ width: element.clientWidth, height: HEIGHT });
    const watch = new ResizeObserver(resize);
    watch.observe(element);
    const theme = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => plot.redraw();
    theme.addEventListener('change', redraw);
    return () => {
      watch.disconnect();
      theme.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [drawn]);
  return <div className="plot" role="img" aria-label={label} ref={place} />;
}

const toNumber = (wad: bigint): number => Number(formatUnits(wad, 18));

function draw(
  element: HTMLElement,
  history: Props['history'],
  from: number,
  band: readonly [number, number] | undefined,
  marks: Props['marks'],
): uPlot {
  const times = history.map(([time]) => time);
  const prices = history.map(([, price]) => Number(price));
  const all = [...prices, ...(band ?? [])];
  const [low, high] = scaleOf(all);
  const ticked = (times.at(-1) ?? 0) - (times[0] ?? 0) > 2 * 86_400 ? dayTick : hourTick;
  const room = (high - low || high) * 0.08;
  // Read at each draw, so that a theme change takes effect.
  const colour = (name: string) => {
    element.style.color = `var(${name})`;
    return getComputedStyle(element).color;
  };
  const axis = { stroke: () => colour('--soft'), grid: { stroke: () => colour('--line'), width: 1 } } as const;
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      scales: { x: { range: [from, times.at(-1) ?? from] }, y: { range: [low - room, high + room] } },
      series: [{}, { stroke: () => colour('--accent'), width: 2, points: { show: false } }],
      axes: [
        { ...axis, values: (_, ticks) => ticks.map((tick) => ticked(tick * 1_000)) },
        { ...axis, size: 76, values: (_, ticks) => ticks.map((tick) => `$${tick.toLocaleString('en')}`) },
      ],
      hooks: {
        drawClear: [(plot) => band && drawBand(plot, band, colour('--good-tint'))],
        draw: [(plot) => drawMarks(plot, times, prices, marks, { run: colour('--good'), skip: colour('--bad') })],
      },
    },
    [times, prices],
    element,
  );
}

function drawBand({ ctx, bbox, valToPos }: uPlot, [from, to]: readonly [number, number], colour: string): void {
  const [top, bottom] = [valToPos(to, 'y', true), valToPos(from, 'y', true)];
  ctx.save();
  ctx.fillStyle = colour;
  ctx.fillRect(bbox.left, top, bbox.width, bottom - top);
  ctx.restore();
}

/** Draws runs as dots and skips as crosses on the line, so that shape tells them apart, not only colour. */
function drawMarks(
  { ctx, valToPos }: uPlot,
  times: readonly number[],
  prices: readonly number[],
  marks: Props['marks'],
  colours: { readonly run: string; readonly skip: string },
): void {
  const size = 5 * devicePixelRatio;
  ctx.save();
  ctx.lineWidth = 2 * devicePixelRatio;
  for (const { kind, time } of marks) {
    const x = valToPos(Math.min(time, times.at(-1) ?? time), 'x', true);
    const y = valToPos(priceAt(times, prices, time), 'y', true);
    ctx.fillStyle = colours[kind];
    ctx.strokeStyle = colours[kind];
    ctx.beginPath();
    if (kind === 'run') {
      ctx.arc(x, y, size, 0, 2 * Math.PI);
      ctx.fill();
    } else {
      ctx.moveTo(x - size, y - size);
      ctx.lineTo(x + size, y + size);
      ctx.moveTo(x + size, y - size);
      ctx.lineTo(x - size, y + size);
      ctx.stroke();
    }
  }
  ctx.restore();
}

/** The price on the line between two closes. */
function priceAt(times: readonly number[], prices: readonly number[], time: number): number {
  const after = times.findIndex((each) => each >= time);
  if (after < 0) return prices.at(-1) ?? 0;
  if (after === 0) return prices[0] ?? 0;
  const [t0 = 0, t1 = 1] = times.slice(after - 1, after + 1);
  const [p0 = 0, p1 = 0] = prices.slice(after - 1, after + 1);
  return p0 + ((p1 - p0) * (time - t0)) / (t1 - t0);
}
