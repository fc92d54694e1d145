// SPDX-License-Identifier: MIT
// The report's behaviour. Text from the recorded program is only ever set as text, never as markup. Arrays are flat, as
// HTMLData.swift writes them: nodes [parent, frame], leaves [node, generation, blocks, bytes], frames [name, file, line, flags].
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const SVG = 'http://www.w3.org/2000/svg';

function make(tag, text, parent, className) {
  const element = document.createElement(tag);
  if (text !== undefined && text !== null) element.textContent = text;
  if (className) element.className = className;
  if (parent) parent.append(element);
  return element;
}
function draw(tag, attributes, parent) {
  const element = document.createElementNS(SVG, tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  if (parent) parent.append(element);
  return element;
}
const grouped = n => Math.round(n).toLocaleString('en-US');
function bytes(n) {
  const size = Math.abs(n);
  if (size < 10240) return grouped(n) + ' B';
  const steps = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = n / 1024, i = 0;
  while (Math.abs(value) >= 1023.95 && i < 3) { value /= 1024; i++; }
  return value.toFixed(1) + ' ' + steps[i];
}
const rate = n => (n > 0 ? '+' : '') + (Math.round(n * 100) / 100);
function time(ns) {
  if (ns < 1e6) return (ns / 1e3).toFixed(0) + ' µs';
  if (ns < 1e9) return (ns / 1e6).toFixed(1) + ' ms';
  if (ns < 6e10) return (ns / 1e9).toFixed(2) + ' s';
  return Math.floor(ns / 6e10) + ' min ' + Math.floor(ns / 1e9 % 60) + ' s';
}
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Frames ------------------------------------------------------------------------------------------------------------

const FOLDED = 1;
const frameName = f => f < 0 ? '?' : data.strings[data.frames[f * 4]];
function framePlace(f) {
  if (f < 0) return '';
  const file = data.frames[f * 4 + 1], line = data.frames[f * 4 + 2];
  return file < 0 ? '' : data.strings[file] + (line ? ':' + line : '');
}
function stackList(frames, parent) {
  const list = make('ol', null, parent, 'stack mono');
  for (const f of frames) {
    const row = make('li', frameName(f), list, data.frames[f * 4 + 3] & FOLDED ? 'folded' : '');
    const place = framePlace(f);
    if (place) make('span', '  ' + place, row, 'faint');
  }
}

// Head, chart, table ------------------------------------------------------------------------------------------------

$('title').textContent = data.title;
document.title = data.title;
$('verdict').textContent = data.verdict;
$('verdict').className = data.outcome;
for (const text of data.warnings) make('li', text, $('warnings'));

// A generation is a step on the x axis, however long it took. Heap and RSS have a scale each, left and right: beside the
// resident memory a heap that doubles can look flat.
function chart() {
  const rows = data.generations, width = 1000, height = 230, left = 70, right = 70, bottom = 26;
  const x = i => left + (i + 1) / rows.length * (width - left - right);
  const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, width: '100%', role: 'img' }, $('chart'));
  draw('title', {}, svg).textContent = 'Live heap and resident memory at the end of each generation';
  const label = (text, at, anchor, fill) => {
    draw('text', { x: at[0], y: at[1], 'text-anchor': anchor, 'font-size': 11, fill }, svg).textContent = text;
  };
  for (const [key, name, side] of [['live', '--heap', 'left'], ['rss', '--rss', 'right']]) {
    const known = rows.map((g, i) => [i, g[key]]).filter(point => point[1] !== null);
    const top = known.reduce((most, point) => Math.max(most, point[1]), 0) || 1;
    const y = value => height - bottom - value / top * (height - bottom - 10);
    for (let i = 0; i <= 4; i++) {
      const value = top * i / 4;
      if (side === 'left') draw('line', { x1: left, x2: width - right, y1: y(value), y2: y(value), stroke: 'var(--line)' }, svg);
      label(bytes(value), [side === 'left' ? left - 6 : width - right + 6, y(value) + 4], side === 'left' ? 'end' : 'start', `var(${name})`);
    }
    const points = known.map(([i, value]) => x(i).toFixed(1) + ',' + y(value).toFixed(1));
    draw('polyline', { points: points.join(' '), fill: 'none', stroke: `var(${name})`, 'stroke-width': 2 }, svg);
  }
  const step = Math.max(1, Math.ceil(rows.length / 500));
  for (let i = 0; i < rows.length - 1; i += step)
    draw('line', { x1: x(i), x2: x(i), y1: height - bottom, y2: height - bottom + 6, stroke: 'var(--mark)' }, svg);
  label('generation ' + rows[0].number, [left, height - 6], 'start', 'var(--faint)');
  label('generation ' + rows[rows.length - 1].number, [width - right, height - 6], 'end', 'var(--faint)');
  const legend = make('p', null, $('chart'), 'legend');
  for (const [text, name] of [['live heap (left)', '--heap'], ['RSS (right)', '--rss'], ['marks', '--mark']]) {
    const item = make('span', null, legend);
    make('span', null, item, 'swatch').style.background = `var(${name})`;
    item.append(text);
  }
}

