// SPDX-License-Identifier: MIT
// The parts that strips, masters and the channels of a route's mix have in common.

import { fader, follow, gainField, h, knob, meter, panText, toggle } from "./controls.js";
import { names, part } from "./tree.js";

/** A list of what ends with a view or a channel. */
export function ending() {
  const offs = [];
  return {
    add: (...more) => offs.push(...more),
    end: () => offs.splice(0).forEach((off) => off()),
  };
}

/** The name for people of `/strip/ID` or `/route/NAME`: its label, or else its own name. */
export function label(tree, path) {
  return tree.value(`${path}/label`) || decodeURIComponent(path.split("/")[2]);
}

/** Gives an element the colour of a strip, if the graph gives it one that is a plain colour. */
export function paint(element, tree, path) {
  const colour = tree.value(`${path}/color`);
  if (/^(#[0-9a-f]{6}|[a-z]{3,24})$/i.test(colour ?? "") && CSS.supports("color", colour)) element.style.setProperty("--strip", colour);
}

/** A fader with its field: both follow the parameter and set it. */
export function gain(context, path, name, offs, { vertical = true } = {}) {
  const { tree } = context;
  const info = tree.info(path);
  const set = (value) => {
    slide.value = value;
    field.value = value;
    tree.set(path, value);
  };
  const slide = fader({ label: `${name}, gain`, info, vertical, onInput: set });
  const field = gainField({ label: `${name}, gain in dB`, info, onInput: set });
  offs.add(follow(tree, path, slide), follow(tree, path, field));
  return { slide: slide.element, field: field.element };
}

/** A switch of a parameter. */
export function flag(context, path, { label, text, kind, inverted = false }, offs) {
  const { tree } = context;
  if (!tree.has(path)) return null;
  const control = toggle({ label, text, kind, onInput: (on) => tree.set(path, on !== inverted) });
  offs.add(follow(tree, path, control, (value) => value !== inverted));
  return control.element;
}

/** The pan of a strip as a knob. */
export function pan(context, path, name, offs) {
  return dial(context, path, { label: `${name}, pan`, text: panText }, offs);
}

/** A number as a knob. */
export function dial(context, path, options, offs) {
  const { tree } = context;
  const info = tree.info(path);
  if (!info) return null;
  const control = knob({ ...options, info, onInput: (value) => tree.set(path, value) });
  offs.add(follow(tree, path, control));
  return control.element;
}

/** A meter with its reading. */
export function levels(path, name, offs) {
  const shown = meter({ path, label: name });
  offs.add(shown.off);
  return shown;
}

/** The effects of a strip or route as switches: pressed while the effect is heard. */
export function effects(context, path, name, offs) {
  const chips = h("div", { class: "chips" });
  for (const node of names(context.tree, `${path}/insert`)) {
    const bypass = `${path}/insert/${part(node)}/bypass`;
    const chip = flag(context, bypass, { label: `${name}, effect ${node}`, text: node, kind: "chip", inverted: true }, offs);
    if (chip) chips.append(chip);
  }
  return chips;
}

/** Switches by keys while the focus is in the channel. */
export function shortcuts(element, keys) {
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.target.matches("input, select")) return;
    const button = keys[event.key.toLowerCase()];
    if (!button || button.matches(":disabled")) return;
    event.preventDefault();
    button.click();
  });
}

/** The strips or routes (`branch`) in the order of the graph; those that the status does not tell come after them. */
export function ordered(tree, branch, status) {
  const known = branch === "/strip" ? status?.strips.map(({ id }) => id) : status?.routes.map(({ name }) => name);
  const present = new Set(names(tree, branch));
  const first = (known ?? []).filter((name) => present.delete(name));
  return [...first, ...present];
}
