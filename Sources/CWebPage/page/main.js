// SPDX-License-Identifier: MIT
// The frame of the page: access, navigation, theme, and the banner of a lost link.

import { openLive } from "./live.js";
import { openTree } from "./tree.js";
import * as controls from "./controls.js";
import mixer from "./mixer.js";
import sends from "./sends.js";
import patch from "./patch.js";
import sessions from "./sessions.js";
import hardware from "./hardware.js";
import surfaces from "./surfaces.js";
import scenes from "./scenes.js";

const { h, icon } = controls;
const views = [mixer, sends, patch, sessions, hardware, surfaces, scenes];
const icons = {
  mixer: "M6 4v16M12 4v16M18 4v16M4 15h4M10 8h4M16 12h4",
  sends: "M4 7h9l3 5-3 5H4M16 12h5M18 9l3 3-3 3",
  patch: "M5 7a2 2 0 1 0 .01 0M19 17a2 2 0 1 0 .01 0M7 8c6 0 4 10 10 10M5 18h4M15 6h4",
  sessions: "M9 11a3 3 0 1 0-.01 0M3 19c0-3 3-5 6-5s6 2 6 5M16 5a3 3 0 0 1 0 6M17 14c2 0 4 2 4 5",
  hardware: "M4 7h16v10H4zM8 17v3M16 17v3M8 12h.01M12 12h4",
  surfaces: "M4 5h16v14H4zM8 9v6M12 9v6M16 9v6M7 13h2M11 11h2M15 13h2",
  scenes: "M4 6h12v10H4zM8 16v3h12V9h-4",
};
const main = document.getElementById("main");
const banner = document.getElementById("banner");
const fieldset = h("fieldset", { class: "view" });

// ── Access ──

/** Trades the token of the address for a session, and takes it out of the address and the history. */
async function logIn() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return null;
  const answer = await fetch("/login", { method: "POST", headers: { Authorization: `Bearer ${token}` } });
  // Not before: a request that the network has lost is sent again when the page is.
  history.replaceState(null, "", location.pathname + "#mixer");
  return answer.ok ? null : (await answer.text()).trim();
}

async function identity() {
  const answer = await fetch("/me", { cache: "no-store", signal: AbortSignal.timeout(5000) });
  if (answer.ok) return answer.json();
  if (answer.status === 401) return null;
  throw new Error(`The host answers ${answer.status}.`);
}

function refuse(reason) {
  document.body.classList.add("refused");
  main.replaceChildren(
    h(
      "section",
      { class: "gate" },
      h("h1", { text: "This mixer needs a key" }),
      h("p", { text: reason ?? "Open the address that the host shows: scan its QR code again, or ask for a new one." }),
      h("p", {}, "On the host: ", h("code", { text: "multiroute web address" })),
    ),
  );
}

// ── Theme ──

const themes = { auto: "As the system", light: "Light", dark: "Dark" };
const themeIcons = {
  auto: "M12 4a8 8 0 1 0 .01 0M12 4v16M12 8l6 0M12 12h8M12 16h6",
  light: "M12 8a4 4 0 1 0 .01 0M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  dark: "M20 14A8 8 0 1 1 10 4a7 7 0 0 0 10 10z",
};

function themeButton() {
  const button = h("button", { type: "button", class: "round" });
  const apply = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.replaceChildren(icon(themeIcons[theme]));
    button.setAttribute("aria-label", `Colours: ${themes[theme]}`);
    button.title = `Colours: ${themes[theme]}`;
    controls.refreshMeters();
  };
  let theme = kept("theme");
  if (!(theme in themes)) theme = "auto";
  apply(theme);
  button.addEventListener("click", () => {
    const order = Object.keys(themes);
    theme = order[(order.indexOf(theme) + 1) % order.length];
    keep("theme", theme);
    apply(theme);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => controls.refreshMeters());
  return button;
}

/** Reads what the browser has kept; a browser may forbid that. */
function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}

// ── Navigation ──

