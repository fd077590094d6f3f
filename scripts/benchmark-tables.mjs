// Writes the tables of BENCHMARKS.md from a run's results: how two of its subjects compare, cell by cell.
//
//   node scripts/benchmark-tables.mjs results.jsonl [kube-apiserver [sluice]]
import { compareMeasures, readResults } from '../packages/bench/dist/index.js';

const [file, theirs = 'kube-apiserver', ours = 'sluice'] = process.argv.slice(2);
const { run, cells } = readResults(file).at(-1);
const { machine, versions, subjects, ceilings } = run;
const mb = (bytes) => `${Math.round(bytes / 1e6)} MB/s`;
console.log(
  `Run ${run.id} of commit ${run.commit?.slice(0, 7)}: ${machine.cores} cores (${machine.cpu}), ${Math.round(machine.memoryBytes / 2 ** 30)} GiB, ${machine.system}, Node ${versions.node}.`,
);
console.log(`Subjects: ${subjects.map(({ name, version }) => `${name} (${version})`).join(', ')}.`);
console.log(
  `The clients read a plain source at ${Object.entries(ceilings)
    .map(([client, bytes]) => `${client} ${mb(bytes)}`)
    .join(', ')}.`,
);

const tables = new Map();
for (const cell of cells) {
  const title = `${cell.job} of ${cell.kind}`;
  const rows = tables.get(title) ?? new Map();
  tables.set(title, rows);
  const pair = rows.get(cell.name) ?? {};
  rows.set(cell.name, pair);
  pair[cell.subject] = cell;
}
for (const [title, rows] of [...tables].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const [{ [ours]: own }] = rows.values();
  const objects = own
    ? `, ${own.objects.count} of ${Math.round(own.objects.bytes / own.objects.count)} bytes`
    : '';
  console.log(`\n### ${title}${objects}\n`);
  console.log(
    `| cell | ${theirs} | ${ours} | | CPU ${theirs} | CPU ${ours} | memory above start, ${theirs} / ${ours} |`,
  );
  console.log('|---|---|---|---|---|---|---|');
  for (const [name, pair] of rows) console.log(row(name, pair[theirs], pair[ours]));
}

function row(name, a, b) {
  const [, representation, encoding, http, readers, gate] = name.split('/');
  const cell = [representation, encoding, http, readers, ...(gate === 'off' ? ['gate off'] : [])].join(' ');
  const peaks = [a, b].map((one) => memory(one?.measures.rssPeakAboveStart)).join(' / ');
  const latency = (one) => time(main(one), one);
  const cpu = (one) => time(one?.measures.serverCpu);
  return `| ${cell} | ${latency(a)} | ${latency(b)} | ${told(a, b)} | ${cpu(a)} | ${cpu(b)} | ${peaks} |`;
}

/** Watches tell how late events are. */
function main(cell) {
  return cell?.measures.latency ?? cell?.measures.eventLag;
}

function time(measure, cell) {
  if (!measure) return cell && cell.outcome !== 'measured' ? `${cell.outcome}` : '';
  const { median } = measure;
  return median < 1 ? `${(median * 1e3).toPrecision(3)} ms` : `${median.toPrecision(3)} s`;
}

function memory(measure) {
  return measure ? `${Math.round(measure.median / 2 ** 20)} MiB` : '–';
}

/** By the stated rule of `packages/bench/src/verdict.ts`; in parentheses what has too few rounds for it. */
function told(a, b) {
  const [before, after] = [main(a), main(b)];
  if (!before || !after) return '';
  const { verdict, ratio, low } = compareMeasures(before, after);
  const factor = ratio < 1 ? `${(1 / ratio).toPrecision(2)}x faster` : `${ratio.toPrecision(2)}x slower`;
  if (ratio !== null && low === null) return `(${factor})`;
  if (verdict !== 'differs') return "can't tell";
  return ratio < 1 ? factor : `**${factor}**`;
}