function table(parent, titles, rows, pick) {
  const scroll = make('div', null, parent, 'scroll'), element = make('table', null, scroll);
  const head = make('tr', null, make('thead', null, element)), body = make('tbody', null, element);
  titles.forEach((title, i) => make('th', title.replace('<', ''), head, title.startsWith('<') ? 'left' : '').scope = 'col');
  rows.forEach((cells, index) => {
    const row = make('tr', null, body, pick ? 'pick' : '');
    cells.forEach((cell, i) => make('td', cell, row, titles[i].startsWith('<') ? 'left' : ''));
    if (!pick) return;
    row.tabIndex = 0;
    row.addEventListener('click', () => pick(index, row));
    row.addEventListener('keydown', e => { if (e.key === 'Enter') pick(index, row); });
  });
  return body;
}

const MOST_ROWS = 2000;
function generationTable() {
  const rows = data.generations.slice(-MOST_ROWS);
  if (rows.length < data.generations.length) make('p', `The newest ${MOST_ROWS} of ${data.generations.length}.`, $('generations'), 'hint');
  table($('generations'), ['Generation', '<Label', 'Time', 'Duration', 'Growth', '# Persistent', '# Transient', 'Live heap', 'RSS'],
    rows.map(g => [g.number, g.label === null ? '(end)' : g.label, time(g.startedAt), time(g.duration), bytes(g.growth),
      grouped(g.persistent), grouped(g.transient), bytes(g.live), g.rss === null ? '-' : bytes(g.rss)]));
}

// Findings ----------------------------------------------------------------------------------------------------------

