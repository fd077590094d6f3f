// The page: what is chosen becomes a view, the view a sheet, the sheet a picture or a table, and the address tells the view.
import type { PageData } from '../write-page.ts';
import { barsHeight, barsSvg } from './bars-svg.ts';
import { type Choice, choose, USUAL_FACETS } from './choice.ts';
import { compareSheet } from './compare-sheet.ts';
import { connectControls } from './controls.ts';
import { gradientSheet } from './gradient-sheet.ts';
import { historySheet } from './history-sheet.ts';
import { plotLines } from './lines-plot.ts';
import { linesHeight, linesSvg } from './lines-svg.ts';
import { memorySheet } from './memory-sheet.ts';
import { aboutRuns, legend } from './notes.ts';
import { savePng, saveSvg } from './saving.ts';
import type { Sheet } from './sheet.ts';
import { MARGIN, svgDocument } from './svg.ts';
import { tableElements } from './table.ts';
import { applyTheme, onSystemTheme } from './theme.ts';
import { EVERY_RUN, FACETS, facetsOf, hashOf, type View, viewOf } from './view.ts';

const SHEETS = { compare: compareSheet, history: historySheet, memory: memorySheet, gradient: gradientSheet };
const KEYS_HINT = 'Points are read out by the mouse, or by ← and → in the picture.';
/** Pictures that leave the page are so wide. */
const SAVED_WIDTH = 1080;

const { runs: results, olderRuns } = JSON.parse(byId('results').textContent!) as PageData;
const controls = connectControls((view, isOtherShow) => look(isOtherShow ? turned(view) : view));
let close = () => {};
let choice: Choice;
let sheet: Sheet | undefined;

look(location.hash === '' ? { ...viewOf(''), facets: usualFacets() } : viewOf(location.hash));
addEventListener('hashchange', () => look(viewOf(location.hash)));
onSystemTheme(() => look(choice.view));
byId('svg').addEventListener('click', () => withPicture((svg, name) => saveSvg(svg, name)));
byId('png').addEventListener('click', () => withPicture(savePng));
new ResizeObserver(() => {
  if (sheet?.chart?.kind === 'bars') draw();
}).observe(byId('chart'));

/** Shows a view, as far as the results have it. */
function look(asked: View): void {
  choice = choose(results, asked);
  controls.show(choice);
  const { view, entries } = choice;
  const hash = hashOf(view);
  if (location.hash !== hash) history.replaceState(null, '', hash);
  (byId('link') as HTMLAnchorElement).href = hash;
  sheet = entries.length > 0 && view.measure !== '' ? SHEETS[view.show](choice) : undefined;
  byId('summary').textContent = sheet?.summary ?? emptyText();
  byId('about').replaceChildren(...aboutRuns(choice, olderRuns));
  draw();
}

function draw(): void {
  const { view } = choice;
  const theme = applyTheme(view.theme);
  const chart = byId('chart');
  close();
  close = () => {};
  chart.replaceChildren();
  byId('table').replaceChildren();
  const isTable = view.form === 'table';
  byId('readout').textContent = sheet?.chart?.kind === 'lines' && !isTable ? KEYS_HINT : '';
  chart.hidden = isTable || sheet === undefined;
  byId('table').hidden = !isTable || sheet === undefined;
  byId('legend').replaceChildren(...(sheet?.chart && !isTable ? legend(sheet.chart, theme) : []));
  for (const button of ['png', 'svg']) (byId(button) as HTMLButtonElement).disabled = !sheet?.chart;
  byId('title').textContent = sheet?.title ?? 'Nothing to show';
  if (sheet === undefined) return;
  if (isTable) {
    byId('table').replaceChildren(...tableElements(sheet.table));
    return;
  }
  chart.setAttribute('aria-label', `${sheet.title}. ${sheet.summary} Choose “Table” for all figures.`);
  if (sheet.chart?.kind === 'bars') {
    chart.role = 'img';
    const width = Math.max(320, chart.clientWidth);
    const height = barsHeight(sheet.chart);
    chart.innerHTML = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="${theme.ink}" font-size="13">${barsSvg(sheet.chart, width, view.scale, theme)}</svg>`;
  } else if (sheet.chart) {
    chart.role = 'application';
    chart.setAttribute(
      'aria-label',
      `${sheet.title}. ${sheet.summary} Left and right arrow keys read it out point by point.`,
    );
    close = plotLines(chart, sheet.chart, view.scale, theme, tellPoint).close;
  }
}

function tellPoint(text: string, byKey: boolean): void {
  const readout = byId('readout');
  readout.setAttribute('aria-live', byKey ? 'polite' : 'off');
  readout.textContent = text;
}

function withPicture(use: (svg: string, name: string) => void | Promise<void>): void {
  if (!sheet?.chart) return;
  const { view } = choice;
  const theme = applyTheme(view.theme);
  const inner = SAVED_WIDTH - 2 * MARGIN;
  const [height, body] =
    sheet.chart.kind === 'bars'
      ? [barsHeight(sheet.chart), barsSvg(sheet.chart, inner, view.scale, theme)]
      : [linesHeight(sheet.chart), linesSvg(sheet.chart, inner, view.scale, theme)];
  const chosen = FACETS.filter((facet) => view.facets[facet] !== '');
  const told = chosen.map((facet) => `${facet} ${view.facets[facet]}`);
  const where = [...told, view.run === EVERY_RUN ? 'every run' : `run ${view.run}`].join(' · ');
  const svg = svgDocument(
    SAVED_WIDTH,
    height,
    { title: sheet.title, where, summary: sheet.summary },
    body,
    theme,
  );
  Promise.resolve(
    use(svg, ['sluice', view.show, view.measure, ...chosen.map((facet) => view.facets[facet])].join('-')),
  ).catch((error: Error) => {
    byId('summary').textContent = `No picture was saved: ${error.message}`;
  });
}

function usualFacets(): View['facets'] {
  return facetsOf((facet) => USUAL_FACETS[facet] ?? '');
}

/** Another kind of picture keeps what was chosen, except for what the other kind alone has. */
function turned(view: View): View {
  const wasGradient = choice.view.show === 'gradient';
  const usualJob = wasGradient ? 'list' : view.facets.job;
  const job = view.show === 'gradient' ? 'gradient' : usualJob;
  return { ...view, run: view.run === EVERY_RUN ? '' : view.run, facets: { ...view.facets, job } };
}

function emptyText(): string {
  if (results.length === 0) return 'There are no results.';
  if (choice.runs.length === 0) return 'No run has anything of this kind.';
  return 'No cell is all of this. “Show all” takes the choices back.';
}

function byId(id: string): HTMLElement {
  return document.getElementById(id)!;
}
