// SPDX-License-Identifier: MIT
// The controls of all views. Each works by mouse, touch and keyboard, and tells a screen reader what it is.

const FINE = 0.2;
const DEAD_PIXELS = 4;
const TRAVEL_PIXELS = 160;

/** Makes an element. Texts are set as text, never as markup. `on…` are listeners, the rest properties or attributes. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2).toLowerCase(), value);
    else if (key === "class") element.className = value;
    else if (key === "text") element.textContent = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Makes an element of SVG. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** An icon of 24 × 24 from the data of its path. */
export const icon = (path) => svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, svg("path", { d: path }));

/** Whether the page may set anything at `element` now: the link is there and the role allows it. */
const usable = (element) => !element.closest("fieldset:disabled, [aria-disabled=true]");

// ── Values ──

/** The travel of a parameter: position 0…1 ↔ value, the same for all surfaces (docs/parameters.md). */
function travel(info) {
  const low = limit(info.minimum, 0);
  const high = limit(info.maximum, 1);
  if (info.taper === "fader") return { position: faderPosition, value: faderGain, centre: -Infinity };
  if (info.taper === "logarithmic" && low > 0) {
    const ratio = Math.log(high / low);
    return { position: (v) => clamp(Math.log(v / low) / ratio), value: (p) => low * Math.exp(ratio * p), centre: low };
  }
  const bottom = Number.isFinite(low) ? low : -90;
  return {
    position: (v) => clamp((v - bottom) / (high - bottom)),
    value: (p) => bottom + (high - bottom) * p,
    centre: bottom < 0 && high > 0 ? 0 : bottom,
  };
}

/** The gain in dB at a position of a fader. */
function faderGain(position) {
  if (position >= 1) return 10;
  if (position >= 0.5) return 40 * position - 30;
  if (position >= 0.25) return 80 * position - 50;
  if (position >= 0.0625) return 160 * position - 70;
  return position > 0 ? 480 * position - 90 : -Infinity;
}

/** The position of a fader for a gain in dB. */
function faderPosition(gain) {
  if (gain >= 10) return 1;
  if (gain >= -10) return (gain + 30) / 40;
  if (gain >= -30) return (gain + 50) / 80;
  if (gain >= -60) return (gain + 70) / 160;
  return gain >= -90 ? (gain + 90) / 480 : 0;
}

/** A gain as text, such as "−6.0" or "−∞". */
export function gainText(gain) {
  if (gain === undefined || gain === null) return "";
  if (gain === -Infinity) return "−∞";
  return signed(gain, 1);
}

/** A pan from −1 to 1 as text: "L 50", "centre", "R 100". "C" stands for the cue. */
export function panText(pan) {
  const percent = Math.round(Math.abs(pan) * 100);
  return percent === 0 ? "centre" : `${pan < 0 ? "L" : "R"} ${percent}`;
}

const signed = (number, digits) => {
  const text = Math.abs(number).toFixed(digits);
  return number < 0 && Number(text) !== 0 ? "−" + text : text;
};
const clamp = (position) => Math.min(1, Math.max(0, position));
const limit = (bound, otherwise) => (bound === "-inf" ? -Infinity : (bound ?? otherwise));

/** How a number of this kind is said: with its unit. */
function spoken(info, value) {
  if (value === -Infinity) return "off, minus infinity dB";
  if (info.unit === "dB") return `${value.toFixed(1)} dB`;
  const digits = Math.abs(value) >= 100 ? 0 : 2;
  return `${Number(value.toFixed(digits))}${info.unit ? " " + info.unit : ""}`;
}

// ── Sliders ──

const holding = new Set();

/** Lets go of all faders: a hand that holds one over a lost link moves nothing after it. */
export const letGo = () => holding.forEach((release) => release());

/**
 * The common part of faders and knobs: relative drag, keys, wheel, ARIA. `draw(position, value)` shows a value.
 * The returned control has `element`, `value` (set it to show another's change), `held`.
 */
