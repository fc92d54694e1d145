// SPDX-License-Identifier: MIT
// The controls of the call tree, the table of call sites, and the start of the page.
'use strict';

// Computes and draws what depends on A, B, C and the unit.
function update() {
  sumTree();
  status();
  siteTable();
  if (weights()[icicle.zoom] === 0) icicle.zoom = 0;
  if (weights()[icicle.selected] === 0) icicle.selected = icicle.zoom;
  drawIcicle();
  describe();
  zoomPath();
  showRange();
}

function status() {
  const total = `${bytes(tree.bytes[0])} in ${plural(tree.blocks[0], 'block')}`;
  $('total').textContent = choice.from >= choice.to ? 'A must come before B: nothing is born between them.'
    : `Alive at ${pointName(choice.alive + 1)}: ${total}, born from ${pointName(choice.from)} to ${pointName(choice.to)}.`;
  $('matched').textContent = '';
  if (tree.search === '') return;
  const sum = found(), share = isBytes() ? percent(sum.bytes, tree.bytes[0]) : percent(sum.blocks, tree.blocks[0]);
  $('matched').textContent = `${plural(sum.sites, 'call site')} found: ${bytes(sum.bytes)} in ${plural(sum.blocks, 'block')}, ${share}`;
}

// Call sites ---------------------------------------------------------------------------------------------------------

const SITES_AT_ONCE = 50;
function siteTable() {
  const box = clear($('sites')), rows = callSites();
  if (!rows.length) return make('p', box, 'hint', tree.search === '' ? 'Nothing that was born between A and B is alive at C.' : 'No call site is found.');
  const scroll = make('div', box, 'table-box'), table = make('table', scroll, 'numbers sites');
  const head = make('tr', make('thead', table)), body = make('tbody', table);
  for (const title of ['Bytes', 'Blocks', 'Share', 'Born in', 'Call site'])
    make('th', head, title === 'Call site' ? 'left' : '', title).scope = 'col';
  let shown = 0;
  const more = button(box, '', () => add());
  const add = () => {
    for (const row of rows.slice(shown, shown + SITES_AT_ONCE)) siteRow(row, body);
    shown = Math.min(rows.length, shown + SITES_AT_ONCE);
    more.textContent = `Show more (${grouped(shown)} of ${grouped(rows.length)})`;
    more.hidden = shown === rows.length;
  };
  add();
}

function siteRow({ site, births, first, last }, body) {
  const row = make('tr', body), own = isBytes() ? sites.bytes : sites.blocks, generation = i => generationName(data.generations[i]);
  make('td', row, '', bytes(sites.bytes[site]));
  make('td', row, '', grouped(sites.blocks[site]));
  bar(make('td', row, 'bar-cell', percent(own[site], weights()[0])), own[site] / weights()[0]);
  make('td', row, '', births.size === 1 ? generation(first) : `${grouped(births.size)} of ${generation(first)}–${generation(last)}`);
  const cell = make('td', row, 'left'), f = headlineOf(site), open = button(cell, frameName(f), () => toggle(), 'link name');
  make('span', cell, 'place', framePlace(f));
  open.setAttribute('aria-expanded', 'false');
  let opened = null;
  const toggle = () => {
    open.setAttribute('aria-expanded', String(!opened));
    if (opened) { opened.remove(); opened = null; return; }
    opened = make('tr', null, 'opened');
    const inside = make('td', opened, 'left');
    inside.colSpan = 5;
    stackList(stackOf(site), inside);
    button(inside, 'Show in the call tree', () => showInTree(site));
    row.after(opened);
  };
}

// Selects a call site where it can be seen: zoomed to its outermost caller that is wide enough there.
function showInTree(site) {
  const node = sites.merged[site];
  if (weights()[node] === 0) choose(0, markCount + 1);
  zoomTo(0);
  if (!boxOf(node)) zoomTo(tree.parent[node]);
  select(node);
  $('calltree').scrollIntoView();
  $('icicle-canvas').focus({ preventScroll: true });
}

// Controls -----------------------------------------------------------------------------------------------------------

// Shows what was born between two positions.
function choose(from, to) {
  Object.assign(choice, { from, to });
  $('from').value = from;
  $('to').value = to;
  update();
  $('calltree').scrollIntoView();
}

function options(select, positions, value) {
  for (const position of positions) make('option', select, '', pointName(position)).value = position;
  select.value = value;
}

function controls() {
  const all = Array.from({ length: markCount + 2 }, (_, position) => position);
  options($('from'), all.slice(0, -1), choice.from);
  options($('to'), all.slice(1), choice.to);
  // Moment i is at mark position i + 1.
  options($('alive'), data.moments.map(moment => moment + 1), choice.alive + 1);
  if ($('alive').selectedIndex < 0) $('alive').selectedIndex = $('alive').options.length - 1;
  choice.alive = +$('alive').value - 1;
  $('from').addEventListener('change', () => { choice.from = +$('from').value; update(); });
  $('to').addEventListener('change', () => { choice.to = +$('to').value; update(); });
  $('alive').addEventListener('change', () => { choice.alive = +$('alive').value - 1; update(); });
  for (const radio of document.getElementsByName('unit'))
    radio.addEventListener('change', () => { choice.unit = radio.value; update(); });
  let waiting = 0;
  const searchNow = () => {
    look($('search').value);
    status();
    siteTable();
    paintIcicle();
  };
  $('search').addEventListener('input', () => { clearTimeout(waiting); waiting = setTimeout(searchNow, siteCount > 20000 ? 150 : 0); });
  document.addEventListener('keydown', event => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    $('search').focus();
  });
}

function start() {
  header();
  outcome();
  losses();
  findings();
  drawChart();
  // The browser paints what there is before the tree is built.
  requestAnimationFrame(() => setTimeout(() => {
    generationTable();
    $('generation-count').textContent = grouped(data.generations.length);
    buildTree();
    readPalette();
    controls();
    startIcicle();
    update();
    document.documentElement.dataset.ready = 'yes';
  }));
  let width = document.documentElement.clientWidth;
  window.addEventListener('resize', () => {
    if (document.documentElement.clientWidth === width && tree.rows) return;
    width = document.documentElement.clientWidth;
    drawChart();
    if (tree.rows) drawIcicle();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    readPalette();
    if (tree.rows) paintIcicle();
  });
}
start();
