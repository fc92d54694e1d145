// SPDX-License-Identifier: MIT
// The findings: verdict, rate, course, survivors by birth and mark, call stacks. What is inside a finding is made when it
// is opened: hundreds of findings must not cost hundreds of matrices.
'use strict';

function findings() {
  const shown = data.findings.filter(f => f.isReported), others = data.findings.filter(f => !f.isReported);
  const box = $('finding-list');
  $('finding-count').textContent = shown.length ? grouped(shown.length) : '';
  if (!shown.length) make('p', box, 'card', data.cycles ? 'No call site grows.' : data.verdict);
  shown.forEach((f, index) => finding(f, box, index === 0));
  if (!others.length) return;
  const more = make('details', box, 'card others');
  make('summary', more, '', `${plural(others.length, 'more finding')} without growth`);
  filled(more, inside => others.forEach(f => finding(f, inside, false)));
}

// Calls `fill` with a new box when the details are opened for the first time.
function filled(details, fill) {
  const open = () => {
    if (!details.open || details.dataset.filled) return;
    details.dataset.filled = 'yes';
    fill(make('div', details, 'inside'));
  };
  details.addEventListener('toggle', open);
  open();
}

function finding(f, parent, isOpen) {
  const box = make('details', parent, 'card finding'), head = make('summary', box);
  const kind = f.grows ? 'grows' : f.verdict === 'inconclusive' ? 'unsure' : 'level';
  const badge = make('span', head, `badge ${kind}`);
  make('span', badge, 'badge-word', f.verdict);
  make('span', badge, 'badge-note', f.certainty);
  const title = make('span', head, 'title');
  make('span', title, 'name', frameName(f.headline < 0 ? -1 : f.headline));
  make('span', title, 'place', framePlace(f.headline));
  sparkline(f.live, head);
  const amount = make('span', head, 'amount');
  make('span', amount, 'strong', byteRate(f.bytesPerCycle));
  make('span', amount, 'place', `${rate(f.blocksPerCycle)} ${Math.abs(f.blocksPerCycle) === 1 ? 'block' : 'blocks'} a cycle`);
  box.open = isOpen;
  filled(box, inside => {
    const columns = make('div', inside, 'columns'), facts = make('div', columns);
    make('p', facts, '', `${f.verdict}: ${f.meaning}.`);
    if (f.why) make('p', facts, '', f.why);
    const list = make('dl', facts, 'pairs');
    fact(list, 'alive', `${plural(f.blocks, 'block')}, ${bytes(f.bytes)}`, 'at the last cycle’s mark');
    if (f.fromCycle !== null) fact(list, 'grows from', `cycle ${f.fromCycle} on`);
    if (f.period !== null && f.period > 1) fact(list, 'period', `every ${f.period} cycles`);
    if (f.furtherCycles !== null) fact(list, 'unsettled', `${plural(f.furtherCycles, 'more cycle')} would settle it`);
    if (framePath(f.headline)) fact(list, 'source', framePath(f.headline));
    fact(list, 'fingerprint', f.fingerprint);
    // Beside the survivors, where there is room.
    callStacks(f, facts);
    if (f.matrix) heatMap(f.matrix, make('div', columns));
  });
}

