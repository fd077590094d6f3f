// Results that a page must bear: none, failures, hundreds of cells, names that are long or look like HTML; and both themes.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { cellOf, example, launch, openPage, radio, runOf, select, skip, tableRows } from './page.fixture.ts';
import type { Cell } from './results.ts';
import type { Recorded } from './results-file.ts';
import { PAGE_DATA_MAX_BYTES, PAGE_RUNS_MAX, type PageData, writePage } from './write-page.ts';

let browser: Browser;
before(async () => {
  if (!skip) browser = await launch();
});
after(() => browser?.close());

const VALUES = [1, 1.1, 1.2, 1.3, 1.4, 1.5];

test('no results, and runs without cells, are said to be so', { skip }, async (t) => {
  const none = await openPage(t, browser, []);
  assert.equal(await none.getByRole('status').textContent(), 'There are no results.');
  const empty = await openPage(t, browser, [{ run: runOf('a', ['s']), cells: [] }]);
  for (const show of ['Over time', 'Memory', 'Gradients', 'Side by side']) {
    await radio(empty, show).check();
    assert.equal(await empty.getByRole('status').textContent(), 'No run has anything of this kind.');
    assert.ok(await empty.getByRole('button', { name: 'PNG' }).isDisabled());
  }
});

test('one run is a history of one', { skip }, async (t) => {
  const runs = [{ run: runOf('a', ['s']), cells: [cellOf('pods', 's', { latency: VALUES })] }];
  const page = await openPage(t, browser, runs, { hash: '#show=history' });
  assert.match(
    (await page.getByRole('status').textContent())!,
    /1 series over 1 run\. No two runs to compare/,
  );
});

test('cells that failed or were refused keep their place, with the reason', { skip }, async (t) => {
  const failed = { ...cellOf('pods', 's', {}), outcome: 'failed' as const, reason: 'not within 60 s' };
  const cells = [failed, cellOf('pods', 'other', { latency: VALUES })];
  const page = await openPage(t, browser, [{ run: runOf('a', ['s', 'other']), cells }]);
  assert.match((await page.getByRole('status').textContent())!, /1 cell; 1 failed\./);
  assert.match((await page.locator('#chart').textContent())!, /failed: not within 60 s/);
  await radio(page, 'Table').check();
  assert.equal((await tableRows(page))[0]!.outcome, 'failed: not within 60 s');
});

test('hundreds of cells with long names: the picture says what it left out, the table has all', {
  skip,
}, async (t) => {
  const kinds = Array.from({ length: 600 }, (_, index) => `${'long-'.repeat(60)}${index}`);
  const cells = kinds.flatMap((kind) => [
    cellOf(kind, 'a'.repeat(200), { latency: VALUES }),
    cellOf(kind, 'b', { latency: VALUES.map((value) => value * 3) }),
  ]);
  const page = await openPage(t, browser, [{ run: runOf('a', ['a'.repeat(200), 'b']), cells }], {
    width: 700,
  });
  assert.match(
    (await page.getByRole('status').textContent())!,
    /600 cells; 600 of 600 figures differ .* shows the first 80 of 600 cells; the table has all\.$/,
  );
  assert.equal(await scrollsAside(page), false);
  await radio(page, 'Table').check();
  assert.equal(await page.locator('tbody tr').count(), 500);
  await page.getByRole('button', { name: 'Show all 1200 rows' }).press('Enter');
  assert.equal(await page.locator('tbody tr').count(), 1200);
  // Who works by keys goes on where the first rows ended.
  assert.equal(await page.locator('tbody tr:nth-child(501) th:focus').count(), 1);
  await page.getByLabel('Name contains').fill('long-599/');
  assert.equal(await page.locator('tbody tr').count(), 2);
  assert.equal(await scrollsAside(page), false);
});

test('names are text, whatever they look like', { skip }, async (t) => {
  const name = `</script><img src="http://127.0.0.1:9/x" onerror="document.title='broken'">`;
  const runs = [{ run: runOf('a', [name, 's']), cells: [cellOf(name, name, { latency: VALUES })] }];
  for (const show of ['compare', 'history']) {
    const page = await openPage(t, browser, runs, { hash: `#show=${show}` });
    assert.ok((await page.locator('main').textContent())!.includes(name));
    assert.deepEqual([await page.title(), await page.locator('img').count()], ['LIST benchmark', 0]);
  }
});

