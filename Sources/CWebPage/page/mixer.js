// SPDX-License-Identifier: MIT
// The mixer: a strip for each source, a master for each route, and the crossfader.

import { dialog, fader, follow, gainText, h, report } from "./controls.js";
import { dial, effects, ending, flag, gain, label, levels, ordered, paint, pan, shortcuts } from "./channel.js";
import { names, part } from "./tree.js";

// Events after which the host's status has other names, latencies or sessions to show.
const TURNS = new Set([
  "alignment", "hardwareChanged", "latencyChanged", "nodeConnected", "nodeFault", "nodeGone", "nodeStarted", "routeAvailable",
  "routeUnavailable", "serverBack", "serverLost", "session", "sourceConnected", "sourceDisconnected",
]);

export default {
  id: "mixer",
  title: "Mixer",
  mount(root, context) {
    const { live, tree } = context;
    const offs = ending();
    const built = ending();
    let status = null;
    let shape = null;
    let timer = null;

    async function refresh() {
      status = await live.call("status").catch((error) => (report(error), status));
      if (root.isConnected) build();
    }
    function soon() {
      timer ??= setTimeout(() => {
        timer = null;
        refresh();
      }, 100);
    }
    function build() {
      const place = { left: root.querySelector(".board")?.scrollLeft ?? 0, focus: document.activeElement?.getAttribute?.("aria-label") };
      // What has the same strips, routes and effects keeps its elements: a fader in a hand is not taken away.
      const now = JSON.stringify([outline(tree), facts(status)]);
      if (now === shape) return;
      shape = now;
      built.end();
      root.replaceChildren(board(context, status, built));
      root.querySelector(".board").scrollLeft = place.left;
      if (place.focus) [...root.querySelectorAll("[aria-label]")].find((one) => one.getAttribute("aria-label") === place.focus)?.focus({ preventScroll: true });
    }

    offs.add(
      tree.onShape(() => (build(), soon())),
      live.on("event", ({ kind }) => TURNS.has(kind) && soon()),
      () => clearTimeout(timer),
    );
    refresh();
    return () => {
      built.end();
      offs.end();
    };
  },
};

/** The paths that decide which elements there are. */
const outline = (tree) =>
  ["/strip", "/route", "/crossfader"]
    .flatMap((branch) => tree.paths(branch))
    .filter((path) => !/\/(level|why|available|gain|mute|solo|cue|safe|delay)$/.test(path))
    .map((path) => (/\/(label|color)$/.test(path) ? `${path} ${tree.value(path)}` : path))
    .sort();

/** What of the status is shown. */
const facts = (status) =>
  status && [
    status.strips.map(({ id, source, crossfaderSide }) => [id, source, crossfaderSide]),
    status.routes.map(({ name, type, direction, latencyFrames, alignment, fallback }) => [name, type, direction, latencyFrames, alignment, fallback]),
    status.sessions.map(({ id, strips }) => [id, strips]),
    status.inserts.map(({ strip, route, nodes }) => [strip, route, nodes.map(({ name, running, fault }) => [name, running, fault])]),
    status.hardware.sampleRate.actual,
  ];

function board(context, status, offs) {
  const { tree } = context;
  const strips = ordered(tree, "/strip", status);
  const routes = ordered(tree, "/route", status).filter((name) => tree.has(`/route/${part(name)}/gain`));
  const masters = h("div", { class: `masters ${routes.length <= 3 ? "near" : ""}`, role: "group", "aria-label": "Outputs" });
  masters.append(...routes.map((name) => master(context, name, status, offs)));
  const desk = h("div", { class: "board", role: "group", "aria-label": "Strips and outputs" }, ...strips.map((id) => strip(context, id, status, offs)), masters);
  const mixer = h("div", { class: "mixer" }, h("h1", { class: "unseen", text: "Mixer" }), desk);
  if (tree.has("/crossfader/position")) mixer.append(crossfader(context, status, offs));
  return mixer;
}

// ── Strips ──

