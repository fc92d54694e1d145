// SPDX-License-Identifier: MIT
// The icicles: the call tree drawn from the outermost function down, on a canvas that is no larger than what is seen of
// it. Boxes narrower than half a pixel are not laid out, so that a hundred thousand call sites are a few thousand boxes.
'use strict';

const ROW = 21, HIGHEST = 546, NARROWEST = 0.5;
// rows[r] are boxes {node, x, w} from left to right; node −1 stands for what is too narrow.
const icicle = { rows: [], zoom: 0, selected: 0, hover: null, width: 0, palette: null };

function readPalette() {
  const style = getComputedStyle(document.documentElement), value = name => style.getPropertyValue(name).trim();
  icicle.palette = {
    ink: value('--ink'), faint: value('--faint'), paper: value('--card'), all: value('--all'), rest: value('--rest'),
    own: [1, 2, 3].map(i => value(`--own-${i}`)), library: [1, 2, 3].map(i => value(`--library-${i}`)),
    folded: [1, 2, 3].map(i => value(`--folded-${i}`)), hit: value('--hit'), hitInk: value('--hit-ink'), ring: value('--ring'),
    font: value('--mono'),
  };
}

const kindOf = f => frameFlags(f) & FOLDED ? 'folded' : frameFlags(f) & OWN ? 'own' : 'library';
const KINDS = { own: 'your code', library: 'libraries', folded: 'folded: allocator and runtime' };

function ancestors(node) {
  const chain = [];
  for (let i = node; i > 0; i = tree.parent[i]) chain.unshift(i);
  return [0, ...chain];
}

function layoutIcicle() {
  const weight = weights(), width = icicle.width, rows = [], above = ancestors(icicle.zoom);
  above.forEach((node, row) => { rows[row] = [{ node, x: 0, w: width, row }]; });
  const open = [rows[above.length - 1][0]];
  while (open.length) {
    const box = open.pop(), total = weight[box.node];
    if (total <= 0) continue;
    const children = [];
    for (let c = tree.firstChild[box.node]; c < tree.firstChild[box.node + 1]; c++) {
      const child = tree.child[c];
      if (weight[child] / total * box.w >= NARROWEST) children.push(child);
    }
    children.sort((a, b) => weight[b] - weight[a] || a - b);
    let x = box.x, shown = 0;
    const row = box.row + 1;
    for (const child of children) {
      const w = weight[child] / total * box.w, next = { node: child, x, w, row };
      (rows[row] ||= []).push(next);
      open.push(next);
      x += w;
      shown += weight[child];
    }
    const own = isBytes() ? tree.ownBytes[box.node] : tree.ownBlocks[box.node];
    const rest = (total - own - shown) / total * box.w;
    if (rest >= 1) (rows[row] ||= []).push({ node: -1, x, w: rest, row, rest: total - own - shown });
  }
  // Pushed depth first from the last child on: put into the order of the screen.
  for (const row of rows) row.sort((a, b) => a.x - b.x);
  icicle.rows = rows;
}

function drawIcicle() {
  const frame = $('icicle'), canvas = $('icicle-canvas'), scale = window.devicePixelRatio || 1;
  icicle.width = frame.clientWidth;
  layoutIcicle();
  const height = icicle.rows.length * ROW, seen = Math.max(ROW * 3, Math.min(height, HIGHEST));
  frame.style.height = `${seen}px`;
  $('icicle-space').style.height = `${Math.max(height, seen)}px`;
  // A scroll bar takes some of the width.
  if (frame.clientWidth !== icicle.width) {
    icicle.width = frame.clientWidth;
    layoutIcicle();
  }
  canvas.width = Math.round(icicle.width * scale);
  canvas.height = Math.round(seen * scale);
  canvas.style.width = `${icicle.width}px`;
  canvas.style.height = `${seen}px`;
  paintIcicle();
}