function sparkline(values, parent) {
  const low = Math.min(...values), high = Math.max(...values), span = high - low || 1, n = Math.max(1, values.length - 1);
  const svg = draw('svg', { width: 90, height: 18, role: 'img' }, parent);
  draw('title', {}, svg).textContent = 'Alive at the end of each cycle, from ' + bytes(low) + ' to ' + bytes(high);
  draw('polyline', { fill: 'none', stroke: 'var(--heap)', 'stroke-width': 1.5,
    points: values.map((v, i) => (i / n * 88 + 1).toFixed(1) + ',' + (16 - (v - low) / span * 14).toFixed(1)).join(' ') }, svg);
}
function heatMap(matrix, parent) {
  const most = Math.max(1, ...matrix.values.map(row => Math.max(0, ...row)));
  make('p', 'Survivors: a row for each birth, a column for each mark; darker is more blocks.', parent, 'hint');
  const body = make('tbody', null, make('table', null, make('div', null, parent, 'scroll'), 'matrix'));
  matrix.values.forEach((row, i) => {
    const line = make('tr', null, body);
    row.forEach((value, j) => {
      const cell = make('td', null, line);
      cell.title = `born in generation ${matrix.births[i]}, at mark ${matrix.marks[j]}: ${grouped(value)} blocks`;
      cell.style.background = value ? `color-mix(in srgb, var(--heap) ${Math.round(20 + 80 * value / most)}%, transparent)` : 'var(--raised)';
    });
  });
}
function findings() {
  if (!data.findings.length) make('p', data.noFindings, $('findings'));
  for (const f of data.findings) {
    const box = make('details', null, $('findings')), head = make('summary', null, box);
    make('strong', f.verdict + ', ' + f.certainty, head, f.grows ? 'bad' : f.verdict === 'inconclusive' ? 'doubt' : '');
    head.append(` ${rate(f.blocksPerCycle)} blocks, ${f.bytesPerCycle > 0 ? '+' : ''}${bytes(f.bytesPerCycle)} a cycle `);
    if (f.live.length > 1) sparkline(f.live, head);
    make('code', frameName(f.headline), head);
    make('span', '  ' + framePlace(f.headline) + `  [${f.fingerprint}]`, head, 'faint');
    // Made when it is opened: a thousand findings must not cost a thousand matrices.
    box.addEventListener('toggle', () => {
      if (box.dataset.filled) return;
      box.dataset.filled = 'yes';
      make('p', f.why, box);
      if (f.matrix) heatMap(f.matrix, box);
      for (const site of f.callSites) {
        make('p', `${grouped(site.blocks)} blocks, ${bytes(site.bytes)} alive`, box);
        stackList(site.frames, box);
      }
    });
  }
}

// Icicles -----------------------------------------------------------------------------------------------------------

const nodeCount = data.nodes.length / 2;
const parentOf = new Int32Array(nodeCount), frameOf = new Int32Array(nodeCount), depthOf = new Int32Array(nodeCount);
const firstChild = new Int32Array(nodeCount).fill(-1), nextSibling = new Int32Array(nodeCount).fill(-1);
for (let i = nodeCount - 1; i >= 0; i--) {
  parentOf[i] = data.nodes[i * 2];
  frameOf[i] = data.nodes[i * 2 + 1];
  if (i > 0) { nextSibling[i] = firstChild[parentOf[i]]; firstChild[parentOf[i]] = i; }
}
for (let i = 1; i < nodeCount; i++) depthOf[i] = depthOf[parentOf[i]] + 1;
const total = new Float64Array(nodeCount);
const ROW = 18;
let zoom = 0, focus = 0, unit = 'bytes', search = '', boxes = [], byNode = new Map();

function sum() {
  const from = +$('from').value, to = +$('to').value;
  total.fill(0);
  const leaves = data.leaves, offset = unit === 'bytes' ? 3 : 2;
  for (let i = 0; i < leaves.length; i += 4)
    if (leaves[i + 1] >= from && leaves[i + 1] < to) total[leaves[i]] += leaves[i + offset];
  for (let i = nodeCount - 1; i > 0; i--) total[parentOf[i]] += total[i];
}
const shown = n => unit === 'bytes' ? bytes(n) : grouped(n) + ' blocks';
let hits = new Uint8Array(data.frames.length / 4);
const isHit = f => f >= 0 && hits[f] === 1;
function look(text) {
  search = text.toLowerCase();
  for (let f = 0; f < hits.length; f++) hits[f] = search !== '' && frameName(f).toLowerCase().includes(search) ? 1 : 0;
}
// Browsers draw nothing at all on a canvas that is higher than this many device pixels.
const MOST_PIXELS = 30000;
const mostDeep = () => Math.floor(MOST_PIXELS / (window.devicePixelRatio || 1) / ROW);