function strip(context, id, status, offs) {
  const { tree } = context;
  const path = `/strip/${part(id)}`;
  const name = label(tree, path);
  const about = status?.strips.find((one) => one.id === id);
  const session = status?.sessions.find(({ strips }) => strips.includes(id))?.id;
  const open = (event) => {
    event.preventDefault();
    details(context, path, name, { Source: about?.source, Session: session, "Crossfader side": about?.crossfaderSide?.toUpperCase() });
  };
  const side = about?.crossfaderSide ? `side ${about.crossfaderSide.toUpperCase()}` : "";
  const mute = flag(context, `${path}/mute`, { label: `${name}, mute`, text: "M", kind: "mute" }, offs);
  const solo = flag(context, `${path}/solo`, { label: `${name}, solo`, text: "S", kind: "solo" }, offs);
  const cue = flag(context, `${path}/cue`, { label: `${name}, cue`, text: "C", kind: "cue" }, offs);
  const { slide, field } = gain(context, `${path}/gain`, name, offs);
  const level = levels(path, name, offs);
  const element = h(
    "section",
    { class: "channel strip", "aria-label": name },
    h("header", {}, h("a", { class: "name", href: `#mixer${path}`, text: name, title: name, "aria-label": `${name}, details`, onClick: open }), h("span", { class: "under", text: side })),
    state(context, path, session, offs),
    faults(effects(context, path, name, offs), status, "strip", id),
    h("div", { class: "knobs" }, pan(context, `${path}/pan`, name, offs), wet(context, path, name, offs)),
    h("div", { class: "switches" }, mute, solo, cue),
    h("div", { class: "throw" }, slide, level.element),
    h("div", { class: "level" }, field, level.reading),
  );
  paint(element, tree, path);
  offs.add(follow(tree, `${path}/mute`, classOf(element, "muted")));
  shortcuts(element, { m: mute, s: solo, c: cue });
  return element;
}

/** A “control” that shows a flag as a class. */
const classOf = (element, name, inverted = false) => ({
  set value(on) {
    element.classList.toggle(name, on !== inverted);
  },
});

const wet = (context, path, name, offs) =>
  names(context.tree, `${path}/insert`).length ? dial(context, `${path}/wet`, { label: `${name}, wet`, text: (share) => `${Math.round(share * 100)} %` }, offs) : null;

/** Marks the effects that are left out because of a fault. */
function faults(chips, status, kind, id) {
  const nodes = status?.inserts.find((one) => one[kind] === id)?.nodes ?? [];
  [...chips.children].forEach((chip) => {
    const node = nodes.find(({ name }) => name === chip.textContent);
    if (!node?.fault && node?.running !== false) return;
    chip.classList.add("fault");
    chip.title = node.fault ?? "it does not run";
    chip.setAttribute("aria-label", `${chip.getAttribute("aria-label")}, ${chip.title}`);
  });
  return chips;
}

/** The host's sentence why a strip is silent or lowered; the page judges nothing itself. */
function state(context, path, session, offs) {
  const { tree } = context;
  const element = h("p", { class: "state" });
  const base = session && `/session/${part(session)}`;
  const show = () => {
    const why = tree.value(`${path}/why`);
    const text = why || (base && tree.value(`${base}/sounding`) ? "heard" : "");
    element.textContent = text;
    element.title = text;
    element.classList.toggle("warn", Boolean(why));
  };
  show();
  offs.add(tree.watch(`${path}/why`, show));
  if (base) offs.add(tree.watch(`${base}/sounding`, show));
  return element;
}

// ── Masters ──

function master(context, id, status, offs) {
  const { tree } = context;
  const path = `/route/${part(id)}`;
  const name = label(tree, path);
  const about = status?.routes.find((one) => one.name === id);
  const rate = status?.hardware.sampleRate.actual;
  const latency = about?.latencyFrames && rate ? `${((1000 * about.latencyFrames) / rate).toFixed(1)} ms` : "";
  const open = (event) => {
    event.preventDefault();
    details(context, path, name, { Type: about?.type, Ports: about?.ports.join(", "), Latency: latency, Alignment: about?.alignment, Fallback: about?.fallback });
  };
  const mute = flag(context, `${path}/mute`, { label: `${name}, mute`, text: "Mute", kind: "mute" }, offs);
  const { slide, field } = gain(context, `${path}/gain`, name, offs);
  const level = levels(path, name, offs);
  const note = h("p", { class: "state" });
  const element = h(
    "section",
    { class: "channel master", "aria-label": name },
    h("header", {}, h("a", { class: "name", href: `#mixer${path}`, text: name, title: name, "aria-label": `${name}, details`, onClick: open }), h("span", { class: "under", text: latency })),
    note,
    faults(effects(context, path, name, offs), status, "route", id),
    h("div", { class: "knobs" }, wet(context, path, name, offs)),
    h("div", { class: "switches" }, mute),
    h("div", { class: "throw" }, slide, level.element, reduction(context, path, name, offs)),
    h("div", { class: "level" }, field, level.reading),
  );
  const tell = () => {
    const there = tree.value(`${path}/available`) !== false;
    const by = tree.value(`${path}/reduction`)?.[0] ?? 0;
    note.textContent = there ? (by < -0.05 ? `limiter ${gainText(by)} dB` : "") : `ports missing${about?.fallback ? `, heard at ${about.fallback}` : ""}`;
    note.classList.toggle("warn", !there);
    element.classList.toggle("absent", !there);
  };
  tell();
  offs.add(tree.watch(`${path}/available`, tell), tree.watch(`${path}/reduction`, tell), follow(tree, `${path}/mute`, classOf(element, "muted")));
  paint(element, tree, path);
  shortcuts(element, { m: mute });
  return element;
}

