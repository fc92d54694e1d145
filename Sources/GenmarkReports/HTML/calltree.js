// SPDX-License-Identifier: MIT
// The call tree as numbers: what each node holds for a choice of marks, and what a search finds. Drawing is in icicle.js.
'use strict';

// What the page shows: positions of marks A and B, the moment C (index of a mark, or their number for the end).
const choice = { from: data.choice[0], to: data.choice[1], alive: data.choice[2], unit: 'bytes' };

// A call site is a node of the data. The tree that is drawn has one node for all places in a function that call the same
// one: there `merged` leads. Parents come before their children in both, so one pass in either direction reaches all.
const siteCount = data.nodes.length / 2;
const sites = { merged: new Int32Array(siteCount), bytes: new Float64Array(siteCount), blocks: new Float64Array(siteCount) };
const tree = { count: 1, search: '', hitFrames: new Uint8Array(data.frames.length / FRAME) };

function buildTree() {
  const nodes = data.nodes, parent = new Int32Array(siteCount), frame = new Int32Array(siteCount).fill(-1);
  const hasLines = new Uint8Array(siteCount), functions = functionNumbers(), known = new Map();
  for (let i = 1; i < siteCount; i++) {
    const above = sites.merged[nodes[i * 2]], f = nodes[i * 2 + 1], key = above * functions.count + functions.of[f];
    let node = known.get(key);
    if (node === undefined) {
      node = tree.count++;
      known.set(key, node);
      parent[node] = above;
      frame[node] = f;
    } else if (frame[node] !== f) hasLines[node] = 1;
    sites.merged[i] = node;
  }
  // Children of node i are child[firstChild[i]] up to child[firstChild[i + 1] - 1].
  const firstChild = new Int32Array(tree.count + 1), child = new Int32Array(tree.count - 1);
  for (let i = 1; i < tree.count; i++) firstChild[parent[i] + 1]++;
  for (let i = 0; i < tree.count; i++) firstChild[i + 1] += firstChild[i];
  const next = firstChild.slice();
  for (let i = 1; i < tree.count; i++) child[next[parent[i]]++] = i;
  const numbers = () => new Float64Array(tree.count);
  Object.assign(tree, { parent, frame, hasLines, firstChild, child, hit: new Uint8Array(tree.count), rows: Float64Array.from(data.rows),
    // With everything below, and of the call sites that end there alone.
    bytes: numbers(), blocks: numbers(), ownBytes: numbers(), ownBlocks: numbers() });
}

// Frames with equal function, file and module have equal numbers, whatever their lines.
function functionNumbers() {
  const of = new Int32Array(data.frames.length / FRAME), known = new Map();
  for (let f = 0; f < of.length; f++) {
    const [name, file, , module, flags] = data.frames.slice(f * FRAME, (f + 1) * FRAME), key = `${name} ${file} ${module} ${flags}`;
    if (!known.has(key)) known.set(key, known.size);
    of[f] = known.get(key);
  }
  return { of, count: known.size };
}

// Calls `visit(site, birth, blocks, bytes)` for what was born in A..B and is alive at C.
function eachAlive(visit) {
  const rows = tree.rows, { from, to, alive } = choice;
  for (let i = 0; i < rows.length;) {
    const birth = rows[i + 1], steps = rows[i + 2];
    if (birth >= from && birth < to) {
      let step = i + 3 * steps;
      while (step > i && rows[step] > alive) step -= 3;
      if (step > i && (rows[step + 1] > 0 || rows[step + 2] > 0)) visit(rows[i], birth, rows[step + 1], rows[step + 2]);
    }
    i += 3 + 3 * steps;
  }
}

function sumTree() {
  const { parent, bytes, blocks, ownBytes, ownBlocks } = tree;
  for (const numbers of [sites.bytes, sites.blocks, ownBytes, ownBlocks]) numbers.fill(0);
  eachAlive((site, birth, aliveBlocks, aliveBytes) => {
    sites.blocks[site] += aliveBlocks;
    sites.bytes[site] += aliveBytes;
    ownBlocks[sites.merged[site]] += aliveBlocks;
    ownBytes[sites.merged[site]] += aliveBytes;
  });
  bytes.set(ownBytes);
  blocks.set(ownBlocks);
  for (let i = tree.count - 1; i > 0; i--) {
    bytes[parent[i]] += bytes[i];
    blocks[parent[i]] += blocks[i];
  }
}

const isBytes = () => choice.unit === 'bytes';
const weights = () => isBytes() ? tree.bytes : tree.blocks;
const amount = n => isBytes() ? bytes(n) : plural(n, 'block');

// Frames of a call site, innermost first; also before the tree is built.
function stackOf(site) {
  const frames = [];
  for (let i = site; i > 0; i = data.nodes[i * 2]) frames.push(data.nodes[i * 2 + 1]);
  return frames;
}

// The frame to look for, as Frame+Headline.swift says: in the program's own code, or at least not folded.
function headlineOf(site) {
  const frames = stackOf(site), unfolded = frames.filter(f => !(frameFlags(f) & FOLDED));
  return unfolded.find(f => frameFlags(f) & OWN) ?? unfolded[0] ?? frames[0];
}

// Marks what contains the text in its function, file or module, and all below it.
function look(text) {
  tree.search = text.trim().toLowerCase();
  const found = data.strings.map(string => tree.search !== '' && string.toLowerCase().includes(tree.search));
  for (let f = 0; f < tree.hitFrames.length; f++)
    tree.hitFrames[f] = [0, 1, 3].some(field => found[data.frames[f * FRAME + field]]) ? 1 : 0;
  for (let i = 1; i < tree.count; i++) tree.hit[i] = tree.hitFrames[tree.frame[i]] || tree.hit[tree.parent[i]];
}

// How much the search found: bytes, blocks, call sites.
function found() {
  const sum = { bytes: 0, blocks: 0, sites: 0 };
  for (let i = 1; i < siteCount; i++) {
    if (!tree.hit[sites.merged[i]] || (sites.bytes[i] === 0 && sites.blocks[i] === 0)) continue;
    sum.bytes += sites.bytes[i];
    sum.blocks += sites.blocks[i];
    sum.sites++;
  }
  return sum;
}

// Call sites with something alive, largest first, with their births; with a search only those that it found.
function callSites() {
  const rows = new Map(), own = isBytes() ? sites.bytes : sites.blocks;
  eachAlive((site, birth) => {
    if (tree.search !== '' && !tree.hit[sites.merged[site]]) return;
    const row = rows.get(site);
    if (!row) rows.set(site, { site, births: new Set([birth]), first: birth, last: birth });
    else {
      row.births.add(birth);
      row.first = Math.min(row.first, birth);
      row.last = Math.max(row.last, birth);
    }
  });
  return [...rows.values()].sort((a, b) => own[b.site] - own[a.site] || a.site - b.site);
}
