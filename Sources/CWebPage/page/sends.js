// SPDX-License-Identifier: MIT
// The sends: all of them as a matrix, or the mix of one route for the musician who hears it.

import { h } from "./controls.js";
import { ending, flag, gain, label, levels, ordered, paint, shortcuts } from "./channel.js";
import { part } from "./tree.js";

const narrow = matchMedia("(max-width: 820px)");

export default {
  id: "sends",
  title: "Sends",
  mount(root, context) {
    const { live, tree, me } = context;
    const offs = ending();
    const built = ending();
    let shape = null;
    let status = null;

    async function refresh() {
      // Who may set one route's mix only is not told the whole state; then the strips stand by their names.
      status = await live.call("status").catch(() => status);
      if (root.isConnected) build();
    }

    function build() {
      const routes = me.role === "mix" ? [me.route] : ordered(tree, "/route", status).filter((name) => strips(tree, name, status).length);
      const asked = decodeURIComponent(location.hash.split("/")[1] ?? "");
      const all = me.role !== "mix" && (asked === "all" || (!asked && !narrow.matches));
      const route = all ? null : routes.includes(asked) ? asked : routes[0];
      const now = JSON.stringify([route, ordered(tree, "/strip", status), tree.paths("/strip").filter((path) => /\/(send\/.*|label|color)$/.test(path)), routes]);
      if (now === shape) return;
      shape = now;
      built.end();
      const tabs = h("nav", { class: "tabs", "aria-label": "Mixes" });
      const tab = (href, text, current) => tabs.append(h("a", { href, text, "aria-current": current && "page" }));
      if (me.role !== "mix") tab("#sends/all", "All sends", all);
      for (const name of routes) tab(`#sends/${encodeURIComponent(name)}`, label(tree, `/route/${part(name)}`), name === route);
      const content = routes.length === 0 ? h("p", { class: "empty", text: "No strip has a send." }) : all ? matrix(context, routes, status, built) : mix(context, route, status, built);
      root.replaceChildren(h("div", { class: "sends" }, h("h1", { class: "unseen", text: "Sends" }), tabs, content));
    }

    const turned = () => location.hash.startsWith("#sends") && build();
    addEventListener("hashchange", turned);
    offs.add(tree.onShape(() => (build(), refresh())), () => removeEventListener("hashchange", turned));
    build();
    refresh();
    return () => {
      built.end();
      offs.end();
    };
  },
};

/** The strips that have a send to a route. */
const strips = (tree, route, status) => ordered(tree, "/strip", status).filter((id) => tree.has(`/strip/${part(id)}/send/${part(route)}/gain`));

/** One route's mix: a channel for each strip that it hears, and its master. */
function mix(context, route, status, offs) {
  const { tree } = context;
  const master = `/route/${part(route)}`;
  const heard = label(tree, master);
  const board = h("div", { class: "board", role: "group", "aria-label": `Mix of ${heard}` });
  for (const id of strips(tree, route, status)) {
    const path = `/strip/${part(id)}`;
    board.append(channel(context, `${path}/send/${part(route)}`, path, label(tree, path), `to ${heard}`, offs));
  }
  if (tree.has(`${master}/gain`)) {
    const masters = h("div", { class: "masters", role: "group", "aria-label": "Output" });
    masters.append(channel(context, master, master, heard, "master", offs));
    board.append(masters);
  }
  return board;
}

function channel(context, path, place, name, under, offs) {
  const said = path === place ? name : `${name} ${under}`;
  // Who may set one mix only may make it louder or softer, and not take it from others who hear it.
  const mutes = path !== place || context.me.role !== "mix";
  const mute = mutes ? flag(context, `${path}/mute`, { label: `${said}, mute`, text: "Mute", kind: "mute" }, offs) : null;
  const { slide, field } = gain(context, `${path}/gain`, said, offs);
  const level = levels(place, name, offs);
  const element = h(
    "section",
    { class: "channel", "aria-label": said },
    h("header", {}, h("span", { class: "name", text: name, title: name }), h("span", { class: "under", text: under })),
    h("div", { class: "switches" }, mute),
    h("div", { class: "throw" }, slide, level.element),
    h("div", { class: "level" }, field, level.reading),
  );
  paint(element, context.tree, place);
  shortcuts(element, { m: mute });
  return element;
}

/** All sends: strips as rows, routes as columns. */
function matrix(context, routes, status, offs) {
  const { tree } = context;
  const titles = routes.map((route) => label(tree, `/route/${part(route)}`));
  const head = h("tr", {}, h("th", { scope: "col", text: "Strip" }), ...titles.map((text) => h("th", { scope: "col", text })));
  const rows = ordered(tree, "/strip", status).map((id) => {
    const path = `/strip/${part(id)}`;
    const name = label(tree, path);
    const row = h("tr", {}, h("th", { scope: "row", text: name, title: name }));
    paint(row, tree, path);
    routes.forEach((route, index) => row.append(h("td", {}, cell(context, `${path}/send/${part(route)}`, `${name} to ${titles[index]}`, offs))));
    return row;
  });
  return h("div", { class: "matrix", tabindex: "0", role: "group", "aria-label": "All sends" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows)));
}

function cell(context, path, name, offs) {
  if (!context.tree.has(`${path}/gain`)) return h("span", { class: "none", text: "no send" });
  const { slide, field } = gain(context, `${path}/gain`, name, offs, { vertical: false });
  const mute = flag(context, `${path}/mute`, { label: `${name}, mute`, text: "M", kind: "mute" }, offs);
  const element = h("div", { class: "cell" }, slide, field, mute);
  shortcuts(element, { m: mute });
  return element;
}
