// Opens pages of results in Chromium for tests, and sees what they ask for.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import type { Cell, Measure, MeasureName, Run } from './results.ts';
import { type Recorded, readResults } from './results-file.ts';
import { writePage } from './write-page.ts';

const CHROMIUM = '/usr/bin/chromium';

/** For tests: why they are skipped. */
export const skip: string | false = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM} here`;

export const EXAMPLE: string = fileURLToPath(new URL('../testdata/results/history.jsonl', import.meta.url));

export const example = (): Recorded[] => readResults(EXAMPLE);

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });
}

type Options = { hash?: string; colorScheme?: 'light' | 'dark'; width?: number };

/** When the test ends, the page must have asked for nothing but itself, and thrown nothing. */
export async function openPage(
  t: TestContext,
  browser: Browser,
  runs: readonly Recorded[],
  { hash = '', colorScheme = 'light', width = 1200 }: Options = {},
): Promise<Page> {
  const out = mkdtempSync(join(tmpdir(), 'sluice-page-'));
  const url = pathToFileURL(writePage({ runs, out })).href;
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
  const [asked, thrown]: [string[], string[]] = [[], []];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', ({ message }) => thrown.push(message));
  page.on('console', (message) => message.type() === 'error' && thrown.push(message.text()));
  t.after(async () => {
    await page.close();
    rmSync(out, { recursive: true, force: true });
    const others = asked.filter((one) => !one.startsWith(url) && !/^(data|blob):/.test(one));
    assert.deepEqual([others, thrown], [[], []]);
  });
  await page.goto(url + hash);
  return page;
}

/** By what it is called, as a screen reader would find it. */
export const select = (page: Page, name: string): Locator =>
  page.getByRole('combobox', { name, exact: true });
export const radio = (page: Page, name: string): Locator => page.getByRole('radio', { name, exact: true });

/** All that the table has, row by row, by the names of its columns. */
export async function tableRows(page: Page): Promise<Record<string, string>[]> {
  const more = page.getByRole('button', { name: /^Show all \d+ rows$/ });
  if (await more.isVisible()) await more.click();
  const columns = await page.locator('thead th').allTextContents();
  const cells = await page.locator('tbody tr > *').allTextContents();
  return Array.from({ length: cells.length / columns.length }, (_, row) =>
    Object.fromEntries(columns.map((column, at) => [column, cells[row * columns.length + at]!])),
  );
}

export function runOf(id: string, subjects: readonly string[]): Run {
  return {
    ...{ type: 'run', schema: 1, id, startedAt: '2026-05-04T10:11:12Z' },
    machine: { cpu: 'x', cores: 2, memoryBytes: 1, system: 'x' },
    ...{ versions: {}, commit: null, flags: [], ceilings: {} },
    subjects: subjects.map((name) => ({ name, version: 'v1' })),
  };
}

export function cellOf(kind: string, subject: string, values: Partial<Record<MeasureName, number[]>>): Cell {
  const measures = Object.fromEntries(Object.entries(values).map(([name, all]) => [name, measure(all)]));
  return {
    ...{ type: 'cell', name: `${kind}/json/identity/h2/r1/on/list`, kind, representation: 'json' },
    ...{ encoding: 'identity', http: 'h2', readers: 1, gate: 'on', job: 'list', subject },
    ...{ objects: { count: 1, bytes: 1 }, outcome: 'measured', measures },
  };
}

function measure(values: number[]): Measure {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return { unit: 'seconds', values, min, median: min, p90: max, p99: max, max };
}