function sparkline(values, parent) {
  const width = 104, height = 26;
  const svg = draw('svg', parent, { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', class: 'spark' });
  if (values.length < 2) return;
  const low = values.reduce((a, b) => Math.min(a, b)), high = values.reduce((a, b) => Math.max(a, b)), span = high - low || 1;
  const last = values.length - 1;
  svg.setAttribute('aria-label', `Alive at the end of each cycle: from ${bytes(values[0])} to ${bytes(values[last])}, at most ${bytes(high)}`);
  const step = Math.max(1, Math.floor(values.length / width)), points = [];
  for (let i = 0; i <= last; i += step) points.push([i, values[i]]);
  if (points[points.length - 1][0] !== last) points.push([last, values[last]]);
  const x = i => 3 + i / last * (width - 6), y = v => height - 3 - (high > low ? (v - low) / span : 0) * (height - 6);
  draw('polyline', svg, { points: points.map(([i, v]) => `${x(i).toFixed(1)},${y(v).toFixed(1)}`).join(' '), class: 'line heap' });
  draw('circle', svg, { cx: x(last), cy: y(values[last]), r: 2.4, class: 'dot heap' });
}

// Survivors ----------------------------------------------------------------------------------------------------------

function heatMap(matrix, parent) {
  const { marks, births, values } = matrix, count = marks.length;
  const most = values.reduce((most, row) => row.reduce((a, b) => Math.max(a, b), most), 1);
  make('h4', parent, '', 'Survivors: born in (rows), alive at mark (columns)');
  const cell = Math.max(9, Math.min(24, Math.floor(440 / count))), side = 34, hasNumbers = cell >= 17 && most < 1000;
  const width = side + count * cell + 4, height = count * cell + 22;
  const box = make('div', parent, 'matrix'), svg = draw('svg', box, { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' });
  svg.setAttribute('aria-label', `Blocks by birth and mark, at most ${grouped(most)}; the numbers are in the table that follows`);
  const every = Math.max(1, Math.ceil(26 / cell));
  for (let i = 0; i < count; i++) {
    if (i % every === 0) {
      draw('text', svg, { x: side - 6, y: i * cell + cell / 2 + 4, 'text-anchor': 'end', class: 'small' }, births[i]);
      draw('text', svg, { x: side + i * cell + cell / 2, y: count * cell + 15, 'text-anchor': 'middle', class: 'small' }, marks[i]);
    }
    for (let j = i; j < count; j++) {
      const value = values[i][j], share = value / most;
      const at = { x: side + j * cell, y: i * cell, width: cell - 1, height: cell - 1 };
      const square = draw('rect', svg, { ...at, rx: 1.5, class: value ? 'heat' : 'cold' });
      if (value) square.style.fillOpacity = 0.18 + 0.72 * share;
      draw('title', square, {}, `born in generation ${births[i]}, alive at mark ${marks[j]}: ${plural(value, 'block')}`);
      if (hasNumbers && value)
        draw('text', svg, { x: at.x + (cell - 1) / 2, y: at.y + cell / 2 + 3.5, 'text-anchor': 'middle', class: share > 0.55 ? 'on-heat' : 'on-cold' }, value);
    }
  }
  make('p', parent, 'hint', survivorsText(matrix));
  const table = make('details', parent, 'plain');
  make('summary', table, '', 'As a table');
  filled(table, inside => matrixTable(matrix, inside));
}

// What is alive at the last mark by birth, equal neighbours once: 0×2 1×18.
function survivorsText({ marks, values }) {
  const last = marks.length - 1, runs = [];
  for (const row of values) {
    const run = runs[runs.length - 1];
    if (run && run[0] === row[last]) run[1]++;
    else runs.push([row[last], 1]);
  }
  const words = runs.slice(0, 30).map(([value, count]) => count === 1 ? grouped(value) : `${grouped(value)}×${count}`);
  return `Blocks alive at mark ${marks[last]} by birth, oldest first: ${words.join('  ')}${runs.length > 30 ? ' …' : ''}`;
}

function matrixTable({ marks, births, values }, parent) {
  const scroll = make('div', parent, 'scroll'), table = make('table', scroll, 'numbers');
  scroll.tabIndex = 0;
  const head = make('tr', make('thead', table)), body = make('tbody', table);
  make('th', head, '', 'born in').scope = 'col';
  for (const mark of marks) make('th', head, '', mark).scope = 'col';
  values.forEach((row, i) => {
    const line = make('tr', body);
    make('th', line, '', births[i]).scope = 'row';
    row.forEach((value, j) => make('td', line, '', j < i ? '' : grouped(value)));
  });
}

// Call stacks --------------------------------------------------------------------------------------------------------

function callStacks(f, parent) {
  make('h4', parent, '', f.callSiteCount === 1 ? 'Call stack' : `${grouped(f.callSiteCount)} call stacks`);
  f.callSites.forEach((site, index) => {
    const box = make('details', parent, 'plain stack-box');
    const head = make('summary', box);
    make('span', head, '', `${rate(site.blocksPerCycle)} ${Math.abs(site.blocksPerCycle) === 1 ? 'block' : 'blocks'}, ${byteRate(site.bytesPerCycle)} a cycle`);
    make('span', head, 'place', `${plural(site.blocks, 'block')}, ${bytes(site.bytes)} alive${site.verdict === f.verdict ? '' : ` · ${site.verdict}`}`);
    box.open = index === 0;
    filled(box, inside => {
      stackList(stackOf(site.node), inside);
      button(inside, 'Show in the call tree', () => showInTree(site.node));
    });
  });
  if (f.callSites.length < f.callSiteCount)
    make('p', parent, 'hint', `The largest ${f.callSites.length} of ${grouped(f.callSiteCount)}; genmark explain ${f.fingerprint} shows all.`);
}