function layout(width) {
  boxes = [];
  byNode = new Map();
  const chain = [];
  for (let i = zoom; i > 0; i = parentOf[i]) chain.unshift(i);
  const above = [0, ...chain.slice(0, -1)].filter(i => i !== zoom).slice(-30), deepest = mostDeep() - 1;
  above.forEach((node, row) => boxes.push({ node, x: 0, w: width, row }));
  const open = [{ node: zoom, x: 0, w: width, row: above.length }];
  while (open.length) {
    const box = open.pop();
    boxes.push(box);
    if (box.row >= deepest) continue;
    let x = box.x;
    for (let child = firstChild[box.node]; child >= 0; child = nextSibling[child]) {
      const w = total[box.node] > 0 ? total[child] / total[box.node] * box.w : 0;
      // What is narrower than half a pixel can not be seen.
      if (w >= 0.5) open.push({ node: child, x, w, row: box.row + 1 });
      x += w;
    }
  }
  for (const box of boxes) byNode.set(box.node, box);
}
function hue(text) {
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) | 0;
  return 200 + Math.abs(hash) % 60;
}
function paint() {
  const canvas = $('flame'), width = $('flame-frame').clientWidth, scale = window.devicePixelRatio || 1;
  layout(width);
  const height = (boxes.reduce((most, box) => Math.max(most, box.row), 0) + 1) * ROW;
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.height = height + 'px';
  const pen = canvas.getContext('2d');
  pen.scale(scale, scale);
  pen.font = '12px ui-monospace, monospace';
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  for (const box of boxes) {
    const frame = frameOf[box.node], name = box.node === 0 ? 'all' : frameName(frame);
    const folded = frame >= 0 && data.frames[frame * 4 + 3] & FOLDED;
    pen.fillStyle = isHit(frame) ? colour('--hit') : folded || box.node === 0 ? colour('--raised')
      : `hsl(${hue(name)} ${dark ? '35% 32%' : '60% 82%'})`;
    pen.fillRect(box.x, box.row * ROW, Math.max(0.5, box.w - 0.5), ROW - 1);
    if (box.node === focus) { pen.strokeStyle = colour('--bad'); pen.lineWidth = 2; pen.strokeRect(box.x + 1, box.row * ROW + 1, Math.max(1, box.w - 3), ROW - 3); }
    if (box.w > 24) {
      pen.fillStyle = colour('--ink');
      const letters = Math.floor((box.w - 6) / 7.3);
      pen.fillText(name.length > letters ? name.slice(0, Math.max(1, letters - 1)) + '…' : name, box.x + 3, box.row * ROW + 13);
    }
  }
  canvas.dataset.boxes = boxes.length;
  canvas.dataset.total = total[0];
  canvas.dataset.zoom = zoom === 0 ? 'all' : frameName(frameOf[zoom]);
}
function tell(node) {
  const details = $('details');
  details.textContent = '';
  const name = node === 0 ? 'all' : frameName(frameOf[node]);
  make('strong', name, details, 'mono');
  const place = node === 0 ? '' : framePlace(frameOf[node]);
  make('div', `${place ? place + ': ' : ''}${shown(total[node])}, ${(total[0] ? total[node] / total[0] * 100 : 0).toFixed(1)} %`, details);
}
function choose(node) { focus = node; tell(node); paint(); }
function zoomTo(node) { zoom = node; choose(node); }