function sliding(element, { label, info, text, vertical, length, draw, onInput }) {
  const law = travel(info);
  const gain = info.taper === "fader";
  const say = text ?? ((value) => spoken(info, value));
  let value = gain ? 0 : law.centre;
  let held = null;
  let missed;
  const others = new Set();

  element.setAttribute("role", "slider");
  element.tabIndex = 0;
  element.setAttribute("aria-label", label);
  element.setAttribute("aria-orientation", vertical ? "vertical" : "horizontal");
  if (document.body.classList.contains("locked")) element.setAttribute("aria-disabled", "true");
  element.setAttribute("aria-valuemin", gain ? -90 : law.value(0));
  element.setAttribute("aria-valuemax", gain ? 24 : law.value(1));

  function show() {
    const now = Number.isFinite(value) ? value : -90;
    element.setAttribute("aria-valuenow", Number(now.toFixed(3)));
    element.setAttribute("aria-valuetext", say(value));
    draw(held ? held.position : law.position(value), value);
  }

  function put(position, step) {
    let next = law.value(clamp(position));
    if (gain && Number.isFinite(next)) next = Math.round(next / step) * step;
    next = Number.isFinite(next) ? Number(next.toFixed(6)) : next;
    if (next === value) return show();
    value = next;
    missed = undefined;
    show();
    onInput(value);
  }

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || held || !usable(element)) return;
    element.focus({ preventScroll: true });
    try {
      element.setPointerCapture(event.pointerId);
    } catch {
      return;
    }
    others.clear();
    held = { pointer: event.pointerId, at: along(event), position: law.position(value), moved: false };
    holding.add(release);
    element.classList.add("held");
    addEventListener("pointerdown", second, true);
    addEventListener("pointerup", second, true);
    addEventListener("pointercancel", second, true);
  });
  const second = (event) => {
    if (event.type !== "pointerdown") return others.delete(event.pointerId);
    // A finger on another fader moves that one, and makes neither finer.
    const slider = event.target.closest?.("[role=slider]");
    if (event.pointerId !== held?.pointer && (!slider || slider === element)) others.add(event.pointerId);
  };
  const along = (event) => (vertical ? -event.clientY : event.clientX);
  element.addEventListener("pointermove", (event) => {
    if (event.pointerId !== held?.pointer) return;
    if (!usable(element)) return release();
    const at = along(event);
    // A finger that only rests on the fader moves nothing.
    if (!held.moved && Math.abs(at - held.at) < DEAD_PIXELS) return;
    if (!held.moved) {
      held.moved = true;
      held.at += Math.sign(at - held.at) * DEAD_PIXELS;
    }
    const fine = event.shiftKey || others.size > 0;
    held.position = clamp(held.position + ((at - held.at) / length()) * (fine ? FINE : 1));
    held.at = at;
    put(held.position, 0.1);
  });
  function release() {
    if (!held) return;
    held = null;
    holding.delete(release);
    value = missed ?? value;
    missed = undefined;
    element.classList.remove("held");
    removeEventListener("pointerdown", second, true);
    removeEventListener("pointerup", second, true);
    removeEventListener("pointercancel", second, true);
    show();
  }
  for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) {
    element.addEventListener(kind, (event) => event.pointerId === held?.pointer && release());
  }
  // A gain stays where it is: a careless double tap could make silence loud.
  element.addEventListener("dblclick", () => {
    if (gain || !usable(element)) return;
    value = law.centre;
    show();
    onInput(value);
  });
  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !usable(element)) return;
    const small = event.shiftKey ? 1 / 400 : 1 / 80;
    const steps = {
      ArrowUp: small,
      ArrowRight: small,
      ArrowDown: -small,
      ArrowLeft: -small,
      PageUp: 0.075,
      PageDown: -0.075,
      Home: -1,
      End: 1,
    };
    if (!(event.key in steps)) return;
    event.preventDefault();
    event.stopPropagation();
    const step = steps[event.key];
    put(law.position(value) + step, event.shiftKey ? 0.1 : Math.abs(step) === 1 ? 0.1 : 0.5);
  });
  element.addEventListener(
    "wheel",
    (event) => {
      if (document.activeElement !== element || !usable(element) || event.ctrlKey || !event.deltaY) return;
      event.preventDefault();
      put(law.position(value) - (Math.sign(event.deltaY) * (event.shiftKey ? 1 : 5)) / 400, event.shiftKey ? 0.1 : 0.5);
    },
    { passive: false },
  );
  const control = {
    element,
    get value() {
      return value;
    },
    set value(next) {
      if (next === undefined || next === null) return;
      // Another's change does not pull a fader out of a hand: it is shown when the hand lets go.
      if (held) missed = next === value ? missed : next;
      else value = next;
      if (!held) show();
    },
    get held() {
      return held !== null;
    },
  };
  show();
  return control;
}

