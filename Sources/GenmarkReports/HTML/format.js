// SPDX-License-Identifier: MIT
// Basics of all scripts of the report: its data, elements, numbers, frames. Text of the recorded program is only ever set
// as text, never as markup. How the data is laid out is in HTMLData.swift and HTMLTables.swift.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const SVG = 'http://www.w3.org/2000/svg';

// A new element with text in it, at the end of its parent.
function make(tag, parent, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined && text !== null) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

function draw(tag, parent, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

function clear(element) {
  element.textContent = '';
  return element;
}

function button(parent, text, action, className) {
  const element = make('button', parent, className, text);
  element.type = 'button';
  element.addEventListener('click', action);
  return element;
}

// Numbers ------------------------------------------------------------------------------------------------------------

const grouping = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const grouped = n => grouping.format(n);
const plural = (n, noun) => `${grouped(n)} ${noun}${n === 1 ? '' : 's'}`;
const percent = (part, whole) => `${(whole ? part / whole * 100 : 0).toFixed(1)} %`;

// Exact below 10 KiB, as in the text reports.
function bytes(n) {
  if (Math.abs(n) < 10240) return `${grouping.format(n)} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = n / 1024, unit = 0;
  while (Math.abs(value) >= 1023.95 && unit < 3) { value /= 1024; unit++; }
  return `${value.toFixed(1)} ${units[unit]}`;
}

const sign = n => n > 0 ? '+' : n < 0 ? '−' : '±';
function rate(n) {
  const size = Math.abs(n), shown = size > 0 && size < 0.01 ? size.toFixed(4) : String(+size.toFixed(2));
  return (size === 0 ? '' : sign(n)) + shown;
}
function byteRate(n) {
  const size = Math.abs(n);
  return (size === 0 ? '' : sign(n)) + (size < 10240 ? `${+size.toFixed(1)} B` : bytes(size));
}

function duration(ns) {
  if (ns === 0) return '0 s';
  if (ns < 1e6) return `${(ns / 1e3).toFixed(0)} µs`;
  if (ns < 1e9) return `${(ns / 1e6).toFixed(1)} ms`;
  if (ns < 6e10) return `${(ns / 1e9).toFixed(2)} s`;
  const two = n => String(Math.floor(n)).padStart(2, '0');
  if (ns < 3.6e12) return `${Math.floor(ns / 6e10)}m ${two(ns / 1e9 % 60)}s`;
  return `${Math.floor(ns / 3.6e12)}h ${two(ns / 6e10 % 60)}m`;
}

// Steps of an axis, at most `count` up to `top`: powers of two are the round numbers of bytes.
function byteSteps(top, count) {
  let step = 1;
  while (top / step > count) step *= 2;
  const steps = [];
  for (let value = 0; value <= top; value += step) steps.push(value);
  return steps;
}

const baseName = path => path.slice(path.lastIndexOf('/') + 1) || path;

// Frames -------------------------------------------------------------------------------------------------------------

const FRAME = 5, FOLDED = 1, INLINED = 2, OWN = 4;
const frameText = (f, field) => {
  const text = data.frames[f * FRAME + field];
  return text < 0 ? '' : data.strings[text];
};
const frameName = f => f < 0 ? 'all' : frameText(f, 0);
const frameFlags = f => f < 0 ? 0 : data.frames[f * FRAME + 4];
const frameModule = f => f < 0 ? '' : frameText(f, 3);

// The whole path with the line; empty when the file is not known.
function framePath(f) {
  if (f < 0) return '';
  const file = frameText(f, 1), line = data.frames[f * FRAME + 2];
  return file && line ? `${file}:${line}` : file;
}
const framePlace = f => framePath(f) ? baseName(framePath(f)) : f < 0 ? '' : baseName(frameModule(f));

function tags(f, parent) {
  if (frameFlags(f) & INLINED) make('span', parent, 'tag', 'inlined');
  if (frameFlags(f) & FOLDED) make('span', parent, 'tag', 'folded');
}

// A call stack, innermost frame first.
function stackList(frames, parent) {
  const list = make('ol', parent, 'stack');
  for (const f of frames) {
    const row = make('li', list, frameFlags(f) & FOLDED ? 'folded' : frameFlags(f) & OWN ? 'own' : '');
    make('span', row, 'name', frameName(f));
    tags(f, row);
    const place = make('span', row, 'place', [framePlace(f), framePath(f) ? baseName(frameModule(f)) : ''].filter(Boolean).join(' · '));
    place.title = [framePath(f), frameModule(f)].filter(Boolean).join('\n');
  }
}

// Marks --------------------------------------------------------------------------------------------------------------

const markCount = data.generations.length - 1;
// A generation's number, or those that it stands for where a long history was thinned.
const generationName = g => g.last > g.number ? `${g.number}–${g.last}` : String(g.number);
// Position 0 is the start, i + 1 the mark that ends generation i, the last one the end.
function pointName(position) {
  if (position === 0) return 'start';
  if (position > markCount) return data.trace.isRunning ? 'now' : 'end';
  const label = data.generations[position - 1].label;
  return `${data.generations[position].number}${label ? ` · ${label.slice(0, 40)}` : ''}`;
}
