// SPDX-License-Identifier: MIT
// The top of the report and the generations: what was recorded, the verdict on the whole, the chart, the table.
'use strict';

const ICONS = {
  grows: 'M4 17l6-6 4 4 7-9M15 6h6v6', level: 'M5 13l4 4L19 7', unsure: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5',
  warning: 'M12 4L2.5 20h19zM12 10v5M12 17.5v.5',
};
function icon(name, parent) {
  const box = draw('svg', parent, { viewBox: '0 0 24 24', width: 22, height: 22, 'aria-hidden': 'true', class: 'icon' });
  draw('path', box, { d: ICONS[name], fill: 'none', stroke: 'currentColor', 'stroke-width': 2, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' });
}

function fact(list, name, value, note) {
  const box = make('div', list);
  make('dt', box, '', name);
  const text = make('dd', box, '', value);
  if (note) make('span', text, 'note', note);
}

function header() {
  const trace = data.trace, cycles = data.cycles, name = baseName(trace.program);
  document.title = `${name} · genmark report`;
  $('program').textContent = name;
  $('file').textContent = trace.file;
  const facts = $('facts');
  fact(facts, 'pid', String(trace.pid));
  fact(facts, trace.isRunning ? 'state' : 'ended', trace.end);
  fact(facts, 'duration', duration(trace.duration));
  fact(facts, 'marks', data.generations.length > 1 ? grouped(data.generations[markCount].number) : 'none');
  if (cycles)
    fact(facts, 'cycles judged', grouped(cycles.judged), `of ${grouped(cycles.marked)}${cycles.label ? ` “${cycles.label}”` : ''}`);
  const last = data.generations[markCount];
  fact(facts, trace.isRunning ? 'alive now' : 'alive at the end', bytes(last.live));
}

function outcome() {
  const box = $('outcome'), [verdict, ...reasons] = data.verdict.split('\n');
  box.classList.add(data.outcome);
  icon(data.outcome, box);
  const text = make('div', box, 'grow');
  make('p', text, 'verdict', verdict);
  for (const reason of reasons) make('p', text, '', reason);
  if (data.process) make('p', text, '', data.process.sentence);
  if (data.cycles) {
    make('p', text, 'hint', `Warm-up: ${data.cycles.warmUpReason || 'none'}.`);
    if (data.cycles.labelReason) make('p', text, 'hint', `Cycles: ${data.cycles.labelReason}.`);
  }
  if (!data.process) return;
  const figures = make('dl', box, 'figures');
  fact(figures, 'heap a cycle', byteRate(data.process.heap));
  if (data.process.rss !== null) fact(figures, 'RSS a cycle', byteRate(data.process.rss));
  if (data.process.held !== null) fact(figures, 'allocator a cycle', byteRate(data.process.held));
  if (data.process.threads) fact(figures, 'threads a cycle', rate(data.process.threads));
}

function losses() {
  const box = $('losses'), { losses, notes } = data.trace;
  box.classList.toggle('any', losses.length > 0);
  icon(losses.length ? 'warning' : 'level', box);
  const text = make('div', box, 'grow');
  make('p', text, 'strong', losses.length ? 'Not everything was recorded' : 'Nothing was lost: all allocations and call stacks were recorded whole.');
  if (losses.length + notes.length === 0) return;
  const list = make('ul', text);
  for (const loss of losses) make('li', list, '', loss);
  for (const note of notes) make('li', list, 'hint', note);
}

// Chart --------------------------------------------------------------------------------------------------------------

// Two panels with one x axis, a step for each generation however long it took: beside RSS on the same axis a heap that
// doubles can look flat.
const chart = { cursor: -1, width: 0 };

function drawChart() {
  const box = $('chart'), rows = data.generations, width = Math.max(320, box.clientWidth);
  chart.width = width;
  const left = 74, right = 14, inner = width - left - right, count = rows.length;
  const panels = [
    { key: 'live', title: 'Live heap', name: 'heap', top: 24, height: 130 },
    { key: 'rss', title: 'RSS', name: 'rss', top: 190, height: 90 },
  ].filter(panel => rows.some(row => row[panel.key] !== null));
  const bottom = panels[panels.length - 1].top + panels[panels.length - 1].height, height = bottom + 52;
  // Moment i is the end of generation i.
  const x = i => left + (count > 1 ? i / (count - 1) : 0.5) * inner;
  const svg = draw('svg', null, { width, height, viewBox: `0 0 ${width} ${height}`, tabindex: 0, role: 'img',
    'aria-label': 'Live heap and RSS at the end of each generation; the table of generations below has the numbers' });
  const shade = draw('g', svg), grid = draw('g', svg), lines = draw('g', svg);
  hatch(svg);

  const band = (from, to, text) => {
    if (to - from < 1) return;
    for (const panel of panels)
      draw('rect', shade, { x: from, y: panel.top, width: to - from, height: panel.height, fill: 'url(#hatch)' });
    if (to - from > text.length * 6.4) draw('text', shade, { x: (from + to) / 2, y: 15, 'text-anchor': 'middle', class: 'small' }, text);
  };
  if (data.judged) {
    band(x(0), x(data.judged[0] - 1), 'warm-up');
    band(x(data.judged[1] - 1), x(count - 1), data.cycles.settling > 0 ? 'settling' : 'after');
  }
  for (const panel of panels) plot(panel, rows, x, { left, right: width - right }, grid, lines);
  // Marks, as many as can be told apart.
  const step = Math.max(1, Math.ceil((count - 1) / (inner / 6)));
  for (let i = 0; i < count - 1; i += step)
    draw('line', grid, { x1: x(i), x2: x(i), y1: bottom, y2: bottom + 5, class: 'tick' });
  const every = Math.max(1, Math.ceil((count - 1) / (inner / 46)));
  for (let i = 0; i < count - 1; i += every)
    draw('text', grid, { x: x(i), y: bottom + 18, 'text-anchor': 'middle', class: 'small' }, rows[i + 1].number);
  draw('text', grid, { x: left - 8, y: bottom + 18, 'text-anchor': 'end', class: 'small' }, 'mark');
  chart.range = draw('g', svg);
  chart.x = x;
  chart.bottom = bottom;
  chart.cross = draw('line', svg, { y1: panels[0].top, y2: bottom, class: 'cross', visibility: 'hidden' });
  clear(box).append(svg);
  chart.readout = make('p', box, 'hint readout');
  chart.readout.setAttribute('role', 'status');
  svg.addEventListener('pointermove', event => point(Math.round((event.offsetX - left) / inner * (count - 1))));
  svg.addEventListener('keydown', event => {
    const next = { ArrowLeft: chart.cursor - 1, ArrowRight: chart.cursor + 1, Home: 0, End: count - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    point(next);
  });
  point(chart.cursor);
  showRange();
}

function hatch(svg) {
  const pattern = draw('pattern', draw('defs', svg), { id: 'hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' });
  draw('line', pattern, { x1: 0, x2: 0, y1: 0, y2: 6, class: 'hatch' });
}

function plot(panel, rows, x, edge, grid, lines) {
  const { key, name, top, height } = panel;
  const known = [];
  rows.forEach((row, i) => { if (row[key] !== null) known.push([i, row[key]]); });
  const most = known.reduce((most, [, value]) => Math.max(most, value), 0) || 1, base = top + height;
  const y = value => base - value / (most * 1.06) * height;
  draw('text', grid, { x: edge.left, y: top - 9, class: `axis ${name}` }, panel.title);
  for (const value of byteSteps(most, 4)) {
    draw('line', grid, { x1: edge.left, x2: edge.right, y1: y(value), y2: y(value), class: value === 0 ? 'base' : 'grid' });
    draw('text', grid, { x: edge.left - 8, y: y(value) + 4, 'text-anchor': 'end', class: 'small' }, bytes(value));
  }
  // Of all generations that fall on one pixel, the lowest and the highest are drawn.
  const columns = new Map();
  for (const [i, value] of known) {
    const column = columns.get(Math.round(x(i)));
    if (!column) columns.set(Math.round(x(i)), [x(i), value, value]);
    else { column[1] = Math.min(column[1], value); column[2] = Math.max(column[2], value); }
  }
  const points = [];
  for (const [at, low, high] of columns.values()) {
    points.push(`${at.toFixed(1)},${y(low).toFixed(1)}`);
    if (high > low) points.push(`${at.toFixed(1)},${y(high).toFixed(1)}`);
  }
  const first = x(known[0][0]), last = x(known[known.length - 1][0]);
  draw('polygon', lines, { points: `${first},${base} ${points.join(' ')} ${last},${base}`, class: `area ${name}` });
  draw('polyline', lines, { points: points.join(' '), class: `line ${name}` });
  if (known.length <= 60) for (const [i, value] of known) draw('circle', lines, { cx: x(i), cy: y(value), r: 2.2, class: `dot ${name}` });
}

function point(i) {
  const rows = data.generations;
  if (i < 0 || i >= rows.length) {
    chart.readout.textContent = 'Hatched: cycles that are not judged. Point at the chart, or use the arrow keys in it, to read numbers.';
    return;
  }
  chart.cursor = i;
  for (const name of ['x1', 'x2']) chart.cross.setAttribute(name, chart.x(i));
  chart.cross.setAttribute('visibility', 'visible');
  const row = rows[i];
  chart.readout.textContent = `End of generation ${generationName(row)}${row.label === null ? '' : `, mark “${row.label}”`}: `
    + `heap ${bytes(row.live)}${row.rss === null ? '' : `, RSS ${bytes(row.rss)}`}, growth ${bytes(row.growth)} in ${plural(row.persistent, 'block')}`;
}

// The range A..B below the axis.
function showRange() {
  const group = clear(chart.range), { from, to } = choice, at = position => chart.x(Math.max(0, position - 1));
  if (data.generations.length < 2 || from >= to) return;
  const y = chart.bottom + 34, a = from === 0 ? chart.x(0) : at(from), b = at(to);
  draw('path', group, { d: `M${a} ${y - 5}v5H${b}v-5`, class: 'range' });
  draw('text', group, { x: (a + b) / 2, y: y + 14, 'text-anchor': 'middle', class: 'small range-text' }, 'A..B');
}

// Generations --------------------------------------------------------------------------------------------------------

const MOST_GENERATIONS = 2000;
function generationTable() {
  const box = $('generation-table'), rows = data.generations, first = Math.max(0, rows.length - MOST_GENERATIONS);
  if (first > 0) make('p', box, 'hint', `The newest ${grouped(MOST_GENERATIONS)} of ${grouped(rows.length)}.`);
  const scroll = make('div', box, 'card scroll');
  scroll.tabIndex = 0;
  scroll.setAttribute('role', 'region');
  scroll.setAttribute('aria-label', 'Table of generations');
  const table = make('table', scroll, 'numbers'), head = make('tr', make('thead', table)), body = make('tbody', table);
  for (const title of ['Generation', 'Label', 'Time', 'Duration', 'Growth', '# Persistent', '# Transient', 'Live heap', 'RSS'])
    make('th', head, title === 'Label' ? 'left' : '', title).scope = 'col';
  const most = rows.reduce((most, row) => Math.max(most, row.growth), 1);
  for (let i = first; i < rows.length; i++) {
    const row = rows[i], line = make('tr', body);
    const show = button(make('td', line), generationName(row), () => choose(i, i + 1), 'link');
    show.title = 'Show what was born in it in the call tree';
    make('td', line, 'left label', row.label === null ? data.trace.isRunning ? '(now)' : '(end)' : row.label);
    make('td', line, '', duration(row.startedAt));
    make('td', line, '', duration(row.duration));
    bar(make('td', line, 'bar-cell', bytes(row.growth)), row.growth / most);
    make('td', line, '', grouped(row.persistent));
    make('td', line, '', grouped(row.transient));
    make('td', line, '', bytes(row.live));
    make('td', line, '', row.rss === null ? '–' : bytes(row.rss));
  }
}

// The same number again as a length, below the text.
function bar(cell, share) {
  make('span', cell, 'share').style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
}