/** A fader: `{label, info, onInput, vertical = true, text}` → `{element, value, held}`. `info` is of `tree.info`. */
export function fader({ vertical = true, ...options }) {
  const cap = h("span", { class: "cap" });
  const fill = h("span", { class: "fill" });
  const element = h("div", { class: `fader ${vertical ? "vertical" : "horizontal"}` }, h("span", { class: "slot" }, fill));
  const centre = travel(options.info).position(travel(options.info).centre);
  if (options.info.taper === "fader") element.append(...marks(vertical));
  element.append(cap);
  return sliding(element, {
    ...options,
    vertical,
    length: () => Math.max(60, (vertical ? element.clientHeight : element.clientWidth) - 24),
    draw: (position) => {
      element.style.setProperty("--p", position.toFixed(4));
      element.style.setProperty("--from", Math.min(centre, position).toFixed(4));
      element.style.setProperty("--to", Math.max(centre, position).toFixed(4));
    },
  });
}

const marks = (vertical) =>
  (vertical ? [10, 5, 0, -5, -10, -20, -30, -50] : [0]).map((gain) => {
    const mark = h("span", { class: gain === 0 ? "tick zero" : "tick", "aria-hidden": "true" });
    mark.dataset.gain = Math.abs(gain);
    mark.style.setProperty("--at", faderPosition(gain));
    return mark;
  });

/** A knob: `{label, info, onInput, text}` → `{element, value, held}`. It turns by a drag up and down. */
export function knob(options) {
  const centre = travel(options.info).position(travel(options.info).centre);
  const arc = svg("path", { class: "arc" });
  const pointer = svg("path", { class: "pointer" });
  const picture = svg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, svg("path", { class: "groove", d: curve(0, 1) }), arc, pointer);
  const caption = h("span", { class: "caption" });
  const element = h("div", { class: "knob" }, picture, caption);
  const short = options.short ?? options.text ?? ((value) => spoken(options.info, value));
  return sliding(element, {
    ...options,
    vertical: true,
    length: () => TRAVEL_PIXELS,
    draw: (position, value) => {
      arc.setAttribute("d", curve(Math.min(centre, position), Math.max(centre, position)));
      const [x, y] = place(position, 7);
      const [tipX, tipY] = place(position, 13);
      pointer.setAttribute("d", `M${x} ${y}L${tipX} ${tipY}`);
      caption.textContent = short(value);
    },
  });
}

const place = (position, radius) => {
  const angle = ((position * 270 - 225) * Math.PI) / 180;
  return [(20 + radius * Math.cos(angle)).toFixed(2), (20 + radius * Math.sin(angle)).toFixed(2)];
};
const curve = (from, to) => {
  const [startX, startY] = place(from, 16);
  const [endX, endY] = place(to, 16);
  return `M${startX} ${startY}A16 16 0 ${(to - from) * 270 > 180 ? 1 : 0} 1 ${endX} ${endY}`;
};

// ── Buttons and fields ──

/** A switch: `{label, text, kind, onInput}` → `{element, value}`. `kind` is a class: mute, solo, cue or none. */
export function toggle({ label, text, kind = "", onInput }) {
  const element = h("button", { type: "button", class: `toggle ${kind}`, text, "aria-label": label, "aria-pressed": "false" });
  let value = false;
  element.addEventListener("click", () => {
    control.value = !value;
    onInput(value);
  });
  const control = {
    element,
    get value() {
      return value;
    },
    set value(next) {
      value = Boolean(next);
      element.setAttribute("aria-pressed", String(value));
    },
  };
  return control;
}

/** A field for a gain in dB: `{label, info, onInput}` → `{element, value}`. */
export function gainField({ label, info, onInput }) {
  const element = h("input", { class: "gain", "aria-label": label, autocomplete: "off", spellcheck: "false", enterkeyhint: "done", maxlength: 12 });
  let value = 0;
  const show = () => (element.value = gainText(value));
  element.addEventListener("focus", () => element.select());
  element.addEventListener("blur", show);
  element.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") show();
    if (event.key === "Escape" || event.key === "Enter") element.blur();
  });
  element.addEventListener("change", () => {
    const text = element.value.replace(/[−–]/g, "-").replace(",", ".").replace(/\s|db/gi, "");
    const next = /^-(inf.*|∞|oo)$|^off$/i.test(text) ? -Infinity : Number(text || NaN);
    const highest = limit(info.maximum, 24);
    if (Number.isNaN(next) || next > highest) {
      toast(`${label}: “${element.value}” is no gain; allowed: a number up to ${highest}, or -inf`);
    } else {
      value = next;
      onInput(next);
    }
    show();
  });
  return {
    element,
    get value() {
      return value;
    },
    set value(next) {
      if (next === undefined || next === null) return;
      value = next;
      if (document.activeElement !== element) show();
    },
  };
}

