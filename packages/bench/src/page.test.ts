// The page of results in a real browser: what it shows is what was recorded, and everything is reached without a mouse.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { example, launch, openPage, radio, select, skip, tableRows } from './page.fixture.ts';
import { compareMeasures } from './verdict.ts';

let browser: Browser;
before(async () => {
  if (!skip) browser = await launch();
});
after(() => browser?.close());

test('side by side: the table has the figures of the run, and the verdicts of the rule', {
  skip,
}, async (t) => {
  const page = await openPage(t, browser, example(), { hash: '#form=table&measure=serverCpu' });
  const { run, cells } = example().findLast(({ run: { subjects } }) => subjects.length > 1)!;
  assert.equal(await select(page, 'Run').inputValue(), run.id);
  const rows = await tableRows(page);
  assert.equal(rows.length, cells.length);
  let compared = 0;
  for (const cell of cells) {
    const row = rows.find((one) => one.cell === cell.name && one.subject === cell.subject)!;
    const { serverCpu } = cell.measures;
    const told = serverCpu
      ? [serverCpu.min, serverCpu.median, serverCpu.p90, serverCpu.p99, serverCpu.max]
      : [];
    const shown = ['min', 'median', 'p90', 'p99', 'max'].map((name) => row[name]!);
    assert.deepEqual(shown, serverCpu ? told.map(String) : ['', '', '', '', '']);
    if (cell.outcome !== 'measured') assert.equal(row.outcome, `${cell.outcome}: ${cell.reason}`);
    const base = cells.find(({ name, subject }) => name === cell.name && subject === 'kube-apiserver');
    const reference = base?.measures.serverCpu;
    if (cell.subject === 'kube-apiserver' || !serverCpu || !reference) {
      assert.equal(row.verdict, '');
      continue;
    }
    const { verdict, ratio } = compareMeasures(reference, serverCpu);
    assert.ok(row.verdict!.startsWith(verdict));
    assert.equal(row.ratio, String(Number(ratio!.toFixed(3))));
    compared++;
  }
  assert.ok(compared > 20);
});

test('over time, memory and gradients: tables have every run, curve and step', { skip }, async (t) => {
  const page = await openPage(t, browser, example(), { hash: '#show=history&form=table&measure=latency' });
  const all = example().flatMap(({ run, cells }) => cells.map((cell) => ({ run, cell })));
  const plain = all.filter(({ cell }) => cell.steps === undefined);
  assert.deepEqual(
    (await tableRows(page))
      .map((row) => [row.cell, row.subject, row.run, row.median, row.outcome].join(' '))
      .sort(),
    plain
      .map(({ run, cell }) => {
        const { latency } = cell.measures;
        const outcome = latency ? 'measured' : cell.reason ? `${cell.outcome}: ${cell.reason}` : 'not taken';
        return [cell.name, cell.subject, run.id, latency?.median, outcome].join(' ');
      })
      .sort(),
  );
  await radio(page, 'Memory').check();
  await page.getByRole('button', { name: 'Show all' }).click();
  await select(page, 'Run').selectOption('every');
  const most = (curve: { rssBytes: number[] }) => String(Math.max(...curve.rssBytes));
  const curves = all.flatMap(({ cell: { memory, steps = [] } }) => [
    ...(memory ? [most(memory)] : []),
    ...steps.flatMap((step) => (step.memory ? [most(step.memory)] : [])),
  ]);
  assert.ok(curves.length > 100);
  assert.deepEqual((await tableRows(page)).map((row) => row.most!).sort(), curves.sort());
  await radio(page, 'Gradients').check();
  await page.getByRole('button', { name: 'Show all' }).click();
  await select(page, 'Run').selectOption('every');
  const steps = all.flatMap(({ cell }) => cell.steps ?? []);
  const gradients = await tableRows(page);
  assert.deepEqual(
    gradients.map(({ load, 'fell behind': behind }) => [load, behind]),
    steps.map(({ load, fellBehind }) => [String(load), fellBehind ? 'yes' : 'no']),
  );
  assert.ok(gradients.some((row) => row['fell behind'] === 'yes'));
});

