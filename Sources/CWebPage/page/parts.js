// SPDX-License-Identifier: MIT
// Small parts that several views share: lists that keep the focus, answers that stay fresh, and questions.
import { h } from "./controls.js";

/** Makes an element as `h` does; children may be lists, too. */
export const el = (tag, properties = {}, ...children) => h(tag, properties, ...children.flat());

/** A titled part of a view. */
export function section(title, ...children) {
  return el("section", { class: "v-part" }, el("h2", {}, title), ...children);
}

/** Sets a text only where it differs, so that screen readers and selections stay undisturbed. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * A list that follows its items: `make(item)` answers `{ node, show(item) }` once for each key.
 * Nodes stay where they are, so a button keeps its focus while the list is filled anew.
 */
export function follow(parent, key, make) {
  let rows = new Map();
  return (items) => {
    const next = new Map();
    let place = parent.firstChild;
    for (const item of items) {
      const name = key(item);
      if (next.has(name)) continue;
      const row = rows.get(name) ?? make(item);
      row.show(item);
      next.set(name, row);
      if (row.node === place) place = place.nextSibling;
      else parent.insertBefore(row.node, place);
    }
    for (const [name, row] of rows) if (!next.has(name)) row.node.remove();
    rows = next;
  };
}

/**
 * Calls `read` now, after each event of the named kinds, after each return of the link, and every `everyMs`;
 * one at a time, and not while the page is hidden. Answers `{ now, stop }`.
 */
export function fresh(live, read, { everyMs = 0, kinds = [] } = {}) {
  let ended = false;
  let busy = false;
  let again = false;
  let timer = 0;
  const now = async () => {
    if (ended) return;
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    clearTimeout(timer);
    try {
      if (!document.hidden) await read();
    } catch {
      // The link is gone or the host refuses: the banner and the toast say so, the next turn tries again.
    }
    busy = false;
    if (ended) return;
    if (again) {
      again = false;
      timer = setTimeout(now, 50);
    } else if (everyMs) timer = setTimeout(now, everyMs);
  };
  const wanted = new Set(kinds);
  const off = [
    live.on("event", (event) => wanted.has(event.kind) && now()),
    live.on("state", (state) => state.connected && now()),
  ];
  document.addEventListener("visibilitychange", now);
  now();
  return {
    now,
    stop() {
      ended = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", now);
      for (const end of off) end();
    },
  };
}

/** Carries out a change; an error of the host is shown in its own words. Answers the result, or null. */
export async function attempt(controls, change) {
  try {
    return (await change()) ?? {};
  } catch (error) {
    controls.report(error);
    return null;
  }
}

/** Asks before something that cannot be taken back; answers whether `yes` was pressed. */
export function sure(controls, title, text, yes) {
  return new Promise((resolve) => {
    const confirm = el("button", {
      type: "button", class: "primary", onclick: () => {
        resolve(true);
        dialog.close();
      },
    }, yes);
    const dialog = controls.dialog({ title, content: el("p", {}, text), actions: [confirm], onClose: () => resolve(false) });
    confirm.focus();
  });
}

/** A number with so many digits at most, or a dash where it is not known. */
export function figure(value, digits = 1, unit = "") {
  if (value === null || value === undefined) return "–";
  const text = typeof value === "number" ? String(Number(value.toFixed(digits))) : String(value);
  return unit ? `${text} ${unit}` : text;
}