/** Joins a control to a parameter; the result ends that. `read` turns the value into the control's. */
export function follow(tree, path, control, read = (value) => value) {
  const show = (_, value) => value !== undefined && (control.value = read(value));
  if (tree.has(path)) show(path, tree.value(path));
  return tree.watch(path, show);
}

// ── Meters ──

const FLOOR = -90;
const TOP = 10;
const HOLD_MS = 1500;
const FALL_DB_PER_MS = 0.026;
const shown = new Set();
let drawing = 0;
let latest = null;
let colours = null;

/** A position 0…1 on a meter for a level in dBFS: that of the fader beside it, with which it shares the scale. */
const meterPosition = (level) => clamp(faderPosition(level));

/** Takes the meters of a frame, and draws all that can be seen in one frame of the display. */
export function takeMeters(meters) {
  latest = meters;
  for (const meter of shown) meter.take(meters);
  if (!drawing && shown.size) drawing = requestAnimationFrame(drawAll);
}

/** Forgets the levels, for a lost link. */
export function forgetMeters() {
  takeMeters(new Map());
  shown.forEach((meter) => meter.forget());
}

function drawAll(now) {
  drawing = 0;
  colours ??= meterColours();
  for (const meter of shown) if (meter.visible) meter.draw(now);
}

function meterColours() {
  const probe = document.body.appendChild(h("span", { hidden: true }));
  const colour = (name) => {
    // A canvas needs the colour that the theme makes of it.
    probe.style.setProperty("color", `var(${name})`);
    return getComputedStyle(probe).color;
  };
  const found = {};
  for (const name of ["back", "low", "mid", "high", "peak"]) found[name] = colour(`--meter-${name}`);
  probe.remove();
  return found;
}

/** Reads the colours of meters anew, after a change of the theme. */
export function refreshMeters() {
  colours = null;
  shown.forEach((meter) => meter.forget());
  if (!drawing && shown.size) drawing = requestAnimationFrame(drawAll);
}

const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) target.meter.visible = isIntersecting;
});

/**
 * A meter of a strip's or route's path: RMS as a bar, peak above it, hold, and a button that shows the highest peak,
 * is red after an overload, and starts anew when pressed. `{path, label}` → `{element, reading, off}`.
 */