test('heads of columns sort the table, by numbers and by letters', { skip }, async (t) => {
  const page = await openPage(t, browser, example(), { hash: '#form=table&measure=latency' });
  const head = page.getByRole('button', { name: 'median', exact: true });
  await head.click();
  const ascending = (await tableRows(page)).map((row) => row.median!);
  const figures = ascending.filter((text) => text !== '').map(Number);
  assert.deepEqual(
    figures,
    [...figures].sort((a, b) => a - b),
  );
  // Cells without a figure come last, whichever way.
  assert.ok(
    ascending.slice(figures.length).every((text) => text === '') && figures.length < ascending.length,
  );
  await head.press('Enter');
  const descending = (await tableRows(page)).map((row) => row.median!);
  assert.deepEqual(descending.slice(0, figures.length).map(Number), figures.toReversed());
  assert.equal(await page.locator('th[aria-sort]').getAttribute('aria-sort'), 'descending');
  await page.getByRole('button', { name: 'cell', exact: true }).click();
  const names = (await tableRows(page)).map((row) => row.cell!);
  assert.deepEqual(names, names.toSorted());
});

test('bars are as long as their figures, and by their logarithms on a logarithmic axis', {
  skip,
}, async (t) => {
  const page = await openPage(t, browser, example(), { hash: '#kind=pods&representation=json&job=list' });
  await radio(page, 'Table').check();
  const medians = (await tableRows(page)).map((row) => Number(row.median));
  assert.ok(medians.length > 4 && medians.every((value) => value > 0));
  await radio(page, 'Picture').check();
  const bars = await page.locator('#chart rect').all();
  const lengths = await Promise.all(bars.map(async (bar) => Number(await bar.getAttribute('width'))));
  const most = Math.max(...medians);
  const longest = Math.max(...lengths);
  const offBy = (one: number, other: number) => Math.abs(one - other);
  assert.equal(lengths.length, medians.length);
  // Half a pixel for rounding, and a bar is never thinner than one.
  lengths.forEach((length, at) => {
    assert.ok(offBy(length, Math.max(1, (medians[at]! / most) * longest)) < 0.5, `${at}`);
  });
  await radio(page, 'Log').check();
  const dots = await page.locator('#chart circle').all();
  const places = await Promise.all(dots.map(async (dot) => Number(await dot.getAttribute('cx'))));
  const logarithms = medians.map(Math.log);
  const [low, high] = [Math.min(...logarithms), Math.max(...logarithms)];
  const [left, right] = [Math.min(...places), Math.max(...places)];
  places.forEach((place, at) => {
    const expected = left + ((logarithms[at]! - low) / (high - low)) * (right - left);
    assert.ok(offBy(place, expected) < 0.5, `${at}`);
  });
});

test('choices narrow what is shown, and the link shows it again', { skip }, async (t) => {
  const page = await openPage(t, browser, example());
  const summary = page.getByRole('status');
  const before = await summary.textContent();
  await select(page, 'Kind').selectOption('pods');
  await select(page, 'Metric').selectOption('wireBytes');
  await select(page, 'Percentile').selectOption('p99');
  await radio(page, 'Log').check();
  await page.getByLabel('Name contains').pressSequentially('GZIP json');
  await radio(page, 'Table').check();
  assert.notEqual(await summary.textContent(), before);
  const shown = await tableRows(page);
  assert.deepEqual([...new Set(shown.map((row) => row.cell))], ['pods/json/gzip/h2/r1/on/list']);
  const text = await page.locator('main').textContent();
  const link = await page.getByRole('link', { name: 'Link to this view' }).getAttribute('href');
  await page.reload();
  assert.equal(await page.locator('main').textContent(), text);
  const other = await openPage(t, browser, example(), { hash: link! });
  assert.equal(await other.locator('main').textContent(), text);
  assert.equal(await other.getByLabel('Name contains').inputValue(), 'GZIP json');
  assert.equal(await select(other, 'Percentile').inputValue(), 'p99');
  await other.getByLabel('Name contains').fill('no such cell');
  assert.match((await other.getByRole('status').textContent())!, /^No cell is all of this\./);
  await other.getByRole('button', { name: 'Show all' }).click();
  assert.ok((await tableRows(other)).length > shown.length);
  // Another kind of picture is of the same cells.
  await select(other, 'Kind').selectOption('configmaps');
  for (const show of ['Over time', 'Memory', 'Side by side']) {
    await radio(other, show).check();
    const kinds = (await tableRows(other)).map((row) => row.cell!.split('/')[0]);
    assert.deepEqual([...new Set(kinds)], ['configmaps']);
  }
});