function paintIcicle() {
  const canvas = $('icicle-canvas'), pen = canvas.getContext('2d'), scale = window.devicePixelRatio || 1;
  const colours = icicle.palette, top = $('icicle').scrollTop, seen = canvas.height / scale;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.fillStyle = colours.paper;
  pen.fillRect(0, 0, icicle.width, seen);
  pen.font = `12px ${colours.font}`;
  pen.textBaseline = 'middle';
  const letter = pen.measureText('0000000000').width / 10;
  const last = Math.min(icicle.rows.length - 1, Math.floor((top + seen) / ROW));
  let selected = null;
  for (let row = Math.floor(top / ROW); row <= last; row++) {
    for (const box of icicle.rows[row] || []) {
      paintBox(pen, box, row * ROW - top, letter, colours);
      if (box.node === icicle.selected) selected = box;
    }
  }
  if (selected) {
    pen.strokeStyle = colours.ring;
    pen.lineWidth = 2;
    pen.strokeRect(selected.x + 1, selected.row * ROW - top + 1, Math.max(1, selected.w - 3), ROW - 3);
  }
}

function paintBox(pen, box, y, letter, colours) {
  const f = box.node <= 0 ? -1 : tree.frame[box.node], isHit = f >= 0 && tree.hitFrames[f] === 1;
  const isDim = tree.search !== '' && !isHit && box.node > 0 && !tree.hit[box.node];
  const width = Math.max(NARROWEST, box.w - (box.w > 3 ? 1 : 0));
  pen.globalAlpha = isDim ? 0.4 : 1;
  pen.fillStyle = isHit ? colours.hit : box.node === 0 ? colours.all : box.node < 0 ? colours.rest : colours[kindOf(f)][f % 3];
  pen.fillRect(box.x, y, width, ROW - 1);
  if (isHit && box.w > 6) {
    pen.fillStyle = colours.hitInk;
    pen.fillRect(box.x, y, 3, ROW - 1);
  }
  const letters = Math.floor((box.w - 12) / letter);
  if (box.node >= 0 && letters >= 3) {
    let name = box.node === 0 ? `all: ${amount(weights()[0])}` : frameName(f);
    if (name.length > letters) name = `${name.slice(0, letters - 1)}…`;
    pen.fillStyle = isHit ? colours.hitInk : colours.ink;
    pen.fillText(name, box.x + 6, y + ROW / 2);
  }
  pen.globalAlpha = 1;
}

// The box at a point of the canvas; null between them.
function boxAt(x, y) {
  const row = icicle.rows[Math.floor((y + $('icicle').scrollTop) / ROW)];
  if (!row) return null;
  let low = 0, high = row.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (row[middle].x <= x) low = middle; else high = middle - 1;
  }
  const box = row[low];
  return box && x >= box.x && x < box.x + Math.max(1, box.w) ? box : null;
}

function boxOf(node) {
  for (const row of icicle.rows) for (const box of row || []) if (box.node === node) return box;
  return null;
}

// Selection and zoom -------------------------------------------------------------------------------------------------

function select(node) {
  icicle.selected = node;
  const box = boxOf(node), frame = $('icicle');
  if (box && box.row * ROW < frame.scrollTop) frame.scrollTop = box.row * ROW;
  if (box && (box.row + 1) * ROW > frame.scrollTop + frame.clientHeight) frame.scrollTop = (box.row + 1) * ROW - frame.clientHeight;
  describe();
  paintIcicle();
}

function zoomTo(node) {
  icicle.zoom = node;
  icicle.selected = node;
  drawIcicle();
  select(node);
  zoomPath();
}

function zoomPath() {
  const list = clear($('zoom-path')), path = ancestors(icicle.zoom), shown = path.length > 5 ? [0, -1, ...path.slice(-3)] : path;
  for (const node of shown) {
    const item = make('li', list);
    if (node < 0) make('span', item, 'faint', `${path.length - 4} more`);
    else if (node === icicle.zoom) make('span', item, 'current', node === 0 ? 'all' : frameName(tree.frame[node])).setAttribute('aria-current', 'true');
    else button(item, node === 0 ? 'all' : frameName(tree.frame[node]), () => zoomTo(node), 'link');
  }
  $('out').disabled = $('reset').disabled = icicle.zoom === 0;
}