export function meter({ path, label }) {
  const canvas = h("canvas", { class: "meter", role: "img", "aria-label": `${label}, level` });
  const reading = h("button", { type: "button", class: "reading", text: "−∞", "aria-label": `${label}, highest peak: none. Reset` });
  const context = canvas.getContext("2d");
  let channels = [];
  let highest = -Infinity;
  let told = null;
  let stale = true;
  let last = 0;

  reading.addEventListener("click", () => {
    highest = -Infinity;
    tell();
  });
  function tell() {
    const text = gainText(highest < FLOOR ? -Infinity : highest);
    if (text === told) return;
    told = text;
    reading.textContent = text;
    reading.classList.toggle("clip", highest >= 0);
    reading.setAttribute("aria-label", `${label}, highest peak: ${text} dB${highest >= 0 ? ", overloaded" : ""}. Reset`);
  }
  const telling = setInterval(tell, 250);

  const self = {
    visible: true,
    take(meters) {
      const levels = meters.get(path);
      if (!levels) {
        if (channels.length) stale = true;
        channels = [];
        return;
      }
      if (channels.length !== levels.peak.length) stale = true;
      channels.length = Math.min(channels.length, levels.peak.length);
      levels.peak.forEach((peak, index) => {
        const channel = (channels[index] ??= { peak: -Infinity, rms: -Infinity, hold: -Infinity, until: 0 });
        channel.peak = Math.max(peak, channel.peak);
        channel.now = peak;
        channel.rms = levels.rms[index];
        if (peak > highest) highest = peak;
        // A silent meter that has fallen to the bottom is not painted again.
        if (channel.hold > FLOOR || peak > FLOOR) stale = true;
      });
    },
    forget() {
      stale = true;
    },
    draw(now) {
      const passed = Math.min(100, now - last);
      last = now;
      for (const channel of channels) {
        // The bar falls as slowly as that of a programme meter, whatever the rate of frames is.
        if (channel.peak > (channel.now ?? -Infinity)) {
          channel.peak = Math.max(channel.now, channel.peak - passed * FALL_DB_PER_MS);
          stale = true;
        }
        if (channel.peak >= channel.hold) {
          channel.hold = channel.peak;
          channel.until = now + HOLD_MS;
        } else if (now > channel.until) {
          channel.hold = Math.max(channel.peak, channel.hold - passed * FALL_DB_PER_MS);
        }
      }
      if (stale) paint();
      stale = false;
    },
  };

  function paint() {
    const scale = Math.min(2, devicePixelRatio || 1);
    const width = Math.round(canvas.clientWidth * scale);
    const height = Math.round(canvas.clientHeight * scale);
    if (!width || !height) return;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    context.fillStyle = colours.back;
    context.fillRect(0, 0, width, height);
    const count = Math.max(1, channels.length);
    const gap = count > 1 ? Math.max(1, Math.round(scale)) : 0;
    const bar = Math.max(1, Math.floor((width - gap * (count - 1)) / count));
    channels.forEach((channel, index) => {
      const x = index * (bar + gap);
      const inset = Math.floor(bar / 4);
      bars(x, bar, height, channel.peak, 0.45);
      bars(x + inset, bar - 2 * inset, height, channel.rms, 1);
      if (channel.hold > FLOOR) {
        context.fillStyle = channel.hold >= -0.1 ? colours.high : colours.peak;
        context.fillRect(x, Math.round(height * (1 - meterPosition(channel.hold))), bar, Math.max(2, Math.round(1.5 * scale)));
      }
    });
  }

  function bars(x, width, height, level, alpha) {
    context.globalAlpha = alpha;
    for (const [from, to, colour] of [
      [FLOOR, -18, colours.low],
      [-18, -3, colours.mid],
      [-3, TOP, colours.high],
    ]) {
      if (level <= from) break;
      const top = Math.round(height * (1 - meterPosition(Math.min(level, to))));
      const bottom = Math.round(height * (1 - meterPosition(from)));
      context.fillStyle = colour;
      context.fillRect(x, top, width, bottom - top);
    }
    context.globalAlpha = 1;
  }

  canvas.meter = self;
  shown.add(self);
  sight.observe(canvas);
  if (latest) self.take(latest);
  if (!drawing) drawing = requestAnimationFrame(drawAll);
  return {
    element: canvas,
    reading,
    off() {
      clearInterval(telling);
      sight.unobserve(canvas);
      shown.delete(self);
    },
  };
}

// ── Dialogs and reports ──

/** Opens a dialog with a title and contents, and closes it by Escape, its button, or the result's `close()`. */
export function dialog({ title, content, actions = [], onClose }) {
  const heading = h("h2", { text: title, id: "dialog-title" });
  const leave = h("button", { type: "button", class: "plain", text: "Close", onClick: () => element.close() });
  // A field set of its own: the frame disables it with the view when the link is lost.
  const inside = h("fieldset", { class: "view", disabled: document.body.classList.contains("locked") }, content);
  const element = h("dialog", { "aria-labelledby": "dialog-title" }, heading, inside, h("div", { class: "actions" }, ...actions, leave));
  element.addEventListener("click", (event) => event.target === element && element.close());
  element.addEventListener("close", () => {
    document.body.append(document.getElementById("toasts"));
    element.remove();
    onClose?.();
  });
  document.body.append(element);
  element.showModal();
  return { element, close: () => element.close() };
}

/** Shows a sentence for a few seconds. An `error` is said at once by screen readers. */
export function toast(text, { error = true } = {}) {
  const place = document.getElementById("toasts");
  // What is outside of an open dialog is behind it.
  const layer = document.querySelector("dialog[open]") ?? document.body;
  if (place.parentNode !== layer) layer.append(place);
  if ([...place.children].some((other) => other.textContent === text)) return;
  const element = h("p", { class: `toast ${error ? "error" : ""}`, role: error ? "alert" : "status", text });
  place.append(element);
  while (place.children.length > 3) place.firstChild.remove();
  setTimeout(() => element.remove(), 6000);
  element.addEventListener("click", () => element.remove());
}

/** Shows an error of the host, and nothing for a request that the lost link has taken with it. */
export const report = (error) => error.code !== 0 && toast(error.message);