test('everything is reached by Tab and worked by keys, and tells its name', { skip }, async (t) => {
  const page = await openPage(t, browser, example(), { hash: '#show=history&kind=pods&representation=json' });
  const names: string[] = [];
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(
      `(() => { const e = document.activeElement; return e === document.body ? '' : e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent; })()`,
    );
    if (name === '' || names.includes(name as string)) break;
    names.push((name as string).trim().split(/\s{2,}|\n/)[0]!);
  }
  const expected = [
    ...['Skip to the picture', 'Over time', 'Colours', 'Run', 'Metric', 'Percentile', 'Name contains', 'Job'],
    ...['Kind', 'Representation', 'Encoding', 'HTTP', 'Readers', 'Gate', 'Subject', 'Show all', 'Linear'],
    ...[
      'Picture',
      'Save the picture as PNG',
      'Save the picture as SVG',
      'Link to this view',
      'latency, median',
    ],
    'What was measured',
  ];
  assert.deepEqual(
    expected.filter((name) => !names.some((one) => one.startsWith(name))),
    [],
    names.join(' | '),
  );
  const chart = page.getByRole('application');
  await chart.focus();
  await page.keyboard.press('Home');
  const first = await page.locator('#readout').textContent();
  assert.match(first!, /^2026-12-01 14:21: .*\d ms \(/);
  await page.keyboard.press('ArrowRight');
  assert.match((await page.locator('#readout').textContent())!, /^2026-12-01 14:31: /);
  assert.equal(await page.locator('#readout').getAttribute('aria-live'), 'polite');
  await radio(page, 'Over time').focus();
  await page.keyboard.press('ArrowLeft');
  assert.ok(await radio(page, 'Side by side').isChecked());
  const picture = await page.getByRole('img').first().getAttribute('aria-label');
  assert.match(picture!, /^latency, median\. .* cells?; .*Choose “Table” for all figures\.$/);
  await radio(page, 'Table').check();
  assert.equal(await page.locator('caption').count(), 1);
  assert.equal(
    await page.locator('thead th:not([scope=col]), tbody tr > :first-child:not([scope=row])').count(),
    0,
  );
});

test('pictures are saved as PNG and as SVG that stand for themselves', { skip }, async (t) => {
  for (const show of ['compare', 'history', 'memory', 'gradient']) {
    const page = await openPage(t, browser, example(), { hash: `#show=${show}&words=json` });
    const png = await saved(page, 'PNG');
    assert.match(png.name, new RegExp(`^sluice-${show}-.*\\.png$`));
    assert.equal(png.bytes.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
    assert.ok(png.bytes.readUInt32BE(16) >= 1000 && png.bytes.readUInt32BE(20) >= 300);
    // A blank picture of that size would be a few kilobytes.
    assert.ok(png.bytes.length > 15_000, String(png.bytes.length));
    const svg = (await saved(page, 'SVG')).bytes.toString();
    const [root, heading, shapes] = (await page.evaluate(
      `(() => { const d = new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml'); return [d.documentElement.nodeName, d.querySelector('title').textContent, d.querySelectorAll('rect, path, circle').length]; })()`,
    )) as [string, string, number];
    assert.deepEqual([root, heading], ['svg', await page.locator('#title').textContent()]);
    assert.ok(shapes > 2);
    assert.doesNotMatch(svg, /<script|href=|url\(|NaN|undefined/);
  }
});

async function saved(page: Page, format: string): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `as ${format}` }).click(),
  ]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}