// What is selected, in words.
function describe() {
  const node = icicle.selected, f = node === 0 ? -1 : tree.frame[node], box = clear($('details'));
  const text = make('div', box, 'grow');
  const name = make('p', text, 'name', node === 0 ? 'all' : frameName(f));
  if (node > 0) {
    tags(f, name);
    const place = tree.hasLines[node] ? frameText(f, 1) : framePath(f);
    make('p', text, 'place', [place, frameModule(f), KINDS[kindOf(f)]].filter(Boolean).join(' · '));
  }
  const own = isBytes() ? tree.ownBytes[node] : tree.ownBlocks[node], list = make('dl', box, 'figures');
  fact(list, 'bytes', bytes(tree.bytes[node]));
  fact(list, 'blocks', grouped(tree.blocks[node]));
  fact(list, 'of all', percent(weights()[node], weights()[0]));
  if (own > 0) fact(list, 'allocated here', amount(own));
}

function tip(event) {
  const box = boxAt(event.offsetX, event.offsetY), element = $('tip');
  element.hidden = !box;
  if (!box) return;
  clear(element);
  if (box.node < 0) make('p', element, '', `smaller ones: ${amount(box.rest)}`);
  else {
    const f = box.node === 0 ? -1 : tree.frame[box.node];
    make('p', element, 'name', frameName(f));
    const place = node => tree.hasLines[node] && frameText(f, 1) ? baseName(frameText(f, 1)) : framePlace(f);
    if (f >= 0) make('p', element, 'place', place(box.node));
    make('p', element, '', `${amount(weights()[box.node])}, ${percent(weights()[box.node], weights()[0])}`);
  }
  const room = document.documentElement.clientWidth - element.offsetWidth - 8;
  element.style.left = `${Math.max(8, Math.min(room, event.clientX + 12))}px`;
  element.style.top = `${event.clientY + 18}px`;
}

function keyInIcicle(event) {
  const node = icicle.selected, seen = i => boxOf(i) !== null;
  const children = parent => {
    const box = boxOf(parent), row = box && icicle.rows[box.row + 1];
    return (row || []).filter(child => child.node > 0 && tree.parent[child.node] === parent).map(child => child.node);
  };
  const peers = node === 0 ? [] : children(tree.parent[node]), place = peers.indexOf(node);
  const next = {
    ArrowDown: children(node)[0], ArrowUp: node > 0 && seen(tree.parent[node]) ? tree.parent[node] : undefined,
    ArrowLeft: peers[place - 1], ArrowRight: peers[place + 1], Home: 0,
  }[event.key];
  if (event.key === 'Enter') zoomTo(node);
  else if (event.key === 'Escape') zoomTo(tree.parent[icicle.zoom]);
  else if (next !== undefined) select(next);
  else if (!event.key.startsWith('Arrow')) return;
  event.preventDefault();
}

function startIcicle() {
  const canvas = $('icicle-canvas');
  canvas.addEventListener('click', event => {
    const box = boxAt(event.offsetX, event.offsetY);
    if (box && box.node >= 0) zoomTo(box.node);
  });
  canvas.addEventListener('pointermove', tip);
  canvas.addEventListener('pointerleave', () => { $('tip').hidden = true; });
  canvas.addEventListener('keydown', keyInIcicle);
  $('icicle').addEventListener('scroll', paintIcicle, { passive: true });
  $('out').addEventListener('click', () => zoomTo(tree.parent[icicle.zoom]));
  $('reset').addEventListener('click', () => zoomTo(0));
  for (const kind in KINDS) {
    make('span', $('legend'), `swatch ${kind}`);
    $('legend').append(KINDS[kind]);
  }
}