function navigate(context, allowed) {
  const links = new Map();
  for (const view of allowed) {
    const link = h("a", { href: `#${view.id}` }, icon(icons[view.id]), h("span", { text: view.title }));
    links.set(view.id, link);
    document.getElementById("views").append(link);
  }
  let current = null;
  let unmount = null;
  const show = () => {
    const id = location.hash.slice(1).split("/")[0];
    const view = allowed.find((candidate) => candidate.id === id) ?? allowed[0];
    if (view === current) return;
    unmount?.();
    fieldset.replaceChildren();
    fieldset.id = `view-${view.id}`;
    document.title = `${view.title} · ${context.me.name ?? "MultiRoute"}`;
    links.forEach((link, id) => (id === view.id ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current")));
    const moved = current !== null;
    current = view;
    unmount = view.mount(fieldset, context);
    main.scrollTo(0, 0);
    if (moved) main.focus({ preventScroll: true });
  };
  addEventListener("hashchange", show);
  show();
}

// ── Link ──

/** Disables all controls, and enables them again with the focus where it was. */
function lock(locked) {
  const focused = document.activeElement;
  if (locked) controls.letGo();
  document.body.classList.toggle("locked", locked);
  fieldset.disabled = locked;
  for (const view of document.querySelectorAll("fieldset.view")) {
    view.disabled = locked;
    for (const slider of view.querySelectorAll("[role=slider]")) {
      if (locked) slider.setAttribute("aria-disabled", "true");
      else slider.removeAttribute("aria-disabled");
    }
  }
  if (locked && focused?.closest("fieldset.view")) lock.focused = focused;
  if (!locked && lock.focused?.isConnected && document.activeElement === document.body) lock.focused.focus({ preventScroll: true });
}

function watchLink(live, tree, me) {
  let since = null;
  let timer = null;
  let asking = false;
  // The host says so before its end. A link that is lost without it tells nothing about the sound.
  let hasEnded = false;
  const tell = () => {
    const seconds = Math.floor((performance.now() - since) / 1000);
    const age = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
    banner.textContent = hasEnded
      ? `The host has ended. What you see is ${age} old; this page comes back when a host runs again.`
      : `No link to the host. What you see is ${age} old, and the page does not know what plays; it comes back by itself.`;
  };
  const update = () => lock(!tree.filled || me.role === "watch");
  live.on("event", ({ kind }) => {
    if (kind === "stopping") hasEnded = true;
  });
  live.on("state", async ({ connected, sinceMs }) => {
    document.body.classList.toggle("lost", !connected);
    if (connected) {
      hasEnded = false;
      clearInterval(timer);
      timer = null;
      since = null;
      banner.hidden = true;
      return;
    }
    if (since === null) {
      lock(true);
      controls.forgetMeters();
      since = performance.now() - sinceMs;
      banner.hidden = false;
      tell();
      timer = setInterval(tell, 1000);
    }
    // A session that was revoked does not come back, nor does one that a new host does not know.
    if (asking) return;
    asking = true;
    if ((await identity().catch(() => me)) === null) location.reload();
    asking = false;
  });
  tree.onShape(update);
}

async function start() {
  document.getElementById("tools").append(themeButton());
  let me = null;
  try {
    const reason = await logIn();
    me = await identity();
    if (me === null) return refuse(reason);
  } catch {
    // A host that is away now is waited for.
    setTimeout(() => location.reload(), 2000);
    main.replaceChildren(h("section", { class: "gate" }, h("h1", { text: "Waiting for the host" }), h("p", { text: "It does not answer yet." })));
    return;
  }
  const badge = h("span", { class: "host", text: me.name ?? "" });
  const role = me.role !== "all" && h("span", { class: "host role", text: me.role === "mix" ? `mix of ${me.route}` : "only watching" });
  document.getElementById("tools").prepend(badge, role || "");
  const live = openLive();
  const tree = openTree(live);
  watchLink(live, tree, me);
  live.on("meters", controls.takeMeters);
  tree.onRefused(controls.report);
  lock(true);
  const waiting = h("p", { class: "waiting", role: "status", text: "Connecting …" });
  tree.onRefused(({ message }) => (waiting.textContent = `The host does not tell its parameters: ${message} It is asked again …`));
  main.replaceChildren(waiting);
  const off = tree.onShape(() => {
    off();
    main.replaceChildren(fieldset);
    navigate({ live, tree, controls, me }, me.role === "mix" ? [sends] : views);
    lock(me.role === "watch");
  });
}

start();