test('both themes are readable, by the system and by the switch', { skip }, async (t) => {
  const light = await openPage(t, browser, example(), { hash: '#show=history&kind=pods' });
  const dark = await openPage(t, browser, example(), {
    hash: '#show=history&kind=pods',
    colorScheme: 'dark',
  });
  const grounds = [];
  for (const page of [light, dark]) {
    const ground = await colourOf(page, 'main', 'backgroundColor');
    grounds.push(luminance(ground));
    for (const selector of ['h2', '#summary', '#link', 'summary', 'button[type=reset]']) {
      assert.ok(contrast(ground, await colourOf(page, selector, 'color')) >= 4.5, selector);
    }
    const lines = await page.locator('#legend line').all();
    assert.equal(lines.length, 8);
    const drawn = await Promise.all(lines.map((line) => line.getAttribute('stroke')));
    assert.equal(new Set(drawn).size, 8);
    for (const colour of drawn) assert.ok(contrast(ground, hexadecimal(colour!)) >= 3, colour!);
  }
  assert.ok(grounds[0]! > 0.8 && grounds[1]! < 0.05);
  await select(light, 'Colours').selectOption('dark');
  assert.deepEqual(
    await colourOf(light, 'main', 'backgroundColor'),
    await colourOf(dark, 'main', 'backgroundColor'),
  );
  await dark.emulateMedia({ colorScheme: 'light' });
  await dark.locator('html[data-theme=light]').waitFor({ state: 'attached' });
  assert.ok(luminance(await colourOf(dark, 'main', 'backgroundColor')) > 0.8);
});

test('writePage() draws each run once, and of a long history the newest', (t) => {
  const runs = Array.from({ length: PAGE_RUNS_MAX + 5 }, (_, index) => ({
    run: runOf(`run-${String(index).padStart(4, '0')}`, ['s']),
    cells: [] as Cell[],
  }));
  const ids = (recorded: readonly Recorded[]) => recorded.map(({ run }) => run.id);
  const { text, data } = written(t, [...runs, ...runs].reverse());
  assert.deepEqual([ids(data.runs), data.olderRuns], [ids(runs.slice(5)), 5]);
  assert.doesNotMatch(text.replace(/id="results">.*/, ''), /https?:\/\/(?!www\.w3\.org\/)/);
  const large = { ...cellOf('pods', 's', {}), reason: 'x'.repeat(PAGE_DATA_MAX_BYTES / 4) };
  const heavy = runs.slice(0, 6).map(({ run }) => ({ run, cells: [large] }));
  const less = written(t, heavy).data;
  assert.deepEqual([ids(less.runs), less.olderRuns], [ids(heavy.slice(3)), 3]);
});

test('runs that had no place are told of', { skip }, async (t) => {
  const runs = Array.from({ length: PAGE_RUNS_MAX + 2 }, (_, index) => ({
    run: runOf(`run-${String(index).padStart(4, '0')}`, ['s']),
    cells: [cellOf('pods', 's', { latency: VALUES })],
  }));
  const page = await openPage(t, browser, runs, { hash: '#show=history' });
  assert.match((await page.getByRole('status').textContent())!, /1 series over 100 runs\./);
  assert.match((await page.locator('#about').textContent())!, /^2 older runs had no place on this page\./);
});

function written(t: TestContext, runs: readonly Recorded[]): { text: string; data: PageData } {
  const out = mkdtempSync(join(tmpdir(), 'sluice-page-'));
  t.after(() => rmSync(out, { recursive: true, force: true }));
  const text = readFileSync(writePage({ runs, out }), 'utf8');
  const [, data] = /id="results">(.*)<\/script>/.exec(text)!;
  return { text, data: JSON.parse(data!) as PageData };
}

function scrollsAside(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > innerWidth');
}

type Colour = [number, number, number];

async function colourOf(page: Page, selector: string, property: string): Promise<Colour> {
  const text = await page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
  return (text as string).match(/\d+/g)!.slice(0, 3).map(Number) as Colour;
}

function hexadecimal(colour: string): Colour {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as Colour;
}

/** As WCAG 2 has it. */
function contrast(one: Colour, other: Colour): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Colour;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