/** How much the limiter holds down, as a bar from the top; nothing for a route without one. */
function reduction(context, path, name, offs) {
  const { tree } = context;
  if (!tree.has(`${path}/reduction`)) return null;
  const bar = h("span", { class: "held-down" });
  offs.add(
    follow(tree, `${path}/reduction`, {
      set value([gain = 0]) {
        bar.style.setProperty("--share", Math.min(1, -gain / 12).toFixed(3));
      },
    }),
  );
  return h("div", { class: "reduction", title: `${name}, limiter, down to −12 dB` }, bar);
}

// ── Crossfader ──

function crossfader(context, status, offs) {
  const { tree } = context;
  const path = "/crossfader/position";
  const set = (value) => {
    slide.value = value;
    tree.set(path, value);
  };
  const text = (value) => (Math.abs(value) < 0.005 ? "centre" : `${Math.round(Math.abs(value) * 100)} % to side ${value < 0 ? "A" : "B"}`);
  const slide = fader({ label: "Crossfader", info: tree.info(path), vertical: false, text, onInput: set });
  offs.add(follow(tree, path, slide));
  const side = (letter, value) => {
    const of = status?.strips.filter(({ crossfaderSide }) => crossfaderSide === letter).map(({ id }) => label(tree, `/strip/${part(id)}`)) ?? [];
    const name = letter.toUpperCase();
    return h("button", { type: "button", class: "toggle", "aria-label": `Crossfader to side ${name}: ${of.join(", ")}`, onClick: () => set(value) }, name, h("small", { text: of.join(", ") }));
  };
  return h("div", { class: "crossfader", role: "group", "aria-label": "Crossfader" }, side("a", -1), slide.element, side("b", 1));
}

// ── Details ──

/** Everything of a strip or route that has no place on the board: its facts, sends, effects and their parameters. */
function details(context, path, name, known) {
  const { tree } = context;
  const offs = ending();
  const content = h("div", {});
  const list = h("dl", { class: "facts" });
  const why = tree.value(`${path}/why`);
  for (const [term, text] of Object.entries({ ...known, "Why it is silent or low": why })) {
    if (text) list.append(h("dt", { text: term }), h("dd", { text }));
  }
  content.append(list);

  const sends = names(tree, `${path}/send`);
  if (sends.length) content.append(h("h3", { text: "Sends" }));
  for (const route of sends) {
    const send = `${path}/send/${part(route)}`;
    const title = label(tree, `/route/${part(route)}`);
    const { slide, field } = gain(context, `${send}/gain`, `${name} to ${title}`, offs, { vertical: false });
    content.append(h("div", { class: "row" }, h("span", { text: title }), slide, field));
  }
  for (const node of names(tree, `${path}/insert`)) {
    const heard = flag(context, `${path}/insert/${part(node)}/bypass`, { label: `${name}, effect ${node}`, text: "On", inverted: true }, offs);
    content.append(h("h3", { text: `Effect ${node}` }), h("div", { class: "row" }, h("span", { text: "Heard" }), h("span"), heard));
    for (const parameter of names(tree, `/node/${part(node)}`)) content.append(nodeRow(context, node, parameter, offs));
  }
  if (tree.has(`${path}/delay`)) content.append(h("h3", { text: "Alignment" }), number(context, `${path}/delay`, "Delay", `${name}, delay`, offs));
  if (tree.has(`${path}/safe`)) {
    const safe = flag(context, `${path}/safe`, { label: `${name}, safe from scenes`, text: "Safe" }, offs);
    content.append(h("h3", { text: "Scenes" }), h("div", { class: "row" }, h("span", { text: "Leave alone" }), h("span"), safe));
  }
  dialog({ title: name, content, onClose: offs.end });
}

function nodeRow(context, node, parameter, offs) {
  const path = `/node/${part(node)}/${part(parameter)}`;
  const info = context.tree.info(path);
  const name = `${node}, ${parameter}`;
  if (info?.type !== "flag") return number(context, path, parameter, name, offs);
  return h("div", { class: "row" }, h("span", { text: parameter, title: info.description }), h("span"), flag(context, path, { label: name, text: "On" }, offs));
}

/** A number as a horizontal fader with its value. */
function number(context, path, title, name, offs) {
  const { tree } = context;
  const info = tree.info(path);
  if (info?.type !== "number") return h("span");
  const text = (value) => `${value === -Infinity ? "−∞" : Number(value.toFixed(Math.abs(value) >= 100 ? 0 : 2))} ${info.unit ?? ""}`.trim();
  const value = h("output", { class: "value", "aria-hidden": "true" });
  const show = (now) => (value.textContent = text(now));
  const slide = fader({ label: name, info, vertical: false, onInput: (now) => (show(now), tree.set(path, now)) });
  offs.add(
    follow(tree, path, slide),
    follow(tree, path, {
      set value(now) {
        show(now);
      },
    }),
  );
  return h("div", { class: "row" }, h("span", { text: title, title: info.description }), slide.element, value);
}