function siteTable() {
  $('sites').textContent = '';
  const from = +$('from').value, to = +$('to').value, sums = new Map();
  for (let i = 0; i < data.leaves.length; i += 4) {
    if (data.leaves[i + 1] < from || data.leaves[i + 1] >= to) continue;
    const sum = sums.get(data.leaves[i]) || [0, 0];
    sum[0] += data.leaves[i + 2];
    sum[1] += data.leaves[i + 3];
    sums.set(data.leaves[i], sum);
  }
  const order = [...sums].sort((a, b) => unit === 'bytes' ? b[1][1] - a[1][1] : b[1][0] - a[1][0]);
  const top = order.filter(([node]) => { if (search === '') return true; for (let i = node; i > 0; i = parentOf[i]) if (isHit(frameOf[i])) return true; return false; }).slice(0, 200);
  table($('sites'), ['Bytes', 'Blocks', '<Function'], top.map(([node, sum]) => [bytes(sum[1]), grouped(sum[0]), frameName(headlineOf(node))]),
    (index, row) => {
      const open = row.nextElementSibling;
      if (open && open.className === 'opened') return open.remove();
      const cell = make('td', null, null, 'left'), line = make('tr', null, null, 'opened'), frames = [];
      cell.colSpan = 3;
      for (let i = top[index][0]; i > 0; i = parentOf[i]) frames.push(frameOf[i]);
      stackList(frames, cell);
      line.append(cell);
      row.after(line);
      choose(top[index][0]);
    });
  if (order.length > top.length) make('p', `The first ${top.length} of ${order.length}.`, $('sites'), 'hint');
}
function headlineOf(node) {
  for (let i = node; i > 0; i = parentOf[i]) if (!(data.frames[frameOf[i] * 4 + 3] & FOLDED)) return frameOf[i];
  return frameOf[node];
}
function matched() {
  if (search === '') return $('matched').textContent = '';
  let found = 0;
  const open = [0];
  while (open.length) {
    const node = open.pop();
    if (isHit(frameOf[node])) { found += total[node]; continue; }
    for (let child = firstChild[node]; child >= 0; child = nextSibling[child]) open.push(child);
  }
  $('matched').textContent = `${shown(found)} match, ${(total[0] ? found / total[0] * 100 : 0).toFixed(1)} %`;
}
function again() { sum(); matched(); siteTable(); tell(focus); paint(); }

function start() {
  const points = [['start', 0]];
  data.generations.slice(1).forEach((g, i) => points.push([`${g.number} ${data.generations[i].label || ''}`.slice(0, 60), i + 1]));
  points.push(['end', data.generations.length]);
  for (const id of ['from', 'to'])
    for (const [text, value] of points) make('option', text, $(id)).value = value;
  $('from').value = 0;
  $('to').value = data.generations.length;
  $('from').addEventListener('change', again);
  $('to').addEventListener('change', again);
  for (const radio of document.getElementsByName('unit')) radio.addEventListener('change', () => { unit = radio.value; again(); });
  $('search').addEventListener('input', () => { look($('search').value); matched(); siteTable(); paint(); });
  $('reset').addEventListener('click', () => zoomTo(0));
  const canvas = $('flame');
  const at = event => boxes.findLast(b => event.offsetX >= b.x && event.offsetX < b.x + Math.max(1, b.w) && Math.floor(event.offsetY / ROW) === b.row);
  canvas.addEventListener('click', event => { const box = at(event); if (box) zoomTo(box.node); });
  canvas.addEventListener('mousemove', event => { const box = at(event); if (box) tell(box.node); });
  canvas.addEventListener('keydown', event => {
    const children = node => { const all = []; for (let c = firstChild[node]; c >= 0; c = nextSibling[c]) if (byNode.has(c)) all.push(c); return all; };
    const peers = children(parentOf[focus]), place = peers.indexOf(focus);
    const next = { ArrowDown: children(focus).sort((a, b) => total[b] - total[a])[0], ArrowUp: focus > 0 ? parentOf[focus] : 0,
      ArrowLeft: peers[place - 1], ArrowRight: peers[place + 1] }[event.key];
    if (event.key === 'Enter') zoomTo(focus);
    else if (event.key === 'Escape') zoomTo(zoom === 0 ? 0 : parentOf[zoom]);
    else if (next !== undefined) choose(next);
    else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', event => {
    if (event.key !== '/' || /^(INPUT|SELECT)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    $('search').focus();
  });
  window.addEventListener('resize', paint);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
  chart();
  findings();
  generationTable();
  again();
}
start();
